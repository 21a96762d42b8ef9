"""The worker: everything due is looked at once, a stuck stream backs off alone, and a bell wakes it early."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Sequence

import pytest

from sayso.app.units.bell import Bell
from sayso.app.units.worker import Worker
from sayso.app.units.writer import Writer
from sayso.core.heads import Outcome, StreamKind
from sayso.core.machines import MACHINES
from sayso.core.machines.machine import Decision, Machines, Moment
from sayso.core.machines.request import Request, RequestMachine
from sayso.ports import CommitUnknown, Due, Store
from sayso.store import SqliteStore
from tests.app.world import HOUR, START, World, world

pytestmark = pytest.mark.anyio


@pytest.fixture
async def here() -> AsyncIterator[World]:
    async with world(MACHINES) as made:
        yield made


def worker(here: World, bell: Bell | None = None) -> Worker:
    return Worker(here.store, here.writer, bell or Bell(), interval_ms=1_000)


async def test_a_sweep_expires_all_that_is_over(here: World) -> None:
    requests = [await here.ask(open_limit=150) for _ in range(150)]
    here.clock.at = START + HOUR
    working = worker(here)
    assert await working.sweep() == 150
    assert (working.looks, working.stuck) == (150, 0)
    outcomes = {(await here.head(request.stream)).outcome for request in requests}
    assert outcomes == {Outcome.REJECTED}


async def test_nothing_is_done_before_its_time(here: World) -> None:
    await here.ask()
    here.clock.at = START + HOUR - 1
    assert await worker(here).sweep() == 0
    assert await worker(here).next_due() == START + HOUR


async def test_a_stream_that_cannot_be_looked_at_backs_off_alone(here: World, caplog: pytest.LogCaptureFixture) -> None:
    stuck = await here.ask()
    here.clock.at = START + HOUR
    async with world(MACHINES) as other:  # whose store has no such stream
        broken = Worker(here.store, other.writer, Bell(), interval_ms=1_000)
        assert await broken.sweep() == 1
        assert await broken.sweep() == 0
        assert (broken.looks, broken.stuck) == (1, 1)
    assert "could not be looked at" in caplog.text
    assert (await here.head(stuck.stream)).outcome is None


class Stuck(RequestMachine):
    """A machine with a fault: time changes nothing."""

    def decide(self, state: Request, command: object, moment: Moment) -> Decision:
        return Decision()


async def test_a_stream_that_stays_due_is_looked_at_again_after_a_pause(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sayso.app.units.worker.BACKOFF_S", (0.2,))
    await here.ask()
    here.clock.at = START + HOUR
    writer, bell = Writer(here.store, Machines(folded={StreamKind.REQUEST: Stuck()}, kept={})), Bell()
    writing = asyncio.create_task(writer.run())
    broken = Worker(here.store, writer, bell, interval_ms=1_000)
    assert await broken.sweep() == 1
    await bell.wait(until=START + 2 * HOUR, seconds=5)
    assert bell.rung
    assert await broken.sweep() == 1
    writer.stop()
    await writing


@pytest.fixture
async def broken(here: World) -> AsyncIterator[Worker]:
    """A worker whose every look changes nothing."""
    writer = Writer(here.store, Machines(folded={StreamKind.REQUEST: Stuck()}, kept={}))
    writing = asyncio.create_task(writer.run())
    yield Worker(here.store, writer, Bell(), interval_ms=3_600_000)
    writer.stop()
    await writing


async def test_a_failure_is_counted_in_the_head_until_the_stream_is_handled(
    here: World, broken: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sayso.app.units.worker.BACKOFF_S", (0.2,))
    request = await here.ask()
    here.clock.at = START + HOUR
    for fails in (1, 2):
        assert await broken.sweep() == 1
        assert (await here.head(request.stream)).fails == fails
        await broken._bell.wait(until=START + 2 * HOUR, seconds=5)  # until it is given back
        broken._bell.clear()
    assert await worker(here).sweep() == 1
    head = await here.head(request.stream)
    assert (head.outcome, head.fails) == (Outcome.REJECTED, 0)


async def test_of_many_failures_at_once_few_are_counted(here: World, broken: Worker) -> None:
    requests = [await here.ask() for _ in range(20)]
    here.clock.at = START + HOUR
    assert await broken.sweep() == 20
    assert 1 <= sum([(await here.head(request.stream)).fails for request in requests]) < 20


async def test_a_failure_that_cannot_be_counted_is_one_like_any(
    here: World, broken: Worker, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def away(_work: object, *, shard: int) -> None:
        raise CommitUnknown("the disk is full")

    await here.ask()
    here.clock.at = START + HOUR
    caplog.set_level(logging.INFO)
    monkeypatch.setattr(broken._writer, "change", away)
    assert await broken.sweep() == 1
    assert "could not be counted: the disk is full" in caplog.text


async def test_a_worker_that_stops_gives_back_what_it_holds(here: World, broken: Worker) -> None:
    request = await here.ask()
    here.clock.at = START + HOUR
    broken._bell = bell = HeededBell()
    working = asyncio.create_task(broken.run())
    await bell.heeded()
    assert await here.store.claim(request.shard, 9) == []
    working.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await working
    assert [due.stream for due in await here.store.claim(request.shard, 9)] == [request.stream]


class HeededBell(Bell):
    """A bell that tells when somebody begins to wait for it."""

    def __init__(self) -> None:
        super().__init__()
        self._heeded = asyncio.Event()

    async def wait(self, until: int, seconds: float) -> None:
        self._heeded.set()
        await super().wait(until, seconds)

    async def heeded(self) -> None:
        async with asyncio.timeout(5):
            await self._heeded.wait()
        self._heeded.clear()


async def test_what_is_written_due_sooner_wakes_the_worker(here: World) -> None:
    bell = HeededBell()
    request = await here.ask()
    working = asyncio.create_task(Worker(here.store, here.writer, bell, interval_ms=3_600_000).run())
    await bell.heeded()
    here.clock.at = START + HOUR
    bell.ring(START)
    await bell.heeded()
    assert (await here.head(request.stream)).outcome is Outcome.REJECTED
    working.cancel()


async def test_a_ring_for_later_than_it_wakes_anyway_is_not_heard() -> None:
    bell = Bell()
    bell.clear()
    waiting = asyncio.ensure_future(bell.wait(until=START, seconds=0.05))
    await asyncio.sleep(0)
    bell.ring(START + 1)
    await waiting
    assert not bell.rung


async def test_a_sweep_that_fails_is_tried_again(here: World, caplog: pytest.LogCaptureFixture) -> None:
    await here.store.close()
    bell = HeededBell()
    working = asyncio.create_task(Worker(here.store, here.writer, bell, interval_ms=1).run())
    await bell.heeded()
    await bell.heeded()
    assert caplog.text.count("could not be handled") >= 2
    working.cancel()


class Counted:
    """Counts a store's claims, and how often some were given back."""

    def __init__(self, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
        self.claims = self.releases = 0
        self.claimed = asyncio.Event()
        self._claim, self._release = store.claim, store.release
        monkeypatch.setattr(store, "claim", self.claim)
        monkeypatch.setattr(store, "release", self.release)

    async def claim(self, shard: int, limit: int) -> Sequence[Due]:
        due = await self._claim(shard, limit)
        if due:
            self.claims += 1
            self.claimed.set()
        return due

    async def release(self, shard: int, claimed: Sequence[Due]) -> None:
        self.releases += 1
        await self._release(shard, claimed)


async def test_one_batch_waits_behind_the_one_that_is_committed_and_no_more(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sayso.core.bounds.BATCH_UNITS", 10)
    monkeypatch.setattr("sayso.app.units.worker.CLAIM", 20)
    for _ in range(60):
        await here.ask()
    here.clock.at = START + HOUR
    store, still = Counted(here.store, monkeypatch), Writer(here.store, MACHINES)
    sweeping = asyncio.create_task(Worker(here.store, still, Bell(), interval_ms=1_000).sweep())
    await asyncio.wait_for(store.claimed.wait(), 5)
    await asyncio.sleep(0)
    assert (store.claims, len(still._mailbox._queue)) == (1, 20)
    writing = asyncio.create_task(still.run())
    assert (await sweeping, store.claims, store.releases) == (60, 3, 6)
    still.stop()
    await writing


class Hanging(SqliteStore):
    """A store that never tells what is due."""

    async def claim(self, shard: int, limit: int) -> Sequence[Due]:
        await asyncio.Event().wait()
        raise AssertionError("nobody sets it")


async def test_a_first_sweep_that_never_ends_is_a_worker_that_stands_still(monkeypatch: pytest.MonkeyPatch) -> None:
    async with world(MACHINES) as here:
        store = Hanging(":memory:")
        hangs = Worker(store, here.writer, Bell(), interval_ms=1_000)
        monkeypatch.setattr("sayso.app.units.worker.STALLED_S", -1)
        stalled = [hangs.stalled]
        working = asyncio.create_task(hangs.run())
        await asyncio.sleep(0)
        stalled.append(hangs.stalled)
        assert stalled == [False, True]
        working.cancel()
        await store.close()
