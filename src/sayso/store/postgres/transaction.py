"""A transaction of the writer on PostgreSQL."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from types import TracebackType
from typing import Self

from sayso.core.rows import Cell, Row
from sayso.ports import Batch, Clock, Loaded, Wanted
from sayso.store.fences import ConstraintFailed, Fences
from sayso.store.postgres.claims import Claims
from sayso.store.postgres.connection import row_of
from sayso.store.postgres.loading import Loading
from sayso.store.postgres.session import WriterSession
from sayso.store.postgres.statements import named
from sayso.store.postgres.writing import Writing


class PostgresTransaction:
    """One transaction in one shard. With a ``clock`` that one is the store's, else the database's is.

    ``on_moved`` is told of the version of reference data that was committed with it.
    """

    def __init__(
        self,
        session: WriterSession,
        shard: int,
        *,
        claims: Claims,
        clock: Clock | None,
        fences: Fences,
        on_moved: Callable[[int], None],
    ) -> None:
        self._session = session
        self._clock = clock
        self._fences = fences
        self._on_moved = on_moved
        self._moved: int | None = None
        self._is_locked = False
        self._loading = Loading(session, shard, lambda stream, due_at: claims.before(shard, stream, due_at))
        self._writing = Writing(session, shard)

    async def __aenter__(self) -> Self:
        self._session.take()
        try:
            await self._session.begin()
        except BaseException:
            self._session.drop()
            self._session.give_back()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        try:
            if error is None:
                await self._commit()
            else:
                await self._session.rollback()
        finally:
            self._session.give_back()

    async def _commit(self) -> None:
        try:
            await self._session.commit()
        except BaseException:
            self._session.drop()
            raise
        if self._moved is not None:
            self._on_moved(self._moved)

    async def now(self) -> int:
        """The store's clock."""
        if self._clock is not None:
            return self._clock.now()
        rows = await self._session.fetch(named("now"), [])
        return int(rows[0][0])

    async def load(self, wanted: Wanted) -> Loaded:
        """What is wanted, its heads locked in ascending order of their streams."""
        loaded = await self._loading.load(wanted)
        return loaded if self._clock is None else replace(loaded, now=self._clock.now())

    async def write(self, batch: Batch) -> None:
        """All of the batch, a StatementFailed, or Moved where another process was first."""
        try:
            await self._writing.write(batch)
        except ConstraintFailed as error:
            self._fences.held(error)
            raise

    async def query(self, name: str, /, **parameters: Cell) -> Sequence[Row]:
        """The rows of a named query, as this transaction sees them."""
        statement = named(name)
        if "turn" in statement.words:
            await self._take_turn()
        return [row_of(columns) for columns in await self._session.fetch(statement, statement.bind(parameters))]

    async def execute(self, name: str, /, **parameters: Cell) -> None:
        """A named statement on reference data; all processes are told, from the COMMIT on, that it changed, unless it
        is a quiet one. Transactions that change reference data take turns, so its numbers are given in their order."""
        statement = named(name)
        if "reference" not in statement.words:
            raise ValueError(f"{name} is no statement on reference data")
        values = statement.bind(parameters)
        await self._take_turn()
        await self._session.fetch(statement, values)
        if "quiet" not in statement.words:
            self._moved = int((await self._session.fetch(named("move_reference"), []))[0][0])

    async def _take_turn(self) -> None:
        """Wait until nobody else changes reference data: what is read from now on stands until the COMMIT."""
        if not self._is_locked:
            await self._session.fetch(named("lock_reference"), [])
            self._is_locked = True
