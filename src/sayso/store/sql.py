"""SQL texts by name, written once with ``:name`` marks and prepared for a database.

A file of queries holds, for each, one line and its text:

    -- name: due (unit): streams whose time has come
    select ... where shard = :shard

``:streams...`` is a list of values in parentheses and ``:run_ids...2`` a table of rows with the columns ``column1`` and
``column2``. ``{head}`` stands for a part that the reader of the file hands in. A query whose header says ``[sqlite]``
is written for that database alone. Tables that are joined by ``cross join … on`` are read in the order of the text.

Here is what SQLite runs; `sayso.store.postgres.statements` makes of the same pieces what PostgreSQL does.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar

from sayso.core.rows import Cell

T = TypeVar("T")

_HEADER = re.compile(r"-- name: (?P<name>\w+)(?: \[(?P<dialect>\w+)\])?(?: \((?P<words>[\w ,]+)\))?: (?P<purpose>.+)")
_MARK = re.compile(r"'(?:[^']|'')*'|::\w+|:(?P<name>[a-z_]+)(?P<list>\.\.\.)?(?P<width>[2-9])?")


@dataclass(frozen=True)
class Mark:
    """Where a parameter stands in a text; ``width`` is None for one value, else the columns of a list."""

    name: str
    width: int | None = None


@dataclass(frozen=True, kw_only=True)
class Query:
    """A named statement. ``words`` say how it is used: ``big``, ``unit``, ``many``, ``rebuild``, ``reference``."""

    name: str
    purpose: str
    words: frozenset[str]
    pieces: tuple[str | Mark, ...]
    _texts: dict[tuple[int, ...], str] = field(default_factory=dict, compare=False, repr=False)

    @cached_property
    def marks(self) -> tuple[Mark, ...]:
        """The marks in the order of the text; a name that is used twice is there twice."""
        return tuple(piece for piece in self.pieces if isinstance(piece, Mark))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the marks, in the order that a row of values must have."""
        return tuple(mark.name for mark in self.marks)

    @cached_property
    def _taken(self) -> frozenset[str]:
        return frozenset(self.names)

    def text(self, *sizes: int) -> str:
        """The statement with ``?`` marks, for lists of these sizes in the order of their marks."""
        text = self._texts.get(sizes)
        if text is None:
            text = self._texts[sizes] = self._rendered(sizes)
        return text

    def bind(self, parameters: Mapping[str, Any]) -> tuple[str, list[Cell]]:
        """The statement and its values. A parameter too many or too few is an error of the caller."""
        if parameters.keys() != self._taken:
            raise TypeError(f"{self.name} takes {sorted(self._taken)}, not {sorted(parameters)}")
        values: list[Cell] = []
        sizes: list[int] = []
        for mark in self.marks:
            value = parameters[mark.name]
            if mark.width is None:
                values.append(value)
            else:
                rows = padded(value)
                sizes.append(len(rows))
                values.extend(rows if mark.width == 1 else [cell for row in rows for cell in row])
        return self.text(*sizes), values

    def _rendered(self, sizes: tuple[int, ...]) -> str:
        left = iter(sizes)
        return "".join(
            piece if isinstance(piece, str) else "?" if piece.width is None else _list(piece.width, next(left))
            for piece in self.pieces
        )


def padded(values: Sequence[T]) -> Sequence[T]:
    """The values with the last one repeated until their number is a power of two, so that few texts are prepared."""
    missing = (1 << (len(values) - 1).bit_length()) - len(values) if values else 0
    return [*values, *([values[-1]] * missing)] if missing else values


def read_queries(text: str, *, dialect: str, parts: Mapping[str, str]) -> dict[str, Query]:
    """The queries of a file, by name, as far as they are for this database."""
    found: dict[str, Query] = {}
    header: re.Match[str] | None = None
    lines: list[str] = []
    for line in [*text.splitlines(), "-- name: end: of the file"]:
        if not (following := _HEADER.fullmatch(line)):
            lines += [] if line.startswith("--") else [line]
            continue
        if header and header["dialect"] in {None, dialect}:
            found[header["name"]] = _query(header, "\n".join(lines), parts)
        header, lines = following, []
    return found


def _query(header: re.Match[str], body: str, parts: Mapping[str, str]) -> Query:
    for name, part in parts.items():
        body = body.replace("{" + name + "}", part)
    return Query(
        name=header["name"],
        purpose=header["purpose"],
        words=frozenset((header["words"] or "").replace(",", " ").split()),
        pieces=_pieces(body.strip().removesuffix(";")),
    )


def _pieces(body: str) -> tuple[str | Mark, ...]:
    pieces: list[str | Mark] = []
    end = 0
    for found in _MARK.finditer(body):
        if found["name"]:
            width = int(found["width"] or 1) if found["list"] else None
            pieces += [body[end : found.start()], Mark(found["name"], width)]
            end = found.end()
    return (*pieces, body[end:])


def _list(width: int, size: int) -> str:
    if width == 1:
        return f"({', '.join('?' * size)})"
    if not size:
        return f"(select {', '.join(f'null as column{n}' for n in range(1, width + 1))} where false)"
    row = f"({', '.join('?' * width)})"
    return f"(values {', '.join([row] * size)})"
