"""The pages of the docs, and what stands in them: fenced blocks and links."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = tuple(sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), ROOT / "tests/cases/README.md"]))

_FENCE = re.compile(r"^(?P<marks>`{3,})(?P<words>[^`\n]*)\n(?P<text>.*?)^(?P=marks)[ \t]*$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(
    r"(?<!!)\[[^\]]*\]\((?P<target>[^)\s]+)\)|<img[^>]* src=\"(?P<image>[^\"]+)\"|!\[[^\]]*\]\((?P<shown>[^)]+)\)"
)
_HEADING = re.compile(r"^#{1,6} +(?P<text>.+?) *$", re.MULTILINE)
_NOT_IN_ANCHORS = re.compile(r"[^\w\- ]")


@dataclass(frozen=True, kw_only=True)
class Block:
    """A fenced block: the words after its opening marks, what it encloses, and the line of its first line."""

    words: tuple[str, ...]
    text: str
    line: int


def name(page: Path) -> str:
    """The page as a reader of a failed test finds it."""
    return page.relative_to(ROOT).as_posix()


def blocks(page: Path) -> list[Block]:
    """The fenced blocks of a page, in order."""
    source = page.read_text(encoding="utf-8")
    return [
        Block(
            words=tuple(found["words"].split()),
            text=found["text"],
            line=source.count("\n", 0, found.start("text")) + 1,
        )
        for found in _FENCE.finditer(source)
    ]


def prose(page: Path) -> str:
    """A page without its fenced blocks."""
    return _FENCE.sub("", page.read_text(encoding="utf-8"))


def targets(page: Path) -> Iterator[str]:
    """Where the links and pictures of a page lead."""
    for found in _LINK.finditer(prose(page)):
        yield found["target"] or found["image"] or found["shown"]


def anchors(page: Path) -> set[str]:
    """What a link may name after ``#``: the headings as forges spell them."""
    return {
        _NOT_IN_ANCHORS.sub("", found["text"].lower()).replace(" ", "-") for found in _HEADING.finditer(prose(page))
    }
