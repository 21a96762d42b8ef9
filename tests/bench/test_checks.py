"""What benchmarks assert of a store can fail: an event that is missing from a feed, a run that did not end."""

import contextlib
from collections.abc import AsyncIterator

import pytest

from bench import reading
from bench.following import Follower
from bench.questions import Asked, Questions, answers
from bench.writing import commit
from sayso.app.units.unit import Unit
from sayso.core.heads import Outcome
from sayso.store import SqliteStore

pytestmark = pytest.mark.anyio


@contextlib.asynccontextmanager
async def asked(count: int) -> AsyncIterator[tuple[SqliteStore, list[Unit]]]:
    """A store in which so many requests wait."""
    asks = Questions([Asked(playbook=1)]).asks(count)
    store = SqliteStore(":memory:")
    try:
        await commit(store, asks, 50)
        yield store, asks
    finally:
        await store.close()


async def test_a_run_that_did_not_end_is_found() -> None:
    async with asked(2) as (store, asks):
        await commit(store, answers(asks[:1]), 50)
        await reading.check(store, asks[:1], reading.ANSWERED, Outcome.SUCCEEDED)
        with pytest.raises(AssertionError, match="stands at None"):
            await reading.check(store, asks, reading.ANSWERED, Outcome.SUCCEEDED)


async def test_a_run_that_is_gone_is_found() -> None:
    async with asked(1) as (store, _):
        with pytest.raises(AssertionError, match="gone"):
            await reading.check(store, Questions([Asked(playbook=1)]).asks(1), reading.ASKED, None)


async def test_an_event_that_a_feed_skips_or_repeats_is_found() -> None:
    async with asked(2) as (store, _):
        rows = await store.query("feed_after", shard=0, playbook=1, after=0, limit=10)
    follower = Follower(playbook=1)
    follower.take(rows[0])
    for wrong in (rows[0], rows[2]):
        with pytest.raises(AssertionError, match="came after 1"):
            follower.take(wrong)


async def test_an_event_that_is_out_of_its_streams_order_is_found() -> None:
    async with asked(1) as (store, _):
        (_, second) = await store.query("feed_after", shard=0, playbook=1, after=0, limit=10)
    with pytest.raises(AssertionError, match="event 2 of a stream came after 0"):
        Follower(playbook=1, position=1).take(second)


async def test_a_unit_that_is_refused_stops_the_filling() -> None:
    async with asked(1) as (store, asks):
        await commit(store, answers(asks), 1)
        with pytest.raises(AssertionError, match="Problem"):
            await commit(store, answers(asks, {"verdict": "revise"}), 1)
