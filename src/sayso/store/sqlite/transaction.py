"""A transaction of the writer on SQLite."""

from collections.abc import Sequence
from types import TracebackType
from typing import Self

from sayso.core.rows import Cell, Row
from sayso.ports import Batch, Clock, Loaded, Wanted
from sayso.store.fences import ConstraintFailed, Fences
from sayso.store.sql import Query
from sayso.store.sqlite.connection import Connection
from sayso.store.sqlite.loading import Loading
from sayso.store.sqlite.writing import Writing


class SqliteTransaction:
    """One transaction in one shard, from the lock on the file to COMMIT.

    Its methods run to their end without giving way to other tasks: the writer has a thread for itself, and holding
    the file's lock while something else goes on would serve nobody.
    """

    def __init__(
        self, connection: Connection, queries: dict[str, Query], shard: int, clock: Clock, fences: Fences
    ) -> None:
        self._connection = connection
        self._queries = queries
        self._clock = clock
        self._fences = fences
        self._loading = Loading(connection, queries, shard)
        self._writing = Writing(connection, queries, shard)

    async def __aenter__(self) -> Self:
        if self._connection.in_transaction:
            raise RuntimeError("a transaction is open already: only the writer opens one, and one at a time")
        self._connection.begin()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if error is None:
            self._connection.commit()
        else:
            self._connection.rollback()

    async def now(self) -> int:
        """The store's clock."""
        return self._clock.now()

    async def load(self, wanted: Wanted) -> Loaded:
        """What is wanted. The file's lock was taken with the transaction, so there is none to take here."""
        return self._loading.load(wanted, self._clock.now())

    async def write(self, batch: Batch) -> None:
        """All of the batch, or a StatementFailed."""
        try:
            self._writing.write(batch)
        except ConstraintFailed as error:
            self._fences.held(error)
            raise

    async def query(self, name: str, /, **parameters: Cell) -> Sequence[Row]:
        """The rows of a named query, as this transaction sees them."""
        return self._connection.fetch_named(name, *self._queries[name].bind(parameters))

    async def execute(self, name: str, /, **parameters: Cell) -> None:
        """A named statement on reference data; all processes are told, from the COMMIT on, that it changed, unless it
        is a quiet one."""
        query = self._queries[name]
        if "reference" not in query.words:
            raise ValueError(f"{name} is no statement on reference data")
        self._connection.fetch(name, *query.bind(parameters))
        if "quiet" not in query.words:
            self._connection.fetch("move_reference", self._queries["move_reference"].text())
