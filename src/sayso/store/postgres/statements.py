"""Named statements as PostgreSQL takes them: each parameter once, with a number and a type.

A statement of ``many`` rows is run once for all of them: its parameters but ``:shard`` are arrays, a column each, and
``values (...)`` is a table of those.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, Final

from sayso.store.postgres.joins import row_by_row
from sayso.store.postgres.types import BOUND, type_of
from sayso.store.queries import queries
from sayso.store.sql import Mark, Query

_ROWS: Final = re.compile(r"values \(\s*(\$\d+::\w+), ")
_IN_LIST: Final = re.compile(r"\bin $")


@dataclass(frozen=True, kw_only=True)
class Statement:
    """A named statement and the places of its parameters: ``(name, column)``, the column of a list of rows or None."""

    name: str
    words: frozenset[str]
    text: str
    places: tuple[tuple[str, int | None], ...]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the parameters, in their order; of a list of rows once a column."""
        return tuple(name for name, _ in self.places)

    def bind(self, parameters: Mapping[str, Any]) -> list[Any]:
        """The values in their order. A parameter too many or too few is an error of the caller."""
        if parameters.keys() != set(self.names):
            raise TypeError(f"{self.name} takes {sorted(set(self.names))}, not {sorted(parameters)}")
        return [
            parameters[name] if column is None else [row[column] for row in parameters[name]]
            for name, column in self.places
        ]


@cache
def named(name: str) -> Statement:
    """The statement of a name."""
    return numbered(queries("postgres")[name])


def numbered(query: Query) -> Statement:
    """A query with its parameters numbered."""
    places: dict[tuple[str, int | None], int] = {}
    text = ""
    for piece in query.pieces:
        if isinstance(piece, str):
            text += piece
        else:
            text = _IN_LIST.sub("= any", text) if piece.width == 1 else text
            text += _marked(query, piece, places)
    if "many" in query.words:
        text = _ROWS.sub(r"select \1, unnest.* from unnest(", text)
    return Statement(name=query.name, words=query.words, text=row_by_row(text), places=tuple(places))


def _marked(query: Query, mark: Mark, places: dict[tuple[str, int | None], int]) -> str:
    def number(column: int | None, kind: str) -> str:
        return f"${places.setdefault((mark.name, column), len(places) + 1)}::{kind}"

    kind = type_of(query.name, mark.name)
    if mark.width is None:
        is_column = "many" in query.words and mark.name not in BOUND
        return number(None, f"{kind}[]" if is_column else kind)
    if mark.width == 1:
        return f"({number(None, f'{kind}[]')})"
    columns = ", ".join(number(column, f"{each}[]") for column, each in enumerate(kind.split()))
    names = ", ".join(f"column{n}" for n in range(1, mark.width + 1))
    return f"(select * from unnest({columns}) as t({names}))"  # noqa: S608  marks and types of our own
