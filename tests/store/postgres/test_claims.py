"""Claims that other processes see: by the database's clock, for a minute, and never in the way of a batch."""

from dataclasses import replace

import pytest

from sayso.core.heads import CLAIM_US
from sayso.ports import Batch, Due, HeadWrite, Wanted
from sayso.store.postgres.connection import Session
from sayso.store.postgres.store import PostgresStore
from tests.app.world import TurnedClock
from tests.store.examples import answered, asked, merged, stream
from tests.store.postgres.conftest import Open

pytestmark = pytest.mark.anyio

_DUE = "select due_at from heads where stream = $1"


async def write(store: PostgresStore, *batches: Batch) -> None:
    async with store.transaction(0) as transaction:
        await transaction.write(merged(*batches))


async def due_at(session: Session, number: int) -> int | None:
    found: int | None = (await session.fetch(_DUE, stream(number)))[0][0]
    return found


async def test_what_one_process_has_claimed_the_others_pass_by_for_a_minute(opened: Open) -> None:
    clock = TurnedClock(1_000)
    one, other = await opened(clock=clock), await opened(clock=clock)
    await write(one, asked(1, due_at=10), asked(2, due_at=20))
    assert [due.due_at for due in await one.claim(0, 1)] == [10]
    assert [due.due_at for due in await other.claim(0, 10)] == [20]
    assert await other.next_due(0) == 1_000 + CLAIM_US
    clock.at += CLAIM_US
    assert len(await other.claim(0, 10)) == 2


async def test_a_claim_goes_by_the_databases_clock(opened: Open) -> None:
    store = await opened()
    now = await store.now()
    await write(store, asked(1, due_at=now - 1), asked(2, due_at=now + 3_600_000_000))
    assert await store.claim(0, 10) == [Due(shard=0, stream=stream(1), playbook=1, due_at=now - 1)]


async def test_what_is_given_back_is_due_when_it_was(opened: Open, session: Session) -> None:
    store = await opened(clock=TurnedClock(1_000))
    await write(store, asked(1, due_at=10))
    claimed = await store.claim(0, 10)
    assert await due_at(session, 1) == 1_000 + CLAIM_US
    await store.release(0, claimed)
    assert await due_at(session, 1) == 10
    await store.release(0, claimed)
    await store.release(0, [])
    assert await due_at(session, 1) == 10


async def test_what_a_unit_wrote_meanwhile_stands_when_the_claim_is_given_back(opened: Open, session: Session) -> None:
    store = await opened(clock=TurnedClock(1_000))
    batch = asked(1, due_at=10)
    await write(store, batch, asked(2, due_at=11))
    claimed = await store.claim(0, 10)
    head = replace(asked(2).heads[0].head, version=2, due_at=77)
    await write(store, answered(batch.heads[0].head), Batch(heads=[HeadWrite(head=head, base=1)]))
    await store.release(0, claimed)
    assert [await due_at(session, number) for number in (1, 2)] == [None, 77]


async def test_a_unit_of_the_claiming_process_sees_when_a_stream_was_due(opened: Open) -> None:
    """So the worker notices that a stream stays due, and lets it rest."""
    one, other = await opened(clock=TurnedClock(1_000)), await opened(clock=TurnedClock(1_000))
    await write(one, asked(1, due_at=10))
    await one.claim(0, 10)
    seen = []
    for store in (one, other):
        async with store.transaction(0) as transaction:
            seen.append((await transaction.load(Wanted(streams=frozenset({stream(1)})))).heads[0].due_at)
    assert seen == [10, 1_000 + CLAIM_US]


async def test_a_claim_does_not_wait_for_a_batch_nor_a_batch_for_a_claim(opened: Open) -> None:
    one, other = await opened(clock=TurnedClock(1_000)), await opened(clock=TurnedClock(1_000))
    await write(one, asked(1, due_at=10), asked(2, due_at=20))
    claimed = await other.claim(0, 1)
    async with one.transaction(0) as transaction:
        await transaction.load(Wanted(streams=frozenset({stream(1), stream(2)})))
        assert await other.claim(0, 10) == []
        await other.release(0, claimed)
    assert [due.due_at for due in await other.claim(0, 10)] == [20]
