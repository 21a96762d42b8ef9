"""The mailbox: whoever leaves work hears of it, from any thread, and never waits for nobody."""

import asyncio
import threading

import pytest

from sayso.app.units.mailbox import Mailbox, settle
from sayso.app.units.queue import Change, Lane
from sayso.app.units.unit import Unit
from sayso.core import bounds
from sayso.errors import Problem, Reason
from sayso.ports import Transaction

pytestmark = pytest.mark.anyio
UNIT = Unit(shard=0, playbook=1, orders=())


def refusal(future: asyncio.Future[object]) -> Reason:
    fault = future.exception()
    assert isinstance(fault, Problem)
    return fault.reason


async def test_a_collector_that_rests_is_woken_from_another_thread() -> None:
    mailbox = Mailbox()
    collecting = asyncio.create_task(mailbox.collect())
    await asyncio.sleep(0)

    async def elsewhere() -> None:
        [future] = mailbox.post([UNIT], Lane.CALLER)
        assert await asyncio.wait_for(future, 5) == "done"

    thread = threading.Thread(target=lambda: asyncio.run(elsewhere()))
    thread.start()
    batch = await asyncio.wait_for(collecting, 5)
    settle([(queued, "done") for queued in batch])
    await asyncio.to_thread(thread.join, 5)
    assert not thread.is_alive()


async def test_what_was_posted_before_the_close_is_collected_and_nothing_after() -> None:
    mailbox = Mailbox()
    mailbox.post([UNIT], Lane.CALLER)
    mailbox.close()
    with pytest.raises(Problem):
        mailbox.post([UNIT], Lane.CALLER)
    assert len(await mailbox.collect()) == 1
    assert await mailbox.collect() == []


async def test_the_end_refuses_what_waits_and_wakes_the_collector() -> None:
    mailbox = Mailbox()
    [future] = mailbox.post([UNIT], Lane.WORKER)
    mailbox.end()
    mailbox.close()
    await asyncio.sleep(0)
    assert (refusal(future), mailbox.ended) == (Reason.UNAVAILABLE, True)
    assert await asyncio.wait_for(mailbox.collect(), 5) == []


async def test_a_collector_that_rests_hears_of_the_close() -> None:
    mailbox = Mailbox()
    collecting = asyncio.create_task(mailbox.collect())
    await asyncio.sleep(0)
    mailbox.close()
    assert await asyncio.wait_for(collecting, 5) == []


async def test_too_much_waiting_is_refused_rather_than_kept() -> None:
    mailbox = Mailbox()
    for _ in range(bounds.QUEUE_UNITS):
        mailbox.post([UNIT], Lane.CALLER)
    with pytest.raises(Problem) as refused:
        mailbox.post([UNIT], Lane.CALLER)
    assert (refused.value.reason, refused.value.retry_after) == (Reason.UNAVAILABLE, 5)


async def test_a_caller_waits_for_one_change_and_not_for_all() -> None:
    mailbox = Mailbox()
    changes = [Change(work=never) for _ in range(3)]
    mailbox.post(changes, Lane.CALLER)
    mailbox.post([UNIT, UNIT], Lane.CALLER)
    taken = [[queued.work for queued in await mailbox.collect()] for _ in range(4)]
    assert taken == [changes[:1], [UNIT, UNIT], changes[1:2], changes[2:]]


async def never(_: Transaction) -> None:
    raise AssertionError("nobody does the work here")


async def test_whoever_gave_up_or_went_away_is_passed_over() -> None:
    mailbox = Mailbox()
    gone: list[asyncio.Future[object]] = []
    threading_loop = threading.Thread(target=lambda: asyncio.run(leave(mailbox, gone)))
    threading_loop.start()
    threading_loop.join()
    mailbox.post([UNIT], Lane.CALLER)[0].cancel()
    settle([(queued, "done") for queued in await mailbox.collect()])
    await asyncio.sleep(0)
    assert not gone[0].done()


async def leave(mailbox: Mailbox, gone: list[asyncio.Future[object]]) -> None:
    gone += mailbox.post([UNIT], Lane.CALLER)
