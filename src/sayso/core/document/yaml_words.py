"""The words for YAML that cannot be read: the line where the mistake probably is, and what to write there.

The parser tells where it gave up, in words of its grammar. An author made one of few mistakes, which the line shows.
"""

import re
from typing import NamedTuple

import yaml

QUOTE_IT = "A template goes in quotes, as in '{{ input.name }}'."
CLOSE_IT = "If the message begins here, the line of three hyphens (---) above it is missing."

_COLON = "A text with a colon in it goes in quotes."
_NO_BLANK = re.compile(r"[ \t]*[\w.-]+:[^\s:/]")
_KEY = re.compile(r"[ \t]*[\w.$'\"-]+[ \t]*:(?:\s|$)|[ \t]*[-{}\[\]#]")
_QUOTE_WITHIN = re.compile(r"'[^']*'[^\s'#,}\]]|\"[^\"]*\"[^\s\"#,}\]]")
_STARTERS = "@`%"


class Unread(NamedTuple):
    """Where reading ended, counted from 0, and words for the author."""

    line: int
    detail: str


def unread(error: yaml.MarkedYAMLError, text: str) -> Unread:
    """What is told of a text that the parser gave up on."""
    mark = error.problem_mark
    assert mark is not None, "the parser says where it gave up"
    if error.context_mark and (mark.index >= len(text) or "expected ':'" in str(error.problem)):
        mark = error.context_mark  # what is never closed, and what is no key, is told of where it begins
    at, words = _guess(str(error.problem), mark, text.split("\n"))
    if not words:
        words = ", ".join(filter(None, (error.problem, error.context))) + "."
    return Unread(at, f"The YAML cannot be read here. {words[0].upper()}{words[1:]}")


def _guess(problem: str, mark: yaml.Mark, lines: list[str]) -> tuple[int, str]:
    """The line of the mistake, and what it probably is; no words where nothing can be guessed."""
    at, line = mark.line, lines[mark.line] if mark.line < len(lines) else ""
    above = lines[at - 1] if at else ""
    if "\t" in line[: len(line) - len(line.lstrip())] or line[mark.column : mark.column + 1] == "\t":
        return at, "Indent with blanks: YAML takes no tab there."
    if line[:1].strip() and not _KEY.match(line):
        return at, f"Each line is a key, a colon and a value. {CLOSE_IT}"
    if "{{" in line or "{%" in line:
        return at, QUOTE_IT
    if "cannot start" in problem and line[mark.column : mark.column + 1] in _STARTERS:
        return at, f"A text that begins with {line[mark.column]} goes in quotes."
    if "mapping values" in problem:
        if line.count(": ") > 1:
            return at, _COLON
        if _NO_BLANK.match(above):
            return at - 1, "A blank is missing after the colon."
        return at, "It is indented further than the line above, which has its value already: indent both alike."
    if "end of stream" in problem:
        return at, "The quote that opens here is never closed."
    if _QUOTE_WITHIN.search(line):
        return at, "A quote within quotes is written twice, as in 'it''s', or the text ends at it."
    return at, _OF_FORM.get(problem, "")


_BRACKETS = "A bracket or a brace that was opened is not closed, or a comma is missing."
_OF_FORM = {
    "did not find expected <document start>": "All fields begin in the same column, the first.",
    "did not find expected ',' or '}'": _BRACKETS,
    "did not find expected ',' or ']'": _BRACKETS,
    "did not find expected key": "A bracket or a quote is closed too often, or it is indented as no key above is.",
}
