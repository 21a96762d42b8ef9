"""Markdown of words that are not ours: no heading, markup or section of an overview comes from them."""

import re
from collections.abc import Iterable, Iterator

# What has a meaning within a line. An underscore between letters, and < or & where they begin nothing, have none.
_INLINE = re.compile(r"[\\`*\[~]|(?<![^\W_])_|_(?![^\W_])|<(?=[A-Za-z/!?]|\Z)|&(?=#?\w+;)")
# At the end of a text the rest may follow in the next.
_TAG = re.compile(r"<(?=[A-Za-z/!?]|\Z)")

# What makes another block than a paragraph of a line. A list of words is let through: it is what it looks like.
_BLOCK = re.compile(r"#{1,6}(?!\S)|[=>|\[]|`{3}|~{3}|(?:[-*_=][ \t]*)+$|(?![-+*] [^\W\d_])[-+*](?!\S)")
_NUMBERED = re.compile(r"^([0-9]{1,9})([.)])(?! [^\W\d_])(?!\S)")

_MORE = "and more, which the document says"


def plain(text: str, characters: int) -> str:
    """The text on one line, as it reads: nothing in it has a meaning. It is cut past so many characters."""
    return inline(cut(" ".join(text.split()), characters))


def inline(text: str) -> str:
    """The text as it reads within a line, whose blanks are kept."""
    return _INLINE.sub(r"\\\g<0>", " ".join(text.splitlines()))


def cut(text: str, characters: int) -> str:
    """The text, with an ellipsis where it is longer than this."""
    return text if len(text) <= characters else f"{text[:characters]}…"


def bold(name: str) -> str:
    """A name in bold, whatever characters it has."""
    return f"**{plain(name, 80) or '(no name)'}**"


def code(text: str) -> str:
    """A text as it is written, on one line and cut where it is long."""
    shown = cut(" ".join(text.split()), 120)
    fence = "`" * (max(map(len, re.findall("`+", shown)), default=0) + 1)
    room = " " if "`" in shown else ""
    return f"{fence}{room}{shown}{room}{fence}"


def line_of(text: str) -> str:
    """One line, as the beginning of a block: it begins no heading, nor any other block than a paragraph or a list."""
    return f"\\{text}" if _BLOCK.match(text) else _NUMBERED.sub(r"\1\\\2", text)


def calm(text: str) -> str:
    """Paragraphs that stay paragraphs: their emphasis is kept, but no line begins another block, and none is HTML."""
    return "\n".join(without_tags(line_of(line.strip())) for line in text.strip().splitlines())


def without_tags(text: str) -> str:
    """Markdown in which what could be HTML is text."""
    return _TAG.sub(r"\\<", text)


def quote(text: str) -> str:
    """Markdown as a block quote, which none of its lines leaves."""
    return "\n".join(f"> {line}".rstrip() for line in text.strip("\n").splitlines())


def within(lines: Iterable[str], limit: int) -> Iterator[str]:
    """The lines that have room in so many bytes, and then that there are more. No line past them is made."""
    for line in lines:
        limit -= len(line.encode()) + 1
        if limit < 0:
            yield f"- {_MORE}"
            return
        yield line
