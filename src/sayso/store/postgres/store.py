"""The store on PostgreSQL: for any number of processes on any number of machines."""

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any

from sayso.core.rows import Columns, Parameter, Row
from sayso.ports import Clock, Due, Transaction
from sayso.store.clock import ForwardClock
from sayso.store.fences import Fences
from sayso.store.migration import Meta, MigrationReport
from sayso.store.postgres import schema
from sayso.store.postgres.claims import Claims
from sayso.store.postgres.clock import DatabaseClock
from sayso.store.postgres.connection import PLANNED_ONCE, Address, part, row_of
from sayso.store.postgres.per_loop import PerLoop
from sayso.store.postgres.readers import Readers
from sayso.store.postgres.session import Faults, WriterSession
from sayso.store.postgres.statements import Statement, named
from sayso.store.postgres.transaction import PostgresTransaction
from sayso.store.postgres.watch import Watch
from sayso.store.queries import queries


def writing_statements() -> tuple[str, ...]:
    """The names of all statements that a transaction may run to write: before and after each lies a fault point."""
    written = (name for name, each in queries("postgres").items() if each.words & {"unit", "reference"})
    return ("begin", *written, "commit", "rollback")


class PostgresStore:
    """A store in a database of PostgreSQL. `open_postgres` makes it.

    Each event loop that uses it has connections of its own: one for the writer's, and some for reads.
    """

    def __init__(
        self,
        address: Address,
        meta: Meta,
        watch: Watch,
        database_clock: DatabaseClock,
        *,
        clock: Clock | None,
        faults: Faults | None,
    ) -> None:
        self.shards = meta.shards
        self.secret = meta.secret
        self._watch = watch
        self._database_clock = database_clock
        self._clock = ForwardClock(clock) if clock else None
        self._fences = Fences()
        self._writers = PerLoop(lambda: WriterSession(lambda: address.connect(PLANNED_ONCE), faults))
        self._readers = PerLoop(lambda: Readers(address.connect))
        self._claims = Claims(self._rows, self._clock)

    @property
    def fences(self) -> int:
        """How often the last fence held a batch back. It should be 0."""
        return self._fences.count

    def transaction(self, shard: int) -> AbstractAsyncContextManager[Transaction]:
        """A transaction for the writer: one at a time."""
        return PostgresTransaction(
            self._writers.here(),
            shard,
            claims=self._claims,
            clock=self._clock,
            fences=self._fences,
            on_moved=self._watch.moved,
        )

    async def query(self, name: str, /, **parameters: Parameter) -> Sequence[Row]:
        """The rows of a named query, as last committed."""
        statement = named(name)
        if statement.words & {"unit", "reference", "rebuild", "aside"}:
            raise ValueError(f"{name} writes, or belongs to a load: only a transaction runs it")
        return [row_of(columns) for columns in await self._rows(statement, statement.bind(parameters))]

    async def _rows(self, statement: Statement, values: Sequence[Any]) -> list[Columns]:
        return await self._readers.here().rows(statement, values)

    async def now(self) -> int:
        """About what the database's clock says, without asking it."""
        return (self._clock or self._database_clock).now()

    async def reference_version(self) -> int:
        """The version as last seen: at most half a second old, and with what this process committed."""
        return self._watch.version

    async def claim(self, shard: int, limit: int) -> Sequence[Due]:
        """Due streams that nobody holds, held for a minute."""
        return await self._claims.claim(shard, limit)

    async def release(self, shard: int, claimed: Sequence[Due]) -> None:
        """Give claimed streams back."""
        await self._claims.release(shard, claimed)

    async def next_due(self, shard: int) -> int | None:
        """When the next stream is due, or the next claim is over."""
        return await self._claims.next_due(shard)

    def tell(self, due_at: int) -> None:
        """Hint to other processes that something is due then."""
        self._watch.tell(due_at)

    async def scrub(self) -> None:
        """Nothing: what was there before goes with a rewrite of its tables, which nobody can use meanwhile."""

    async def close(self) -> None:
        """Close all connections. Idempotent."""
        await self._watch.close()
        await self._readers.close()
        await self._writers.close()


async def open_postgres(
    url: str,
    *,
    shards: int | None = None,
    direct: str | None = None,
    pooled: bool = False,
    clock: Clock | None = None,
    faults: Faults | None = None,
    on_broken: Callable[[], None] = lambda: None,
    heard: Callable[[int], None] = lambda _: None,
) -> PostgresStore:
    """The store at an address. An empty database gets its tables; older ones are refused, until they are migrated.

    ``pooled`` is for a pooler that lends connections for a transaction each: nothing is prepared on them then, and
    ``direct`` is the address behind it, where alone others can be heard. Without a ``clock`` the database's counts.
    """
    address = Address(url, pooled)
    straight = address.direct(direct)
    session = await straight.connect()
    try:
        meta = await schema.prepare(session, straight.shown, shards)
        await schema.refuse_unfinished(session, straight.shown)
        database_clock = DatabaseClock()
        watch = Watch(
            straight.connect,
            meta,
            database_clock,
            listens=not straight.pooled,
            heard=heard,
            on_broken=on_broken,
        )
        await watch.start(session)
    except BaseException:
        await part(session)
        raise
    return PostgresStore(address, meta, watch, database_clock, clock=clock, faults=faults)


async def migrate_postgres(url: str, *, shards: int | None = None, pooled: bool = False) -> MigrationReport:
    """Make the tables of a database, or bring them up to date. Processes of this release and the last may go on."""
    address = Address(url, pooled)
    session = await address.connect(is_patient=True)  # an index of a large table takes its time
    try:
        return await schema.migrate(session, address.shown, shards)
    finally:
        await part(session)


async def postgres_migration_due(url: str, *, pooled: bool = False) -> MigrationReport:
    """What `migrate_postgres` would do. Nothing is changed."""
    address = Address(url, pooled)
    session = await address.connect()
    try:
        meta = await schema.found(session, address.shown)
        return MigrationReport(from_version=meta.schema_version if meta else 0, to_version=len(schema.migrations()))
    finally:
        await part(session)
