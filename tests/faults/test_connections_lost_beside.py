"""Connections lost where no unit is written: while a store is opened, watched for what moves, and claimed from."""

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from typing import Any, TypeVar

import pytest

from sayso.core.heads import CLAIM_US
from sayso.ports import CommitUnknown, StoreError
from sayso.store.postgres import watch
from sayso.store.postgres.store import PostgresStore, open_postgres
from tests.app.world import TurnedClock
from tests.faults.lossy import WATCH, WAYS
from tests.postgres.relay import Cut, Message, Relay, never
from tests.postgres.servers import PostgresServer
from tests.store.examples import HOUR, NOW, asked, merged, stream

pytestmark = [pytest.mark.slow, pytest.mark.anyio]

SHORT = 8  # messages that the short form cuts at
STREAMS = 3
T = TypeVar("T")


@asynccontextmanager
async def opened(url: str, **options: Any) -> AsyncIterator[PostgresStore]:
    store = await open_postgres(url, **options)
    try:
        yield store
    finally:
        await store.close()


@pytest.fixture
def url(postgres: PostgresServer) -> str:
    return postgres.fresh()


@pytest.fixture
def relay(url: str) -> Iterator[Relay]:
    with Relay(url) as relay:
        yield relay


def some(count: int, is_long: bool) -> Iterator[tuple[int, str]]:
    """All messages in all the ways, or a spread of them."""
    every = [(place, way) for place in range(count) for way in WAYS]
    yield from every if is_long else random.sample(every, SHORT)


def cut_once(place: int, way: str, meant: Callable[[Message], bool] = lambda _: True) -> Cut:
    """Cuts at the message of that place from now on, among those that are meant."""
    left = iter([*[None] * place, WAYS[way]])

    def cut(message: Message) -> int | None:
        part = next(left, None) if meant(message) else None
        return None if part is None else int(len(message.text) * part)

    return cut


async def until(is_so: Callable[[], Awaitable[bool]]) -> None:
    async with asyncio.timeout(20):
        while not await is_so():
            await asyncio.sleep(0.005)


async def done(work: Awaitable[T]) -> T | None:
    """What it gives; None if the store said that nobody knows."""
    with contextlib.suppress(CommitUnknown):
        return await work
    return None


async def test_a_store_is_opened_or_is_not_and_can_be_opened_then(
    postgres: PostgresServer, is_long: bool, shown: Callable[[str], None]
) -> None:
    """Its tables are made meanwhile."""
    with Relay(postgres.fresh()) as relay:
        async with opened(relay.url):
            count = relay.count
    failed = 0
    for place, way in some(count, is_long):
        with Relay(postgres.fresh()) as relay:
            relay.cut = cut_once(place, way)
            try:
                async with opened(relay.url):
                    pass
            except StoreError:
                failed += 1
            relay.cut = never
            async with opened(relay.url) as store, store.transaction(0) as transaction:
                await transaction.write(asked(1))
    assert failed > 0
    shown(f"A store opened over {count} messages, each lost in turn: {failed} times it said that it could not")


async def test_what_is_watched_is_heard_and_seen_again(
    url: str, relay: Relay, is_long: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "AGAIN_S", 0.01)
    monkeypatch.setattr(watch, "LOOK_S", 0.02)
    heard: list[int] = []
    async with opened(url) as other, opened(relay.url, heard=heard.append) as store:
        for place, way in some(60, is_long):
            relay.cut_all()
            relay.cut = cut_once(place, way)
            async with other.transaction(0) as transaction:
                await transaction.execute("add_org", name=f"{place}-{way}")
            version = await other.reference_version()
            heard.clear()

            async def hears() -> bool:
                other.tell(await other.now())
                return bool(heard) and await store.reference_version() == version  # noqa: B023

            await until(hears)


async def test_a_claim_whose_answer_is_lost_ends_with_its_minute(
    url: str, relay: Relay, is_long: bool, shown: Callable[[str], None]
) -> None:
    """No stream is claimed by two at once, and none is left."""
    clock, lost, everything = TurnedClock(NOW + 2 * HOUR), 0, {stream(n) for n in range(STREAMS)}
    async with opened(url, clock=clock) as other, opened(relay.url, clock=clock) as store:
        async with other.transaction(0) as transaction:
            await transaction.write(merged(*(asked(n) for n in range(STREAMS))))
        for place, way in some(40, is_long):
            clock.at += CLAIM_US
            relay.cut = cut_once(place, way, lambda message: message.connection != WATCH)
            mine = await done(store.claim(0, STREAMS)) or ()
            theirs = await other.claim(0, STREAMS)
            assert not {due.stream for due in mine} & {due.stream for due in theirs}
            lost += len(mine) + len(theirs) < STREAMS
            await done(store.release(0, mine))
            relay.cut = never
            await other.release(0, theirs)
            clock.at += CLAIM_US
            again = await other.claim(0, STREAMS)
            assert {due.stream for due in again} == everything
            await other.release(0, again)
    shown(f"Claims over a connection that is lost: {lost} times nobody had them for a minute")
