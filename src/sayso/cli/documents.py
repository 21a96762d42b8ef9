"""Function documents in files: which files of a folder are ones, and what each holds. Nothing of it is trusted yet."""

import os
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from sayso.core.bounds import DOCUMENT_BYTES

STDIN = "-"
SUFFIX = ".md"

# What a document begins with, as core.document.front_matter reads it. Other Markdown of a folder does not.
_OPENING = re.compile(rb"(?:\xef\xbb\xbf)*---[ \t]*(?:[\r\n]|\Z)")


class Unreadable(Exception):
    """A file or a folder that cannot be read. Its words say which and why."""

    def __init__(self, name: str, fault: OSError) -> None:
        super().__init__(f"{name} cannot be read: {fault.strerror}.")
        self.file = name


@dataclass(frozen=True, kw_only=True)
class Document:
    """What a file holds, or its beginning where that is more than a document may be; and the name that it gives."""

    file: str
    name: str
    content: bytes


@dataclass(frozen=True, kw_only=True)
class Folder:
    """The documents of a folder and of the folders in it; and its other Markdown files, which have no front matter."""

    documents: tuple[Document, ...]
    others: tuple[Document, ...]


def given(file: str) -> tuple[Document, ...]:
    """The documents that a word of the command line names: a file, a folder of them, or ``-``. Raises Unreadable."""
    return in_folder(file).documents if os.path.isdir(file) else (one(file),)  # noqa: PTH112  the name stays as typed


def one(file: str) -> Document:
    """The document in a file, or from standard input. Raises Unreadable."""
    try:
        if file == STDIN:
            return Document(file=file, name="", content=sys.stdin.buffer.read(DOCUMENT_BYTES + 1))
        return Document(file=file, name=Path(file).stem, content=_content(file))
    except OSError as fault:
        raise Unreadable(file, fault) from None


def _content(file: str) -> bytes:
    # A pipe that nobody writes to is empty, and not waited for; one that somebody writes to is read to its end.
    opened = os.open(file, os.O_RDONLY | os.O_NONBLOCK)
    os.set_blocking(opened, True)
    with open(opened, "rb") as stream:  # noqa: PTH123  a file that is open already
        return stream.read(DOCUMENT_BYTES + 1)


def in_folder(folder: str) -> Folder:
    """Every document below a folder, in the order of its paths. Raises Unreadable."""
    read = [one(file) for file in _markdown(folder)]
    return Folder(
        documents=tuple(document for document in read if _OPENING.match(document.content)),
        others=tuple(document for document in read if not _OPENING.match(document.content)),
    )


def _markdown(folder: str) -> Iterator[str]:
    """The Markdown files below a folder; not those with a dot before their name or that of a folder of theirs."""

    def refuse(fault: OSError) -> None:
        raise Unreadable(str(fault.filename), fault)

    for here, folders, files in os.walk(folder, onerror=refuse):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            if name.lower().endswith(SUFFIX) and not name.startswith("."):
                yield os.path.join(here, name)  # noqa: PTH118  the folder stays as typed, with a ./ before it
