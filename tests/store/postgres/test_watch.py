"""Processes hear of each other: of reference data at once or within half a second, of what is due as a hint."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from sayso.ports import StoreError, Transaction
from sayso.store.postgres import watch
from sayso.store.postgres.connection import Session
from sayso.store.postgres.store import PostgresStore
from tests.postgres.pgbouncer import PgBouncer
from tests.postgres.relay import Relay
from tests.store.examples import asked, stream
from tests.store.postgres.conftest import Open, until
from tests.store.test_reference import KEY

pytestmark = pytest.mark.anyio


async def add_org(store: PostgresStore, name: str = "acme") -> None:
    async with store.transaction(0) as transaction:
        await transaction.execute("add_org", name=name)


@pytest.fixture
def far_look(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody looks by himself: whatever is known was told."""
    monkeypatch.setattr(watch, "LOOK_S", 3600.0)


@pytest.fixture
def never_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody is told: whatever is known was looked for."""
    monkeypatch.setattr(watch.Watch, "_wake", lambda self: None)


async def knows(store: PostgresStore, version: int) -> bool:
    return await store.reference_version() == version


async def agree(one: PostgresStore, other: PostgresStore) -> bool:
    return await knows(other, await one.reference_version())


async def test_another_process_is_told_that_reference_data_changed(opened: Open, far_look: None) -> None:
    one, other = await opened(), await opened()
    before = await one.reference_version()
    await add_org(one)
    assert await knows(one, before + 1)
    await until(lambda: knows(other, before + 1))


async def test_it_finds_out_by_itself_if_nobody_tells(opened: Open, never_told: None) -> None:
    one, other = await opened(), await opened()
    await add_org(one)
    await until(lambda: agree(one, other))


class Heard:
    """Remembers what was told."""

    def __init__(self) -> None:
        self.times: list[int] = []
        self.event = asyncio.Event()

    def __call__(self, due_at: int) -> None:
        self.times.append(due_at)
        self.event.set()

    async def one(self) -> None:
        async with asyncio.timeout(20):
            await self.event.wait()
        self.event.clear()


@pytest.fixture
async def heard() -> Heard:
    return Heard()


async def test_what_is_due_soon_is_told_once_for_many_and_never_to_oneself(opened: Open, heard: Heard) -> None:
    own = Heard()
    one, _ = await opened(heard=own), await opened(heard=heard)
    now = await one.now()
    for due_at in (now + 5, now + 3, now + 9):
        await asyncio.to_thread(one.tell, due_at)
    await heard.one()
    assert (heard.times, own.times) == ([now + 3], [])


async def test_what_is_due_later_than_anybody_sleeps_is_not_told(opened: Open, heard: Heard) -> None:
    one, _ = await opened(), await opened(heard=heard)
    now = await one.now()
    one.tell(now + 61_000_000)
    one.tell(now + 1)
    await heard.one()
    assert heard.times == [now + 1]


async def test_nonsense_that_somebody_tells_is_passed_over(opened: Open, session: Session, heard: Heard) -> None:
    await opened(heard=heard)
    for words in ("", "-1", "٣", "due", "7"):
        await session.execute("select pg_notify('sayso', $1)", words)
    await heard.one()
    assert heard.times == [7]


async def test_a_lost_connection_is_made_anew_and_hears_again(
    opened: Open, url: str, heard: Heard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "AGAIN_S", 0.01)
    with Relay(url) as relay:
        one, deaf = await opened(), await opened(relay.url, heard=heard)
        relay.cut_all()

        async def hears() -> bool:
            one.tell(await one.now())
            return bool(heard.times)

        await until(hears)
        await add_org(one)
        await until(lambda: agree(one, deaf))
        await deaf.close()


async def test_the_databases_clock_is_told_without_asking_it(opened: Open, session: Session) -> None:
    store = await opened()
    text = "select (extract(epoch from clock_timestamp()) * 1000000)::bigint"
    before, now, after = (await session.fetch(text))[0][0], await store.now(), (await session.fetch(text))[0][0]
    assert before - 1_000_000 < now < after + 1_000_000


@pytest.fixture
async def pooled(opened: Open, pgbouncer: PgBouncer, url: str) -> AsyncIterator[dict[str, str | bool]]:
    """How a store is opened through the pooler, which gives every transaction another connection."""
    database = url.rpartition("/")[2]
    yield {"address": pgbouncer.url(database), "direct": url, "pooled": True}


async def everyday(transaction: Transaction, number: int) -> None:
    await transaction.write(asked(number))
    await transaction.execute("add_org", name="acme")


async def test_a_store_works_through_a_pooler(opened: Open, pooled: dict[str, str | bool], heard: Heard) -> None:
    one, other = await opened(**pooled), await opened(**pooled, heard=heard)
    for number, store in enumerate((one, other, one)):
        async with store.transaction(0) as transaction:
            await everyday(transaction, number)
    rows = await asyncio.gather(
        *(store.query("head", shard=0, playbook=1, stream=stream(n)) for store in (one, other) for n in range(3))
    )
    assert [len(each) for each in rows] == [1] * 6
    await until(lambda: agree(one, other))
    one.tell(await one.now())
    await heard.one()


async def test_without_a_direct_address_a_store_looks_and_hears_nothing(
    opened: Open, pooled: dict[str, str | bool], never_told: None
) -> None:
    del pooled["direct"]
    one, other = await opened(**pooled), await opened(**pooled)
    await add_org(one)
    await until(lambda: agree(one, other))


async def test_a_closed_store_is_closed_again_and_says_so(opened: Open) -> None:
    store = await opened()
    await store.query("keys")
    await store.close()
    await store.close()
    store.tell(0)
    with pytest.raises(StoreError, match="is closed"):
        await store.query("orgs")
    with pytest.raises(StoreError, match="is closed"):
        await add_org(store)


async def test_reference_data_is_numbered_in_the_order_of_commits(opened: Open, session: Session) -> None:
    stores = [await opened() for _ in range(3)]

    async def callers(store: PostgresStore, name: str) -> None:
        for n in range(5):
            async with store.transaction(0) as transaction:
                await transaction.execute("add_caller", org=1, id=f"{name}{n}")
                await transaction.execute("add_key", **KEY | {"id": f"{name}{n}"})

    await asyncio.gather(*(callers(store, name) for store, name in zip(stores, "abc", strict=True)))
    assert [row[0] for row in await session.fetch("select caller from callers order by caller")] == list(range(1, 16))
    await until(lambda: agree(stores[0], stores[1]))
