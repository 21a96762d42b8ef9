"""Where stores are made: fresh places on a disk or a database server, and what there is to know of them."""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Protocol

from bench.measured import Measured
from bench.rounds import Figures
from sayso.ports import Clock, Store
from sayso.settings import Settings

# As many as an operator may allow: benchmarks fill playbooks further than the seed's 10,000.
OPEN_REQUESTS = 1_000_000

Faults = Callable[[str], None]


class Place(Protocol):
    """A place for one store, empty at first."""

    def settings(self, *, local: bool = False) -> Settings:
        """The settings of a process that serves the store."""

    @property
    def arguments(self) -> Sequence[str]:
        """The same for the command line."""

    async def open(self, *, clock: Clock | None = None, faults: Faults | None = None) -> Store:
        """The store, for the loop that asks."""

    async def settle(self) -> None:
        """Let the database do what it puts off, so that it is not in the way of what is measured next."""

    async def bytes(self) -> int:
        """How much it takes on the disk, once everything was written where it belongs."""

    async def remove(self) -> None:
        """Leave nothing behind."""


class Ground(Protocol):
    """Makes places.

    ``servers`` are the processes, beside our own, that work for a store there; ``cache_mib`` is how much of the
    database the process that serves it is set to keep in memory.
    """

    name: str
    servers: Sequence[int]
    cache_mib: float

    async def place(self) -> Place:
        """A new one."""

    async def limit(self, seconds: float) -> Measured:
        """The most that the database can take, two rows a wait, durably: what ratios are taken of."""

    async def other_limits(self, seconds: float) -> Figures:
        """The same in other ways, to be shown beside it."""

    async def flushes(self) -> int:
        """How often the servers have flushed their log to the disk so far."""

    async def facts(self) -> Mapping[str, str]:
        """The database's version and the settings that its speed hangs on."""


@asynccontextmanager
async def fresh(ground: Ground) -> AsyncIterator[Place]:
    """A new place, removed at the end."""
    place = await ground.place()
    try:
        yield place
    finally:
        await place.remove()
