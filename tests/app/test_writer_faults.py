"""The writer and the worker when things break: nobody is left waiting, and nothing is written on a broken store."""

import asyncio
import logging
from collections.abc import Callable

import pytest

from sayso.app.units.bell import Bell
from sayso.app.units.unit import Result, Unit
from sayso.app.units.worker import Worker
from sayso.app.units.writer import Writer
from sayso.core.heads import Birth, StreamKind
from sayso.core.machines import MACHINES
from sayso.errors import Problem, Reason
from sayso.ports import Batch, Moved, StatementFailed, Store, StoreBroken
from tests import stores
from tests.app.world import HOUR, ORG, PLAYBOOK, START, TurnedClock, World, asking, world
from tests.stores import SHARD

pytestmark = pytest.mark.anyio


def breaking_once(at: str, fault: Exception) -> Callable[[str], None]:
    left = [fault]

    def faults(name: str) -> None:
        if name == at and left:
            raise left.pop()

    return faults


def unit(here: World, size: int = 0) -> Unit:
    birth = Birth(kind=StreamKind.REQUEST, org=ORG, playbook=PLAYBOOK)
    return Unit(shard=SHARD, playbook=PLAYBOOK, orders=(here.order(asking(), birth=birth),), size=size)


def parts(store: Store, **hooks: Callable[..., None]) -> World:
    return World(store=store, writer=Writer(store, MACHINES, **hooks), clock=TurnedClock())


async def test_a_broken_store_is_written_no_more() -> None:
    told: list[str] = []
    store = await stores.opened(faults=breaking_once(f"before {stores.WRITE_EVENTS}", StoreBroken("disk I/O error")))
    here = parts(store, on_broken=lambda: told.append("broken"))
    waiting = [asyncio.ensure_future(here.writer.submit(unit(here, size=1 << 20))) for _ in range(3)]
    await asyncio.sleep(0)
    async with asyncio.timeout(5):
        await here.writer.run()
        outcomes = await asyncio.gather(*waiting, return_exceptions=True)
    assert [isinstance(one, Problem) and one.reason for one in outcomes] == [Reason.UNAVAILABLE] * 3
    assert told == ["broken"]
    assert await store.query("open_count", shard=SHARD, playbook=PLAYBOOK) == []
    await store.close()


async def test_a_store_that_breaks_under_one_half_is_not_written_for_the_other() -> None:
    faults = [StatementFailed("a unit spoils the batch"), StoreBroken("disk I/O error")]

    def fail(name: str) -> None:
        if name == f"before {stores.WRITE_EVENTS}" and faults:
            raise faults.pop(0)

    store = await stores.opened(faults=fail)
    here = parts(store)
    waiting = [asyncio.ensure_future(here.writer.submit(unit(here))) for _ in range(4)]
    await asyncio.sleep(0)
    async with asyncio.timeout(5):
        await here.writer.run()
        outcomes = await asyncio.gather(*waiting, return_exceptions=True)
    assert [isinstance(one, Problem) and one.reason for one in outcomes] == [Reason.UNAVAILABLE] * 4
    assert await store.query("open_count", shard=SHARD, playbook=PLAYBOOK) == []
    await store.close()


async def test_a_hook_that_fails_leaves_nobody_waiting(caplog: pytest.LogCaptureFixture) -> None:
    def fails(_: Batch) -> None:
        raise RuntimeError("nobody listens")

    store = await stores.opened()
    here = parts(store, on_commit=fails)
    writing = asyncio.create_task(here.writer.run())
    async with asyncio.timeout(5):
        assert (await here.writer.submit(unit(here))).done[0].head.seq == 2
        assert (await here.writer.submit(unit(here))).done[0].head.seq == 2
        here.writer.stop()
        await writing
    assert "nobody listens" in caplog.text
    await store.close()


async def test_a_unit_behind_the_last_batch_is_refused() -> None:
    store = await stores.opened()
    here = parts(store)
    here.writer.stop()
    await here.writer.run()
    async with asyncio.timeout(5):
        with pytest.raises(Problem) as refused:
            await here.writer.submit(unit(here))
    assert refused.value.reason is Reason.UNAVAILABLE
    await store.close()


async def test_a_store_that_is_away_is_no_fault_of_what_is_due(caplog: pytest.LogCaptureFixture) -> None:
    """It is logged once a sweep and not once a stream, and when it is back nothing has to wait out a pause."""
    async with world(MACHINES) as here:
        for _ in range(200):
            await here.ask(open_limit=1000)
        here.clock.at = START + HOUR
        stopped = Writer(here.store, MACHINES)
        stopped.stop()
        worker = Worker(here.store, stopped, Bell(), interval_ms=1_000)
        with pytest.raises(Problem):
            await worker.sweep()
        assert [one for one in caplog.records if one.levelno >= logging.WARNING] == []
        assert await Worker(here.store, here.writer, Bell(), interval_ms=1_000).sweep() == 200


async def moved(times: int, monkeypatch: pytest.MonkeyPatch) -> tuple[object, int]:
    """What a caller hears of a unit that met another process so often, and how often it was begun."""
    monkeypatch.setattr("sayso.app.units.writer.MOVED_WAITS_S", (0.0, 0.0))
    left, begun = [Moved("another process was first")] * times, 0

    def faults(name: str) -> None:
        nonlocal begun
        begun += name == "before begin"
        if name == f"before {stores.WRITE_EVENTS}" and left:
            raise left.pop()

    store = await stores.opened(faults=faults)
    here, begun = parts(store), 0
    running = asyncio.create_task(here.writer.run())
    [outcome] = await asyncio.gather(here.writer.submit(unit(here)), return_exceptions=True)
    here.writer.stop()
    await running
    await store.close()
    return outcome, begun


async def test_a_batch_that_met_another_process_is_decided_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    outcome, begun = await moved(2, monkeypatch)
    assert (isinstance(outcome, Result), begun) == (True, 3)


async def test_one_that_meets_others_again_and_again_is_not_known_to_stand(monkeypatch: pytest.MonkeyPatch) -> None:
    outcome, begun = await moved(9, monkeypatch)
    assert (isinstance(outcome, Problem) and outcome.reason, begun) == (Reason.UNAVAILABLE, 3)
