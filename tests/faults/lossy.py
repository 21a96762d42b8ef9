"""The stories on a database whose connections are lost: whoever hears "unavailable" sends the step again."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from sayso import compose
from sayso.app.units.queue import Lane
from sayso.app.units.unit import Result, Unit
from sayso.app.units.writer import Writer
from sayso.core.heads import CLAIM_US
from sayso.errors import Problem, Reason
from sayso.ports import StoreError
from sayso.settings import Settings
from sayso.store.postgres.connection import Address, part
from sayso.store.postgres.store import open_postgres
from tests.app.machines import MACHINES
from tests.app.world import START, TurnedClock
from tests.faults import kept_story, main_story
from tests.faults.journal import Told
from tests.faults.kept_story import KeptStage
from tests.faults.main_story import ROOM, MainStage, Step
from tests.faults.story import Stage
from tests.postgres.relay import Message
from tests.stores import SHARDS

# How much of a message passes, by how a cut is called.
WAYS: Final = {"before": 0.0, "within": 0.5, "after": 1.0}
# The connection that a store opens first is its watch's, which has times of its own.
WATCH: Final = 0


def is_any(_message: Message) -> bool:
    """Every message."""
    return True


def is_commit(message: Message) -> bool:
    """The order to commit."""
    return message.text[5:11] == b"commit"


def is_committed(message: Message) -> bool:
    """The answer that it has committed."""
    return message.text[5:11] == b"COMMIT"


@dataclass(kw_only=True)
class Cuts:
    """A relay's ``cut``: in each step once, at the message of its place among those that are ``meant``.

    ``place_in`` gives the place by the number of the step, counted from 0 as places are. Of a cut that ``is_silent``
    neither side hears.
    """

    place_in: Callable[[int], int | None]
    way: str = "before"
    is_silent: bool = False
    meant: Callable[[Message], bool] = is_any
    made: int = 0
    is_over: bool = False
    counts: list[int] = field(default_factory=list)

    def begin(self) -> None:
        """A step begins."""
        self.counts.append(0)

    def __call__(self, message: Message) -> int | None:
        if message.connection == WATCH or self.is_over or not self.counts or not self.meant(message):
            return None
        place, self.counts[-1] = self.counts[-1], self.counts[-1] + 1
        if place != self.place_in(len(self.counts) - 1):
            return None
        self.made += 1
        return int(len(message.text) * WAYS[self.way])


SETTLED_S = 10.0
# So often a step is sent again. Where silences are short, a slow disk looks like one; else once has to do.
TRIES, TRIES_SILENT = 1, 3


class Unavailable(Exception):
    """The caller was told that nobody knows whether it was done."""


@contextlib.contextmanager
def telling_unavailable() -> Iterator[None]:
    """Tells it from every refusal: it is no Problem here."""
    try:
        yield
    except StoreError as fault:
        raise Unavailable from fault
    except Problem as problem:
        if problem.reason is not Reason.UNAVAILABLE or problem.kind is not None:
            raise
        raise Unavailable from problem


@dataclass
class ShiftedClock(TurnedClock):
    """A turned clock that may be put ahead once for all."""

    ahead: int = 0

    def now(self) -> int:
        return self.at + self.ahead


@dataclass(kw_only=True)
class LossyMain(MainStage):
    """The main job."""

    clock: ShiftedClock

    async def _performed(self, step: Step) -> Told:
        """A claim whose answer was lost ends with its minute: so the worker sweeps once more after it."""
        with telling_unavailable():
            told = await super()._performed(step)
            if step.operation == "sweep":
                self.clock.ahead += CLAIM_US
                await super()._performed(step)
        return told


class LossyWriter(Writer):
    """A writer whose callers tell "unavailable" from a refusal."""

    async def submit(self, unit: Unit, lane: Lane = Lane.CALLER) -> Result:
        with telling_unavailable():
            return await super().submit(unit, lane)


class Staged(Protocol):
    """Opens a story's stage on a database."""

    def __call__(self, url: str) -> contextlib.AbstractAsyncContextManager[Stage]: ...


@contextlib.asynccontextmanager
async def _main(url: str) -> AsyncIterator[Stage]:
    clock = ShiftedClock(START)
    async with compose.running(
        Settings(database=url, open_requests=ROOM, shards=SHARDS), clock=clock, work=False
    ) as app:
        yield LossyMain(app=app, clock=clock)


@contextlib.asynccontextmanager
async def _kept(url: str) -> AsyncIterator[Stage]:
    store = await open_postgres(url, shards=SHARDS, clock=TurnedClock(START))
    writer = LossyWriter(store, MACHINES)
    writing = asyncio.create_task(writer.run())
    try:
        yield KeptStage(store=store, writer=writer)
    finally:
        writer.stop()
        await writing
        await store.close()


# Whether a server is ready depends on how lately a commit failed, which here one always did.
STAGES: Mapping[str, tuple[Sequence[str], Staged]] = {
    "main": (tuple(name for name, step in main_story.STEPS.items() if step.operation != "ready"), _main),
    "kept": (tuple(kept_story.STEPS), _kept),
}


_UNDER_WAY = """
select count(*) from pg_stat_activity
where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'
"""


async def settled(url: str) -> None:
    """Until the server has done what reached it before a connection was lost: only then can a client look."""
    session = await Address(url).connect()
    async with asyncio.timeout(SETTLED_S):
        while (await session.fetchrow(_UNDER_WAY))[0]:
            await asyncio.sleep(0.002)
    await part(session)


async def told_lossily(story: str, url: str, cuts: Cuts, straight: str) -> tuple[Any, int]:
    """The portrait at the end of a story, and how many steps were sent again.

    ``straight`` is the database's own address.
    """
    steps, staged = STAGES[story]
    again = 0
    async with staged(url) as stage:
        for step in steps:
            cuts.begin()
            try:
                await stage.perform(step, again=False)
            except Unavailable:
                again += 1
                await sent_again(stage, step, straight, TRIES_SILENT if cuts.is_silent else TRIES)
        cuts.is_over = True
        return await stage.portrait(), again


async def sent_again(stage: Stage, step: str, straight: str, tries: int) -> None:
    """Send a step again, when what came of it is settled, until its answer arrives."""
    for _ in range(tries):
        await settled(straight)
        with contextlib.suppress(Unavailable):
            await stage.perform(step, again=True)
            return
    raise AssertionError(f"{step}: no answer after {tries} tries on a network that is whole")
