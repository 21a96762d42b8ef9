"""Front matter: a document split into what its two lines of dashes enclose and the body, with their lines."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from sayso.core.bounds import DOCUMENT_BYTES
from sayso.core.document import yaml_reading
from sayso.core.document.faults import Fault, Faulty, Path
from sayso.core.document.yaml_reading import UNKEPT, UNTYPED
from sayso.core.values import Json

# The front matter begins below the opening dashes, which are line 1.
FIRST_LINE = 2

_OPENING = re.compile(r"---[ \t]*(?:\n|\Z)")
_CLOSING = re.compile(r"^---[ \t]*$", re.MULTILINE)
_ALMOST = re.compile(r"^[ \t]*(?:[-\u2010-\u2015] ?|\.|=|_){2,}[ \t]*(?:#.*)?$", re.MULTILINE)
_COMMENT = re.compile(r":[ \t]+#\S")

_WAYS = "It names the party (to) and how long a request waits (expires), or the tool that it calls (call)."


@dataclass(frozen=True, kw_only=True)
class FrontMatter:
    """A document that could be read: its fields, the line of each path in it, and its body with its first line.

    ``faults`` are those that did not stop the reading. What stands at a path with a fault is not to be judged further.
    ``text`` is the front matter as it is written.
    """

    fields: dict[str, Json]
    lines: Mapping[Path, int]
    faults: tuple[Fault, ...]
    text: str
    body: str
    body_line: int

    def line(self, path: Path) -> int:
        """The line of a path in the whole document, or of what is nearest above it."""
        while path and path not in self.lines:
            path = path[:-1]
        return self.lines[path] if path else FIRST_LINE

    def is_comment(self, path: Path) -> bool:
        """Whether all that is written at a path is a word that begins with #, which makes a comment of it."""
        return _COMMENT.search(self.text.split("\n")[self.line(path) - FIRST_LINE]) is not None

    def is_damaged(self, path: Path) -> bool:
        """Whether the reading already found a fault at this path or below it."""
        return path in self._damaged

    def is_faulty(self, path: Path) -> bool:
        """Whether the reading found a fault at this very path: then some of what was written there may be gone."""
        return path in self._faulty

    @cached_property
    def _faulty(self) -> frozenset[Path]:
        return frozenset(fault.path for fault in self.faults)

    @cached_property
    def _damaged(self) -> frozenset[Path]:
        """The paths of all faults and of what they lie in, each looked at once however many there are."""
        found: set[Path] = set()
        for path in self._faulty:
            above = path
            while above not in found:
                found.add(above)
                above = above[:-1]
        return frozenset(found)


def read(source: str) -> FrontMatter:
    """Split and read a document. Raises Faulty when there is nothing to check further."""
    text = source.lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    _refuse_characters(text, UNKEPT)
    if len(source.encode()) > DOCUMENT_BYTES:
        raise _stop(1, f"The document is larger than {DOCUMENT_BYTES:,} bytes.")
    opening = _OPENING.match(text)
    if opening is None:
        raise _stop(1, _never_opened(text))
    closing = _CLOSING.search(text, opening.end())
    if closing is None:
        raise _stop(1, _never_closed(text, opening.end()))
    _refuse_characters(text[: closing.start()], UNTYPED)
    return _read(text, text[opening.end() : closing.start()], closing.end())


def _read(text: str, enclosed: str, end: int) -> FrontMatter:
    reading = yaml_reading.read(enclosed, FIRST_LINE)
    if not isinstance(reading.value, dict):
        words = (
            f"The front matter is empty. {_WAYS}"
            if reading.value is None
            else f"The front matter is written as keys with values, as in to: the owner. {_WAYS}"
        )
        raise Faulty([*reading.faults, Fault(line=FIRST_LINE, detail=words)])
    return FrontMatter(
        fields=reading.value,
        lines=reading.lines,
        faults=reading.faults,
        text=enclosed,
        body=text[end + 1 :],
        body_line=text.count("\n", 0, end) + 2,
    )


def _refuse_characters(text: str, refused: re.Pattern[str]) -> None:
    if found := refused.search(text):
        code = f"U+{ord(found[0]):04X}"
        raise _stop(_line_of(text, found), f"The character {code} cannot be part of a document.")


def _never_opened(text: str) -> str:
    words = "The document begins with a line of three hyphens (---), which opens its front matter."
    later = _CLOSING.search(text)
    return words if later is None else f"{words} Take out what stands above line {_line_of(text, later)}."


def _never_closed(text: str, start: int) -> str:
    words = "The front matter is never closed: a line of three hyphens (---) ends it, and the message follows."
    almost = _ALMOST.search(text, start)
    return words if almost is None else f"{words} Line {_line_of(text, almost)} is not quite one."


def _line_of(text: str, found: re.Match[str]) -> int:
    return text.count("\n", 0, found.start()) + 1


def _stop(line: int, detail: str) -> Faulty:
    return Faulty([Fault(line=line, detail=detail)])
