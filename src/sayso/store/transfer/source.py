"""The store that is left: a SQLite file, which nobody writes meanwhile."""

from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from sayso.core.rows import Columns
from sayso.store.sqlite.connection import Connection, Faults
from sayso.store.sqlite.schema import prepare
from sayso.store.transfer.table import Key, Origin, Table

_TABLES = """
select name from sqlite_schema where type = 'table' and name not like 'sqlite%' and name <> 'meta' order by rowid
"""
_COLUMNS = "select name, pk from pragma_table_info(?) order by cid"


class SqliteSource:
    """All rows of a store's file. Its write lock is held as long as it is open, so what is read is of one moment."""

    def __init__(self, path: Path, *, now: int, faults: Faults | None = None) -> None:
        self._connection = Connection(f"{path.absolute().as_uri()}?mode=rw", busy_seconds=5.0, faults=faults)
        try:
            prepare(self._connection, path=str(path), shards=None, now=now)
            self._connection.begin()
            self.origin = self._origin()
            self.tables = [self._table(row[0]) for row in self._connection.fetch("tables", _TABLES)]
        except BaseException:
            self._connection.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._connection.close()

    def _origin(self) -> Origin:
        row = self._connection.fetch("meta", "select shards, secret, reference_version, created_at from meta")[0]
        return Origin(shards=row[0], secret=row[1], reference_version=row[2], created_at=row[3])

    def _table(self, name: str) -> Table:
        rows = self._connection.fetch("columns", _COLUMNS, (name,))
        key = sorted((place, column) for column, place in rows if place)
        return Table(name=name, columns=[column for column, _ in rows], key=[column for _, column in key])

    def count(self, table: Table) -> int:
        """How many rows a table has."""
        return int(self._connection.fetch("count", f"select count(*) from {table.name}")[0][0])  # noqa: S608  our own name

    def oldest(self) -> int | None:
        """When the first stream that has events was made, in microseconds: its id begins with the milliseconds."""
        first = self._connection.fetch("oldest", "select min(stream) from events")[0][0]
        return None if first is None else int.from_bytes(first[:6]) * 1_000

    def page(self, table: Table, after: Key | None, limit: int) -> Sequence[Columns]:
        """The rows after a key, in the order of keys."""
        return self._connection.fetch(f"page {table.name}", table.page("?" * len(after or ()), limit), after or ())
