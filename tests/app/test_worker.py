"""The worker: everything due is looked at once, a stuck stream backs off alone, and a bell wakes it early."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from sayso.app.bell import Bell
from sayso.app.worker import Worker
from sayso.core.heads import Outcome, StreamKind
from sayso.core.machines import MACHINES
from sayso.core.machines.machine import Decision, Machines, Moment
from sayso.core.machines.request import Request, RequestMachine
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
    assert await worker(here).sweep() == 150
    outcomes = {(await here.head(request.stream)).outcome for request in requests}
    assert outcomes == {Outcome.REJECTED}


async def test_nothing_is_done_before_its_time(here: World) -> None:
    await here.ask()
    here.clock.at = START + HOUR - 1
    assert await worker(here).sweep() == 0
    assert await worker(here).next_due() == START + HOUR


class Stuck(RequestMachine):
    """A machine with a fault: for one party, time changes nothing."""

    def decide(self, state: Request, command: object, moment: Moment) -> Decision:
        return Decision()


async def test_a_stream_that_stays_due_backs_off_alone(here: World, caplog: pytest.LogCaptureFixture) -> None:
    stuck = await here.ask()
    here.clock.at = START + HOUR
    async with world(Machines(folded={StreamKind.REQUEST: Stuck()}, kept={})) as other:
        broken = Worker(here.store, other.writer, Bell(), interval_ms=1_000)
        assert await broken.sweep() == 1
        assert await broken.sweep() == 0
    assert "could not be looked at" in caplog.text
    assert (await here.head(stuck.stream)).outcome is None


async def test_what_is_written_due_sooner_wakes_the_worker(here: World) -> None:
    bell = Bell()
    working = asyncio.create_task(Worker(here.store, here.writer, bell, interval_ms=3_600_000).run())
    request = await here.ask()
    await asyncio.sleep(0.05)
    here.clock.at = START + HOUR
    bell.ring(START)
    async with asyncio.timeout(5):
        while (await here.head(request.stream)).outcome is None:
            await asyncio.sleep(0.01)
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
    working = asyncio.create_task(Worker(here.store, here.writer, Bell(), interval_ms=1).run())
    async with asyncio.timeout(5):
        while caplog.text.count("could not be handled") < 2:
            await asyncio.sleep(0.01)
    working.cancel()
