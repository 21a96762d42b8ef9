"""The words for YAML that cannot be read: the line where the mistake probably is, and what to write there.

The parser tells where it gave up, in words of its grammar. An author made one of few mistakes, which the line shows.
"""

import re
from typing import NamedTuple

import yaml

QUOTE_IT = "A template goes in quotes, as in '{{ input.name }}'."
CLOSE_IT = "If the message begins here, the line of three hyphens (---) above it is missing."
PLAIN_BLANK = "A blank here is of another kind, such as a no-break space: type it anew."

# What looks like a blank and is none to YAML.
ODD_BLANKS = "\u00a0\u1680\u2000-\u200b\u202f\u205f\u2060\u3000\ufeff"

_IN_TEXT = "a bracket in a text"
_COLON = "A text with a colon in it goes in quotes."
_ODD = re.compile(rf"[ \t]*(?:[\w.-]+:[ \t]*)?[{ODD_BLANKS}]")
_NO_BLANK = re.compile(r"[ \t]*[A-Za-z_][\w.-]*:[^\s:/]")
_NO_COLON = re.compile(r"[ \t]*[A-Za-z_][\w.-]*[ \t]*(?:=[^=]|\uff1a)")
_KEY = re.compile(r"[ \t]*[\w.$'\"-]+[ \t]*:(?:\s|$)|[ \t]*[-{}\[\]#]")
_VALUE = re.compile(r"[ \t]*(?:- +)?[\w.$-]+:[ \t]+(\S.*)")
_CLOSED = {"'": re.compile(r"'(?:[^']|'')*'"), '"': re.compile(r'"(?:[^"\\]|\\.)*"')}
_ENDS = re.compile(r"[ \t]*(?:#.*|[,}\]].*)?")
_STARTERS = frozenset("@`%*&!|>[]{}-?,#:")


class Unread(NamedTuple):
    """Where reading ended, counted from 0, and words for the author."""

    line: int
    detail: str


def unread(error: yaml.MarkedYAMLError, text: str) -> Unread:
    """What is told of a text that the parser gave up on."""
    mark, problem, lines = error.problem_mark, str(error.problem), text.split("\n")
    assert mark is not None, "the parser says where it gave up"
    if error.context_mark and (mark.index >= len(text) or "expected ':'" in problem):
        mark = error.context_mark  # what is never closed, and what is no key, is told of where it begins
    elif error.context_mark and "did not find expected ','" in problem:
        if _is_in_text(lines[mark.line], mark.column):
            problem = _IN_TEXT
        else:
            mark = _of_bracket(error.context_mark, mark, lines)
    found = _guess(problem, mark.line, mark.column, lines)
    if found is None:
        words = ", ".join(filter(None, (problem, error.context)))
        return Unread(mark.line, f"This line cannot be read as YAML: {words}.")
    return Unread(found.line, f"This line cannot be read. {found.detail}")


def _of_bracket(opening: yaml.Mark, mark: yaml.Mark, lines: list[str]) -> yaml.Mark:
    """Where a bracket opens, if more stands behind it: who writes one on a line of its own goes on below."""
    is_alone = lines[opening.line][opening.column :].strip() in ("{", "[")
    return mark if is_alone else opening


def _is_in_text(line: str, column: int) -> bool:
    """Whether it is a bracket of a text without quotes that could not be read, or what follows one in such a text."""
    before, there = line[:column], line[column : column + 1]
    if before[-1:] in ("]", "}"):
        return there not in ("", " ")
    return there in ("[", "]", "{", "}") and before.rstrip()[-1:] not in (*",:[]{}", "")


def _guess(problem: str, at: int, column: int, lines: list[str]) -> Unread | None:
    """The line of the mistake, and what it probably is; None where nothing can be guessed."""
    opened = _never_closed(lines, at)
    if opened is not None:
        return Unread(opened, "The quote that opens here is not closed.")
    for number in (at, at - 1):
        if number >= 0 and (words := _of_field(lines[number])):
            return Unread(number, words)
    line, above = lines[at], lines[at - 1] if at else ""
    words = _of_tab(line, column) or _of_text(line, problem)
    if not words and "mapping values" in problem:
        words = _COLON if line.count(": ") > 1 else _of_column(line, above)
    if not words and "expected key" in problem and column == _indent(line):
        words = _of_column(line, above)
    words = words or _of_start(line, column, problem) or _OF_FORM.get(problem, "")
    return Unread(at, words) if words else None


def _never_closed(lines: list[str], at: int) -> int | None:
    """The line of the first text whose quote is not closed in it, nor at the end of a later one."""
    for number, line in enumerate(lines[: at + 1]):
        value = _value(line)
        if value[:1] in _CLOSED and not _CLOSED[value[0]].match(value):
            below = map(lines.__getitem__, range(number + 1, len(lines)))
            later = next((one for one in below if value[0] in one), None)
            if later is None or not _ENDS.fullmatch(later[later.index(value[0]) + 1 :]):
                return number
    return None


def _of_field(line: str) -> str:
    """What is wrong with how a field begins."""
    if _ODD.match(line):
        return PLAIN_BLANK
    if _NO_BLANK.match(line):
        return "A blank is missing after the colon."
    return "After the name of a field comes a colon and a blank, as in expires: P2D." if _NO_COLON.match(line) else ""


def _of_tab(line: str, column: int) -> str:
    is_tab = "\t" in line[: len(line) - len(line.lstrip())] or line[column : column + 1] == "\t"
    return "Indent with blanks: no tab is taken there." if is_tab else ""


def _of_text(line: str, problem: str) -> str:
    """What is wrong with a text that is no key, has no quotes, or has more of them than it seems."""
    value = _value(line)
    if line[:1].strip() and not _KEY.match(line):
        return f"Each line is a key, a colon and a value. {CLOSE_IT}"
    if value[:1] in _CLOSED and (closed := _CLOSED[value[0]].match(value)) and not _ENDS.fullmatch(value, closed.end()):
        return "The text ends at its second quote. Put the other kind of quotes around all of it."
    if "{{" in line or "{%" in line:
        return QUOTE_IT
    if "escape character" in problem:
        return "In double quotes a backslash begins an escape: put single quotes around the text."
    return ""


def _of_start(line: str, column: int, problem: str) -> str:
    """What begins with a character that means something to YAML."""
    value, there = _value(line), line[column : column + 1]
    if "node content" in problem or "cannot start" in problem:
        value = there
    if (
        not value
        or value[0] not in _STARTERS
        or (value[0] in "[{" and ("expected key" not in problem or _is_over(line)))
    ):
        return ""
    return f"A text that begins with {value[0]} goes in quotes."


def _of_column(line: str, above: str) -> str:
    """What begins in a column where nothing can."""
    if _indent(line) > _indent(above):
        return "It is indented further than the line above, which has its value already: indent both alike."
    return "It begins in another column than the lines that it belongs with: indent them all alike."


def _is_over(line: str) -> bool:
    """Whether a line closes more than it opens."""
    return sum(map(line.count, "}]")) > sum(map(line.count, "{["))


def _value(line: str) -> str:
    found = _VALUE.match(line)
    return found[1] if found else ""


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


_BRACKETS = "A bracket or a brace that opens here is not closed, or a comma is missing."
_OF_FORM = {
    _IN_TEXT: "A text with a bracket or a brace in it goes in quotes, as in pattern: '^[a-z]+$'.",
    "did not find expected <document start>": "All fields begin in the same column, the first.",
    "did not find expected ',' or '}'": _BRACKETS,
    "did not find expected ',' or ']'": _BRACKETS,
    "did not find expected key": "A bracket or a brace is closed that was not opened.",
}
