"""The text of a template, judged before the engine reads it.

The engine's reader takes quadratic time on text such as ``{{{{{{`` and on long runs of blanks, it recurses on nested
brackets, and it drops what stands after a second ``else`` in silence. So what reaches it is closed, paired, bounded,
and uses only the tags that templates may use. Every fault has its offset, from which its line is counted.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from sayso.core.bounds import STATEMENT_BRACKETS, STATEMENT_OPERATORS, TEMPLATE_CHARACTERS, TEMPLATE_NAMES
from sayso.core.templates.advice import of_tag
from sayso.core.templates.rendering import brief

BLOCKS = frozenset({"case", "comment", "for", "if", "tablerow", "unless"})
_PLAIN_TAGS = frozenset({"#", "assign", "break", "continue", "cycle", "decrement", "echo", "increment", "liquid"})
TAGS = BLOCKS | _PLAIN_TAGS  # and raw, which is read before any tag is
_BRANCHES = {"else": ("if", "unless", "case", "for"), "elsif": ("if", "unless"), "when": ("case",)}
_LOOPS = frozenset({"for", "tablerow"})

_OPENING = re.compile(r"\{[{%]")
_RAW = re.compile(r"\{%-?\s*raw\s*-?%\}")
_END_OF_RAW = re.compile(r"\{%-?\s*endraw\s*-?%\}")
_TAG = re.compile(r"\{%-?\s*(#|\w+)?")
_BLANKS = re.compile(r"\s{200}")
_LINE = re.compile(r"[ \t]*(#|\w+)([^\n]*)")

_NEVER_CLOSED = {
    "raw": "The raw tag is never closed by endraw.",
    "{{": "{{ is never closed. Write }} after what it reads.",
    "{%": "{% is never closed. Write %} at its end.",
}

_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'")
_NAME = re.compile(r"\w+")
_OPERATOR = re.compile(r"[=!<>]{1,2}|\b(?:and|or|contains)\b")


class Slip(NamedTuple):
    """A fault of a template, at an offset in its text."""

    offset: int
    detail: str


@dataclass(frozen=True)
class Statement:
    """One ``{{ … }}`` or ``{% … %}``, or one line of a liquid tag. ``tag`` is empty for an output."""

    start: int
    text: str
    tag: str
    code: str


def statements(source: str) -> list[Statement]:
    """What of a template the engine would read. Stops at what is never closed, which `slips` tells of."""
    found, _ = _scan(source)
    return list(_outside_comments(found))


def slips(source: str) -> list[Slip]:
    """What is wrong with the form of a template, whatever its names and expressions are."""
    if len(source) > TEMPLATE_CHARACTERS:
        return [Slip(0, f"A template takes at most {TEMPLATE_CHARACTERS:,} characters.")]
    found, unclosed = _scan(source)
    if unclosed is not None:
        return [unclosed]
    live = list(_outside_comments(found))
    return [*_pairs(found), *_bounds(live)]


def count_names(source: str) -> int:
    """How many names, filters and keywords a template has: what it costs the engine to read, and so is bounded."""
    return sum(_count_names(statement) for statement in statements(source))


def _count_names(statement: Statement) -> int:
    return max(1, len(_NAME.findall(_QUOTED.sub("", statement.code))))


def _scan(source: str) -> tuple[list[Statement], Slip | None]:
    found: list[Statement] = []
    position = 0
    while opening := _OPENING.search(source, position):
        start = opening.start()
        raw = _RAW.match(source, start)
        closing = "}}" if opening[0] == "{{" else "%}"
        end = _end_of_raw(source, raw) if raw else source.find(closing, start + 2) + 2
        if end < start + 2:
            return found, Slip(start, _NEVER_CLOSED["raw" if raw else opening[0]])
        if not raw and (blanks := _BLANKS.search(source, start, end)):
            return found, Slip(blanks.start(), "So many blanks in a row stand in no expression.")
        if not raw:
            found += _statements(source[start:end], start)
        position = end
    return found, None


def _end_of_raw(source: str, raw: re.Match[str]) -> int:
    end = _END_OF_RAW.search(source, raw.end())
    return end.end() if end else -1


def _statements(text: str, start: int) -> Iterator[Statement]:
    if text.startswith("{{"):
        yield Statement(start, text, "", text[2:-2])
        return
    tag = _TAG.match(text)
    assert tag is not None, "it begins with the opening of a tag"
    code = text[tag.end() : -2]
    yield Statement(start, text, tag[1] or "", "" if tag[1] == "liquid" else code)
    if tag[1] == "liquid":
        for line in _LINE.finditer(code):
            yield Statement(start + tag.end() + line.start(1), f"{{% {line[0].strip()} %}}", line[1], line[2])


def _outside_comments(found: list[Statement]) -> Iterator[Statement]:
    depth = 0
    for statement in found:
        depth -= statement.tag == "endcomment"
        if depth <= 0 and statement.tag != "#":
            yield statement
        depth += statement.tag == "comment"


@dataclass
class _Open:
    """A block that is open: its tag, where it began, and whether its else was seen."""

    tag: str
    start: int
    had_else: bool = False


def _pairs(found: list[Statement]) -> Iterator[Slip]:
    """Tags that do not exist, and blocks and branches that do not fit together."""
    opened: list[_Open] = []
    crossed = False
    for statement in found:
        tag = statement.tag
        if opened and opened[-1].tag == "comment" and tag not in ("comment", "endcomment"):
            continue
        if statement.text.startswith("{%"):
            detail = _misfit(tag, opened) or _condition_of_else(statement)
            if detail:
                crossed = crossed or tag[3:] in BLOCKS
                yield Slip(statement.start, detail)
            elif tag in BLOCKS:
                opened.append(_Open(tag, statement.start))
            elif tag.startswith("end"):
                opened.pop()
    for block in opened if not crossed else ():  # a wrong end leaves blocks open, and says enough
        yield Slip(
            block.start, f"The {block.tag} tag is never closed. Write {{% end{block.tag} %}} after what it holds."
        )


def _condition_of_else(statement: Statement) -> str | None:
    """An else takes none. The engine would pass over it in silence, and take what it guards for everything else."""
    if statement.tag == "else" and statement.code.strip(" \t\r\n-"):
        return "else takes no condition. Write elsif."
    return None


def _misfit(tag: str, opened: list[_Open]) -> str | None:
    inner = opened[-1] if opened else _Open("", 0)
    if tag in _BRANCHES:
        if inner.tag not in _BRANCHES[tag]:
            return f"{tag} stands in no block that takes it."
        if inner.had_else and inner.tag != "case":
            return f"{tag} comes after the else of its {inner.tag}."
        inner.had_else = tag == "else"
        return None
    if tag.startswith("end") and tag[3:] in BLOCKS:
        return None if inner.tag == tag[3:] else f"{tag} closes no {tag[3:]} here."
    if tag in ("break", "continue") and not any(block.tag in _LOOPS for block in opened):
        return f"{tag} stands outside of any loop."
    if tag in TAGS:
        return None
    advice = of_tag(tag) or f"Those that may be used: raw, {', '.join(sorted(TAGS))}."
    return f"There is no tag {brief(tag)!r}. {advice}"


def _bounds(live: list[Statement]) -> Iterator[Slip]:
    names = 0
    for statement in live:
        code = _QUOTED.sub("", statement.code)
        before, names = names, names + _count_names(statement)
        if before <= TEMPLATE_NAMES < names:
            yield Slip(statement.start, f"A template takes at most {TEMPLATE_NAMES:,} names, filters and keywords.")
        if len(_OPERATOR.findall(code)) > STATEMENT_OPERATORS:
            yield Slip(statement.start, f"A condition takes at most {STATEMENT_OPERATORS} operators.")
        if code.count("[") + code.count("(") > STATEMENT_BRACKETS:
            yield Slip(statement.start, f"An expression takes at most {STATEMENT_BRACKETS} brackets.")
        if statement.text.startswith("{{") and not statement.code.strip(" \t\n-"):
            yield Slip(statement.start, "There is nothing between {{ and }}.")
