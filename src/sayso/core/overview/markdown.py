"""Markdown of words that are not ours: no heading, markup or section of an overview comes from them."""

import re
from collections.abc import Iterable, Iterator

# What has a meaning within a line. An underscore between letters, < or & where they begin nothing, and ] where nothing
# behind it makes a link have none. The [ of a link may be one of ours.
_INLINE = re.compile(r"[\\`*\[~]|(?<![^\W_])_|_(?![^\W_])|<(?=[A-Za-z/!?]|\Z)|&(?=#?\w+;)|\](?=[(\[:])")
# What a backslash undid already; and HTML and links. A < at the end of a text may begin a tag with the next.
_UNDONE = re.compile(r"\\.|<(?=[A-Za-z/!?]|\Z)|\](?=[(\[:])", re.DOTALL)
# What steers a terminal, and what turns the text behind it round. Line ends and other blanks are none of these.
_UNSEEN = re.compile(r"[\x00-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f\u202a-\u202e\u2066-\u2069]")

# What makes another block than a paragraph of a line. A list of words is let through: it is what it looks like.
_BLOCK = re.compile(r"#{1,6}(?!\S)|[=>|\[]|[-:][-: \t]*\||`{3}|~{3}|(?:[-*_=][ \t]*)+$|(?![-+*] [^\W\d_])[-+*](?!\S)")
_NUMBERED = re.compile(r"^([0-9]{1,9})([.)])(?! [^\W\d_])(?!\S)")

_MORE = "and more, which the document says"


def plain(text: str, characters: int) -> str:
    """The text on one line, as it reads: nothing in it has a meaning. It is cut past so many characters."""
    return inline(cut(" ".join(text.split()), characters))


def inline(text: str) -> str:
    """The text as it reads within a line, whose blanks are kept."""
    return _INLINE.sub(r"\\\g<0>", " ".join(seen(text).splitlines()))


def seen(text: str) -> str:
    """The text with a mark in the place of each character that nobody sees and that changes how others look."""
    return _UNSEEN.sub("\N{REPLACEMENT CHARACTER}", text)


def cut(text: str, characters: int) -> str:
    """The text, with an ellipsis where it is longer than this."""
    return text if len(text) <= characters else f"{text[:characters]}…"


def bold(name: str) -> str:
    """A name in bold, whatever characters it has."""
    return f"**{plain(name, 80) or '(no name)'}**"


def code(text: str) -> str:
    """A text as it is written, on one line and cut where it is long."""
    shown = cut(" ".join(seen(text).split()), 120)
    fence = "`" * (max(map(len, re.findall("`+", shown)), default=0) + 1)
    room = " " if "`" in shown else ""
    return f"{fence}{room}{shown}{room}{fence}"


def line_of(text: str) -> str:
    """One line, as the beginning of a block: it begins no heading, nor any other block than a paragraph or a list."""
    return f"\\{text}" if _BLOCK.match(text) else _NUMBERED.sub(r"\1\\\2", text)


def calm(text: str) -> str:
    """Paragraphs that stay paragraphs: their emphasis is kept, but no line begins another block, and none is HTML."""
    return "\n".join(harmless(line_of(line.strip())) for line in text.strip().splitlines())


def harmless(text: str) -> str:
    """Markdown in which what could be HTML is text, and so are links and images: they show where they lead."""
    return _UNDONE.sub(lambda found: found[0] if found[0][0] == "\\" else f"\\{found[0]}", seen(text))


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
