"""The ground of SQLite: folders on the repository's own disk, since one for temporary files may lie in memory."""

import os
import shutil
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from bench.ground import OPEN_REQUESTS, Faults, Ground, Place
from bench.limits import sqlite
from bench.measured import Measured
from bench.rounds import Figures
from sayso.ports import Clock, Store
from sayso.settings import Settings
from sayso.store import FILE_NAME, open_store

# The page cache of a connection, and the store has four: the writer's, the serving loop's and two for long lists.
CACHE_MIB = 32.0 * 4
SCRATCH = Path(__file__).parents[1] / ".scratch"


@dataclass(frozen=True, kw_only=True)
class SqlitePlace:
    """A folder with one file."""

    folder: Path

    def settings(self, *, local: bool = False) -> Settings:
        return Settings(data=self.folder, local=local, open_requests=OPEN_REQUESTS)

    @property
    def arguments(self) -> Sequence[str]:
        return ("--data", str(self.folder))

    async def open(self, *, clock: Clock | None = None, faults: Faults | None = None) -> Store:
        return open_store(self.folder, clock=clock, faults=faults)

    async def settle(self) -> None:
        sqlite.fold(self.folder / FILE_NAME)

    async def bytes(self) -> int:
        sqlite.fold(self.folder / FILE_NAME)
        return (self.folder / FILE_NAME).stat().st_size

    async def remove(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)


@dataclass(kw_only=True)
class SqliteGround:
    """Folders below one."""

    scratch: Path
    name: str = "sqlite"
    servers: Sequence[int] = ()
    cache_mib: float = CACHE_MIB
    _made: int = field(default=0, init=False)

    async def place(self) -> Place:
        self._made += 1
        folder = self.scratch / f"store-{self._made}"
        folder.mkdir(parents=True)
        return SqlitePlace(folder=folder)

    async def limit(self, seconds: float) -> Measured:
        return sqlite.commits(self.scratch, seconds, group=sqlite.GROUP).measured

    async def other_limits(self, seconds: float) -> Figures:
        alone = sqlite.commits(self.scratch, seconds, group=1)
        return {"limit/s, alone": alone.measured.rate, "limit alone p50 ms": median(alone.milliseconds)}

    async def flushes(self) -> int:
        raise NotImplementedError("SQLite is no server")

    async def facts(self) -> Mapping[str, str]:
        return sqlite.facts()


@asynccontextmanager
async def ground(_url: str | None) -> AsyncIterator[Ground]:
    """The ground, and nothing left of it afterwards."""
    scratch = SCRATCH / str(os.getpid())
    scratch.mkdir(parents=True)
    try:
        yield SqliteGround(scratch=scratch)
    finally:
        shutil.rmtree(scratch)
