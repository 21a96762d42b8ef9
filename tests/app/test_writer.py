"""The writer: one commit a batch, one unit's fault is its own, and nothing is answered that does not stand."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sayso.app.units.queue import Lane, Queue, Queued
from sayso.app.units.unit import Order, Result, Unit
from sayso.app.units.writer import Writer
from sayso.core import bounds
from sayso.core.commands import Look
from sayso.core.heads import Birth, StreamKind
from sayso.core.machines import MACHINES
from sayso.errors import Problem, Reason
from sayso.ports import Batch, CommitUnknown, Store, StoreBroken, Transaction
from sayso.store import SqliteStore
from tests import stores
from tests.app.world import ORG, PLAYBOOK, World, asking, world
from tests.stores import SHARD

pytestmark = pytest.mark.anyio

BIRTH = Birth(kind=StreamKind.REQUEST, org=ORG, playbook=PLAYBOOK)


@pytest.fixture
async def here() -> AsyncIterator[World]:
    async with world(MACHINES) as made:
        yield made


def ask_unit(here: World, *, message: str = "Pay it?", size: int = 0) -> Unit:
    ask = asking()
    assert ask.question is not None
    order = here.order(replace(ask, question=replace(ask.question, message=message)), birth=BIRTH)
    return Unit(shard=SHARD, playbook=PLAYBOOK, orders=(order,), size=size)


def queued(work: Any) -> Queued:
    loop = asyncio.get_running_loop()
    return Queued(work=work, future=loop.create_future(), loop=loop)


async def test_units_that_wait_together_are_one_commit() -> None:
    names: list[str] = []
    batches: list[tuple[int, float]] = []
    store = await stores.opened(faults=names.append)
    writer = Writer(store, MACHINES, on_batch=lambda units, seconds: batches.append((units, seconds)))
    async with world(MACHINES) as here:
        waiting = [asyncio.ensure_future(writer.submit(ask_unit(here))) for _ in range(10)]
        await asyncio.sleep(0)
        names.clear()
        writer.stop()
        await writer.run()
        await asyncio.gather(*waiting)
    await store.close()
    assert names.count("after commit") == 1
    assert [units for units, _ in batches] == [10]
    assert batches[0][1] > 0


async def test_a_unit_that_the_store_cannot_keep_fails_alone(here: World) -> None:
    units = [ask_unit(here, message="\ud800" if n == 3 else "Pay it?") for n in range(8)]
    outcomes = await asyncio.gather(*(here.writer.submit(unit) for unit in units), return_exceptions=True)
    assert [isinstance(outcome, Result) for outcome in outcomes] == [n != 3 for n in range(8)]


async def test_a_unit_that_breaks_its_machine_fails_alone(here: World) -> None:
    request = await here.ask()
    broken = Unit(shard=SHARD, playbook=PLAYBOOK, orders=(replace(here.order(asking()), stream=request.stream),))
    strange = replace(broken, orders=(Order(stream=request.stream, command=None, by=1),))  # type: ignore[arg-type]
    outcomes = await asyncio.gather(
        here.writer.submit(strange), here.writer.submit(ask_unit(here)), return_exceptions=True
    )
    assert isinstance(outcomes[0], TypeError)
    assert isinstance(outcomes[1], Result)


async def test_a_refused_unit_writes_nothing(here: World) -> None:
    with pytest.raises(Problem):
        await here.submit(here.order(Look()))
    assert await here.store.query("open_count", shard=SHARD, playbook=PLAYBOOK) == []


async def test_a_store_that_is_locked_says_try_again_and_never_conflict(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "sayso.db", busy_seconds=0.05)
    other = sqlite3.connect(tmp_path / "sayso.db", isolation_level=None)
    other.execute("begin immediate")
    outcome = await only(store, ask_unit)
    other.close()
    assert isinstance(outcome, Problem)
    assert (outcome.reason, outcome.retry_after) == (Reason.UNAVAILABLE, 5)


async def test_whoever_asks_whether_it_is_ready_hears_of_a_commit_that_just_failed() -> None:
    armed: list[str] = []

    def fail(name: str) -> None:
        if name in armed:
            raise CommitUnknown("the disk is full")

    store = await stores.opened(faults=fail)
    armed.append("before commit")
    outcome, writer = await only_by(store, ask_unit)
    assert (isinstance(outcome, Problem), writer.failing) == (True, True)


async def test_a_broken_store_ends_the_writer_and_tells_the_process() -> None:
    def break_at(name: str) -> None:
        if name == f"before {stores.WRITE_EVENTS}":
            raise StoreBroken("disk I/O error")

    told: list[str] = []
    store = await stores.opened(faults=break_at)
    outcome = await only(store, ask_unit, on_broken=lambda: told.append("broken"))
    assert isinstance(outcome, Problem)
    assert (outcome.reason, told) == (Reason.UNAVAILABLE, ["broken"])


async def only(store: Store, unit: Callable[[World], Unit], **hooks: Callable[[], None]) -> Result | BaseException:
    """What one unit comes to in a store of its own."""
    return (await only_by(store, unit, **hooks))[0]


async def only_by(
    store: Store, unit: Callable[[World], Unit], **hooks: Callable[[], None]
) -> tuple[Result | BaseException, Writer]:
    """What one unit comes to in a store of its own, and the writer by which it did."""
    writer = Writer(store, MACHINES, **hooks)  # type: ignore[arg-type]
    async with world(MACHINES) as here:
        waiting = asyncio.ensure_future(writer.submit(unit(here)))
        await asyncio.sleep(0)
        writer.stop()
        await writer.run()
        (outcome,) = await asyncio.gather(waiting, return_exceptions=True)
    await store.close()
    return outcome, writer


async def test_what_was_queued_before_the_stop_is_done_and_nothing_after(here: World) -> None:
    waiting = asyncio.ensure_future(here.writer.submit(ask_unit(here)))
    await asyncio.sleep(0)
    here.writer.stop()
    assert (await waiting).done[0].head.seq == 2
    with pytest.raises(Problem) as refused:
        await here.writer.submit(ask_unit(here))
    assert refused.value.reason is Reason.UNAVAILABLE


async def test_a_caller_that_gives_up_leaves_its_unit(here: World) -> None:
    waiting = asyncio.ensure_future(here.writer.submit(ask_unit(here)))
    await asyncio.sleep(0)
    waiting.cancel()
    await here.ask()
    rows = await here.store.query("open_count", shard=SHARD, playbook=PLAYBOOK)
    assert rows[0]["open"] == 2


async def test_a_change_of_reference_data_fails_alone(here: World) -> None:
    async def break_it(transaction: Transaction) -> None:
        await transaction.execute("add_org", name=None)

    with pytest.raises(Exception, match="add_org"):
        await here.writer.change(break_it)
    assert (await here.ask()).seq == 2


async def test_every_batch_that_was_committed_is_told() -> None:
    told: list[Batch] = []
    store = await stores.opened()
    outcome = await only(store, ask_unit, on_commit=told.append)  # type: ignore[arg-type]
    assert isinstance(outcome, Result)
    assert [len(batch.events) for batch in told] == [2]


async def test_a_batch_says_how_much_room_others_had_to_leave() -> None:
    """Two were counted against limits of 1 and of 5: nobody else may have opened one meanwhile."""
    told: list[Batch] = []
    store = await stores.opened()
    writer = Writer(store, MACHINES, on_commit=told.append)
    async with world(MACHINES) as here:
        orders = [here.order(asking(open_limit=limit), birth=BIRTH) for limit in (1, 5)]
        units = [Unit(shard=SHARD, playbook=PLAYBOOK, orders=(order,)) for order in orders]
        waiting = [asyncio.ensure_future(writer.submit(unit)) for unit in units]
        await asyncio.sleep(0)
        writer.stop()
        await writer.run()
        await asyncio.gather(*waiting)
    await store.close()
    assert [batch.room for batch in told] == [{PLAYBOOK: 2}]


async def test_callers_go_first_and_the_worker_waits_its_turn(here: World) -> None:
    queue = Queue()
    for lane in (Lane.WORKER, Lane.CALLER):
        for _ in range(100):
            queue.put(queued(ask_unit(here)), lane)
    first = queue.take()
    assert len(first) == bounds.BATCH_UNITS + bounds.WORKER_UNITS_WHILE_CALLERS_WAIT
    assert len(queue) == 200 - len(first)


async def test_a_batch_is_bounded_in_bytes(here: World) -> None:
    queue = Queue()
    for _ in range(10):
        queue.put(queued(ask_unit(here, size=bounds.BATCH_BYTES // 2)), Lane.CALLER)
    assert len(queue.take()) == 2


async def test_a_batch_stays_in_one_shard_and_shards_take_turns(here: World) -> None:
    queue = Queue()
    for shard in (0, 0, 1, 1):
        queue.put(queued(replace(ask_unit(here), shard=shard)), Lane.CALLER)
    taken = [[one.work.shard for one in queue.take() if isinstance(one.work, Unit)] for _ in range(3)]
    assert taken == [[0, 0], [1, 1], []]
