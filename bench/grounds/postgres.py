"""The ground of PostgreSQL: databases of one server, ours for as long as the benchmark runs or one that is named."""

import asyncio
import itertools
import tempfile
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from bench.ground import OPEN_REQUESTS, Faults, Ground, Place
from bench.limits import postgres
from bench.measured import Measured
from bench.rounds import Figures
from sayso.ports import Clock, Store
from sayso.settings import Settings
from tests.postgres.servers import PostgresServer

# As Debian sets a server up, but for the log: a checkpoint in the middle of a round would be its noise.
SETTINGS = {"shared_buffers": "128MB", "max_wal_size": "4GB", "max_connections": "200"}
# The server's processes tell what they counted within a second.
TOLD_AFTER_S = 1.2
COUNTED_AS_IO = 180_000
_FLUSHES = "select sum(fsyncs) from pg_stat_io where object = 'wal'"
_FLUSHES_BEFORE = "select wal_sync from pg_stat_wal"
# All that run data and its indexes take, partitions too.
_BYTES = """
select sum(pg_total_relation_size(oid)) from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
"""


@dataclass(frozen=True, kw_only=True)
class PostgresPlace:
    """One database."""

    server: str
    name: str

    @property
    def url(self) -> str:
        """Its address."""
        return _beside(self.server, self.name)

    def settings(self, *, local: bool = False) -> Settings:
        return Settings(database=self.url, local=local, open_requests=OPEN_REQUESTS)

    @property
    def arguments(self) -> Sequence[str]:
        return ("--database", self.url)

    async def open(self, *, clock: Clock | None = None, faults: Faults | None = None) -> Store:
        from sayso.store.postgres.store import open_postgres

        return await open_postgres(self.url, clock=clock, faults=faults)

    async def settle(self) -> None:
        postgres.sql(self.url, "vacuum (analyze)")
        postgres.sql(self.url, "checkpoint")

    async def bytes(self) -> int:
        return int(postgres.sql(self.url, _BYTES)[0][0])

    async def remove(self) -> None:
        postgres.sql(self.server, f"drop database {self.name} with (force)")


@dataclass(kw_only=True)
class PostgresGround:
    """Databases of the server of a URL, which names a superuser: only one may ask for the number of its process."""

    url: str
    script: Path
    name: str = "postgres"
    cache_mib: float = 0.0
    servers: Sequence[int] = field(init=False)
    _limit: str = field(init=False)
    _numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1), init=False)

    def __post_init__(self) -> None:
        self.servers = [int(postgres.sql(self.url, "select pg_read_file('postmaster.pid')")[0][0])]
        self._limit = self._made("limit").url
        postgres.sql(self._limit, postgres.TABLES)

    async def place(self) -> Place:
        return self._made(str(next(self._numbers)))

    def _made(self, name: str) -> PostgresPlace:
        place = PostgresPlace(server=self.url, name=f"sayso_bench_{name}")
        postgres.sql(self.url, f"drop database if exists {place.name} with (force)")
        postgres.sql(self.url, f"create database {place.name}")
        return place

    async def limit(self, seconds: float) -> Measured:
        return postgres.waits(self._limit, seconds, postgres.CLIENTS, self.servers, self.script)

    async def other_limits(self, seconds: float) -> Figures:
        return {
            f"limit/s, {clients} clients": postgres.waits(self._limit, seconds, clients, self.servers, self.script).rate
            for clients in postgres.OTHER_CLIENTS
        }

    async def flushes(self) -> int:
        await asyncio.sleep(TOLD_AFTER_S)
        version = int(postgres.sql(self.url, "show server_version_num")[0][0])
        return int(postgres.sql(self.url, _FLUSHES if version >= COUNTED_AS_IO else _FLUSHES_BEFORE)[0][0])

    async def facts(self) -> Mapping[str, str]:
        return postgres.facts(self.url)

    def close(self) -> None:
        """Drop what was made for the limit."""
        postgres.sql(self.url, "drop database if exists sayso_bench_limit with (force)")


@asynccontextmanager
async def ground(url: str | None) -> AsyncIterator[Ground]:
    """The ground of the server that a URL names, else of one that is started and gone afterwards."""
    if url is None:
        with PostgresServer(postgres.programs(), **SETTINGS) as server:
            async with ground(server.url()) as made:
                yield made
        return
    with tempfile.TemporaryDirectory() as folder:
        made = PostgresGround(url=url, script=Path(folder) / "wait.sql")
        try:
            yield made
        finally:
            made.close()


def _beside(url: str, name: str) -> str:
    """The address of another database of the same server."""
    return f"{url.rpartition('/')[0]}/{name}"
