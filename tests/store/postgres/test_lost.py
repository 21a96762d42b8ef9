"""A connection may be lost at any moment: a batch stands whole or not at all, and the next one finds a new one."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from sayso.ports import CommitUnknown, StoreError, Wanted
from sayso.store.postgres.connection import Session
from sayso.store.postgres.store import PostgresStore
from tests.postgres.binaries import debian
from tests.postgres.fixtures import present
from tests.postgres.relay import Message, Relay, before, never
from tests.postgres.servers import PostgresServer
from tests.store.examples import asked, run_named, stream
from tests.store.postgres.conftest import Open, until

pytestmark = pytest.mark.anyio


@pytest.fixture
async def relay(url: str) -> AsyncIterator[Relay]:
    with Relay(url) as relay:
        yield relay


async def ask(store: PostgresStore, number: int) -> None:
    """All steps of a batch: by run id, so that it looks for heads too."""
    async with store.transaction(0) as transaction:
        await transaction.load(Wanted(run_ids=frozenset({(1, run_named("r"))}), playbooks=frozenset({1})))
        await transaction.write(asked(number))


async def stands(store: PostgresStore, number: int) -> bool:
    return len(await store.query("head", shard=0, playbook=1, stream=stream(number))) == 1


async def messages(relay: Relay, store: PostgresStore) -> list[Message]:
    """What passes when a batch is written, after the connection is made and its statements are prepared."""
    await ask(store, 0)
    passed: list[Message] = []
    relay.cut = passed.append
    await ask(store, 1)
    relay.cut = never
    return passed


async def test_at_whichever_message_a_connection_is_lost_a_batch_stands_whole_or_not_at_all(
    opened: Open, relay: Relay
) -> None:
    store, sane = await opened(relay.url), await opened()
    steps = len(await messages(relay, store))
    assert steps > 20
    for step in range(steps):
        await ask(store, 1000 + step)  # on a connection whose statements are prepared
        relay.cut = before(relay.count + step)
        number, is_told = 2 + step, True
        try:
            await ask(store, number)
        except CommitUnknown:
            is_told = False
        relay.cut = never
        assert await stands(sane, number) or not is_told
        assert len(await sane.query("events_since", shard=0, stream=stream(number), from_seq=1)) in {0, 2}
        await ask(store, 2000 + step)
    await gapless(sane)


async def gapless(store: PostgresStore) -> None:
    rows = await store.query("feed_after", shard=0, playbook=1, after=0, limit=10_000)
    assert [row["position"] for row in rows] == list(range(1, len(rows) + 1))


async def test_an_idle_connection_that_was_lost_fails_nobody(opened: Open, relay: Relay) -> None:
    store = await opened(relay.url)
    await ask(store, 1)
    assert await stands(store, 1)
    relay.cut_all()
    await ask(store, 2)
    assert await stands(store, 2)


async def test_while_the_server_is_away_everything_says_so(url: str) -> None:
    with PostgresServer(present(debian(), "no PostgreSQL")) as server:
        from sayso.store.postgres.store import open_postgres

        store = await open_postgres(server.fresh())
        await ask(store, 1)
        server.kill()
        with pytest.raises(CommitUnknown):
            await ask(store, 2)
        with pytest.raises(CommitUnknown):
            await store.query("orgs")
        server.start()
        await ask(store, 3)
        assert [await stands(store, number) for number in (1, 2, 3)] == [True, False, True]
        await store.close()


async def test_a_transaction_that_is_cancelled_leaves_nothing_and_no_lock(opened: Open, session: Session) -> None:
    store, other = await opened(), await opened()
    await ask(store, 1)
    async with other.transaction(0) as holder:
        await holder.load(Wanted(streams=frozenset({stream(1)})))
        waiting = asyncio.create_task(change(store))
        await until(lambda: has_lock(session))
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
    await change(store)


async def change(store: PostgresStore) -> None:
    async with store.transaction(0) as transaction:
        await transaction.load(Wanted(streams=frozenset({stream(1)})))


async def has_lock(session: Session) -> bool:
    return bool((await session.fetch("select count(*) from pg_locks where not granted"))[0][0])


async def test_a_server_that_cannot_be_reached_is_told_of_without_its_password(opened: Open, url: str) -> None:
    port = url.rpartition(":")[2].partition("/")[0]
    with pytest.raises(StoreError, match=r"connect to postgresql://127\.0\.0\.1/") as refused:
        await opened(url.replace(port, "1"))
    assert "correct-horse" not in str(refused.value)
    assert refused.value.__cause__ is None


async def test_an_address_that_is_none_is_not_repeated(opened: Open) -> None:
    with pytest.raises(StoreError, match="must be a URL such as") as refused:
        await opened("mysql://me:secret@there/db")
    assert "secret" not in str(refused.value)
