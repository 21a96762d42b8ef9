"""Joins that are made row by row, whatever PostgreSQL's planner takes a table's size to be.

``cross join events e on …`` says, as it does to SQLite, that for each row before it rows of ``events`` are looked up.
The planner would turn it round, or read the whole of a table that was small when it last looked. So it is given what it
can do in this way alone: a lateral subquery, with an ``offset`` that it cannot see through.
"""

import re
from typing import Final

_JOIN: Final = re.compile(r"\b(cross|left) join (\w+) (\w+) on ")
_WORD: Final = re.compile(r"[()]|\b(?:cross join|left join|where|group by|order by|limit|union)\b")


def row_by_row(text: str) -> str:
    """A statement whose ``cross join … on`` and ``left join … on`` are lookups."""
    while found := _JOIN.search(text):
        kind, table, alias = found.groups()
        end = _end_of_condition(text, found.end())
        condition = text[found.end() : end].rstrip()
        rows = f"select * from {table} {alias} where {condition} offset 0"  # noqa: S608  words of our own statements
        lookup = f"{kind} join lateral ({rows}) {alias}"
        rest = text[found.end() + len(condition) :]
        text = f"{text[: found.start()]}{lookup}{' on true' if kind == 'left' else ''}{rest}"
    return text


def _end_of_condition(text: str, start: int) -> int:
    """Where the condition ends that begins at ``start``: at the next clause, or where its parenthesis is closed."""
    depth = 0
    for found in _WORD.finditer(text, start):
        if found[0] == "(":
            depth += 1
        elif found[0] == ")":
            depth -= 1
        if depth < 0 or (depth == 0 and found[0] not in {"(", ")"}):
            return found.start()
    return len(text)
