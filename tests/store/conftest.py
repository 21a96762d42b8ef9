"""One suite for all stores: each test of behaviour runs on every one of them, with one shard and with four."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from sayso.ports import Batch, Clock, Loaded, Store, Wanted
from sayso.store import SqliteStore, open_store
from sayso.store.postgres.statements import Statement
from sayso.store.postgres.store import PostgresStore, open_postgres
from tests.app.world import TurnedClock
from tests.postgres.databases import Databases
from tests.postgres.fixtures import present
from tests.postgres.pgbouncer import PgBouncer, program
from tests.postgres.servers import PostgresServer
from tests.store.spread import Spread

# Databases of the servers that the tests share, by server and number of shards.
_LENT: dict[tuple[int, int], Databases] = {}

# A kind of store: what opens one, of so many shards, with a clock. Those that are spread put each shard into another.
Maker = Callable[["Places", int, Clock], Awaitable[Store]]


@dataclass
class Places:
    """Where a test's stores may be: in its folder, and in databases that it gives back."""

    folder: Path
    request: pytest.FixtureRequest
    lent: list[tuple[Databases, str]]

    def database(self, server: str, shards: int) -> str:
        """The address of an empty database, of a server that a fixture starts."""
        running: PostgresServer = self.request.getfixturevalue(server)
        databases = _LENT.setdefault((running.port, shards), Databases(running))
        self.lent.append((databases, databases.lend()))
        return self.lent[-1][1]

    def close(self) -> None:
        for databases, url in self.lent:
            databases.give_back(url)


async def _file(places: Places, shards: int, clock: Clock) -> Store:
    return open_store(places.folder, shards=shards, clock=clock)


async def _memory(places: Places, shards: int, clock: Clock) -> Store:
    return SqliteStore(":memory:", shards=shards, clock=clock)


async def _postgres(places: Places, shards: int, clock: Clock) -> Store:
    return await open_postgres(places.database("postgres15", shards), shards=shards, clock=clock)


async def _pooled(places: Places, shards: int, clock: Clock) -> Store:
    url = places.database("postgres15", shards)
    pooler: PgBouncer = places.request.getfixturevalue("pooler")
    return await open_postgres(pooler.url(url.rpartition("/")[2]), shards=shards, direct=url, pooled=True, clock=clock)


async def _files(places: Places, shards: int, clock: Clock) -> Store:
    return Spread([open_store(places.folder / str(n), shards=shards, clock=clock) for n in range(shards)])


async def _databases(places: Places, shards: int, clock: Clock) -> Store:
    return Spread([await _postgres(places, shards, clock) for _ in range(shards)])


MAKERS: dict[str, tuple[Maker, int]] = {
    "file-1": (_file, 1),
    "file-4": (_file, 4),
    "memory-1": (_memory, 1),
    "memory-4": (_memory, 4),
    "files-4": (_files, 4),
    "postgres-1": (_postgres, 1),
    "postgres-4": (_postgres, 4),
    "pooled-4": (_pooled, 4),
    "databases-4": (_databases, 4),
}


@pytest.fixture(scope="session")
def pooler(postgres15: PostgresServer) -> Iterator[PgBouncer]:
    """A pooler in transaction mode with some connections: whose statement goes over which one, nobody knows."""
    present(program(), "pgbouncer is not here: apt-get install pgbouncer")
    with PgBouncer(postgres15) as started:
        yield started


@dataclass
class Stored:
    """A store under test, the shard that the test works in (the last one), and its clock, which tests turn."""

    store: Store
    shard: int
    clock: TurnedClock

    @property
    def fences(self) -> int:
        """How often the last fence of the store held a batch back."""
        parts = self.store.parts if isinstance(self.store, Spread) else [self.store]
        return sum(part.fences for part in parts if isinstance(part, SqliteStore | PostgresStore))

    async def write(self, *batches: Batch) -> None:
        """Commit each batch."""
        for batch in batches:
            async with self.store.transaction(self.shard) as transaction:
                await transaction.write(batch)

    async def load(self, **wanted: Any) -> Loaded:
        """Load, in a transaction of its own."""
        async with self.store.transaction(self.shard) as transaction:
            return await transaction.load(Wanted(**wanted))

    async def rows(self, name: str, /, **parameters: Any) -> list[dict[str, Any]]:
        """The rows of a query of run data."""
        return [dict(row) for row in await self.store.query(name, shard=self.shard, **parameters)]


_SHARDS_IN = " union ".join(
    f"select shard from {table}" for table in ("heads", "events", "definitions", "feeds", "states", "inbox", "members")
)


async def shards_in(part: Store) -> set[int]:
    """The shards whose rows are in a store."""
    if isinstance(part, SqliteStore):
        return {row[0] for row in part._readers.connection().fetch("shards", _SHARDS_IN)}
    assert isinstance(part, PostgresStore)
    looking = Statement(name="shards", words=frozenset(), text=_SHARDS_IN, places=())
    return {row[0] for row in await part._rows(looking, [])}


@pytest.fixture(params=MAKERS)
async def stored(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Stored]:
    """An empty store of each kind."""
    make, shards = MAKERS[request.param]
    clock, places = TurnedClock(0), Places(tmp_path, request, [])
    store = await make(places, shards, clock)
    yield Stored(store, shards - 1, clock)
    if isinstance(store, Spread):
        assert [await shards_in(part) - {n} for n, part in enumerate(store.parts)] == [set()] * shards
    await store.close()
    places.close()
