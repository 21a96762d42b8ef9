"""What is moved: tables, of which all rows are, and what a store says of itself."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sayso.core.rows import Columns

# The values of a row's primary key, by which rows are in one order in both stores.
Key = tuple[Any, ...]


@dataclass(frozen=True, kw_only=True)
class Table:
    """A table: its columns, and those of its primary key, in the order of that."""

    name: str
    columns: Sequence[str]
    key: Sequence[str]

    def page(self, marks: Sequence[str], limit: int) -> str:
        """The statement that reads rows in the order of keys: those after a key, where there are marks for it."""
        key = ", ".join(self.key)
        where = f"where ({key}) > ({', '.join(marks)}) " if marks else ""
        return f"select {', '.join(self.columns)} from {self.name} {where}order by {key} limit {limit}"  # noqa: S608  our own names

    def key_of(self, row: Columns) -> Key:
        """The key of a row with all columns."""
        return tuple(row[self.columns.index(name)] for name in self.key)


@dataclass(frozen=True, kw_only=True)
class Origin:
    """What the new store takes over beside the rows: with the secret, cursors that were signed before still work."""

    shards: int
    secret: bytes
    reference_version: int
    created_at: int
