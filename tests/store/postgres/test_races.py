"""Several processes on one database: of those that race one is first, and the others decide anew."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from sayso.app.units.unit import Result, Unit
from sayso.app.units.writer import Writer
from sayso.core.commands import Answer, Order
from sayso.core.heads import Birth, StreamKind
from sayso.core.machines import MACHINES
from sayso.errors import Problem
from sayso.ports import Batch, Loaded, MemberRow, Moved, Wanted
from sayso.store.postgres.connection import Session
from sayso.store.postgres.store import PostgresStore
from tests.app.world import asking
from tests.store.examples import answered, asked, kept, merged, run_named, stream
from tests.store.postgres.conftest import Open, until_one_waits

pytestmark = pytest.mark.anyio


async def write(store: PostgresStore, batch: Batch) -> None:
    async with store.transaction(0) as transaction:
        await transaction.write(batch)


@pytest.mark.parametrize(
    "births",
    [
        [asked(n, run_id=run_named("same")) for n in (1, 2)],
        [kept(n, StreamKind.CONVERSATION, key=b"same") for n in (1, 2)],
    ],
    ids=["run id", "key"],
)
async def test_of_two_births_with_one_name_the_second_moves(
    opened: Open, session: Session, births: list[Batch]
) -> None:
    one, other = await opened(), await opened()
    async with one.transaction(0) as transaction:
        await transaction.write(births[0])
        second = asyncio.create_task(write(other, births[1]))
        await until_one_waits(session)
    with pytest.raises(Moved, match="gave a run id or a key away"):
        await second
    assert [row[0] for row in await session.fetch("select stream from heads")] == [stream(1)]


async def test_births_of_the_same_names_in_any_order_end_without_a_deadlock(opened: Open, session: Session) -> None:
    """Streams are minted by each process; what both name are the run ids."""
    one, other = await opened(), await opened()
    mine = merged(*(asked(n, run_id=run_named(f"r{n}")) for n in range(20)))
    theirs = merged(*(asked(100 - n, run_id=run_named(f"r{n}")) for n in range(20)))
    async with one.transaction(0) as transaction:
        await transaction.write(mine)
        second = asyncio.create_task(write(other, theirs))
        await until_one_waits(session)
    with pytest.raises(Moved, match="gave a run id"):
        await second


async def test_a_load_that_waited_sees_what_the_other_wrote(opened: Open, session: Session) -> None:
    one, other = await opened(), await opened()
    await write(one, asked(1))
    wanted = Wanted(streams=frozenset({stream(1)}), playbooks=frozenset({1}))
    async with one.transaction(0) as transaction:
        before = await transaction.load(wanted)
        second = asyncio.create_task(load(other, wanted))
        await until_one_waits(session)
        await transaction.write(answered(before.heads[0]))
    after = await second
    assert (after.heads[0].version, len(after.events[stream(1)]), after.open_requests) == (2, 4, {1: 0})
    assert after.now > before.now


async def load(store: PostgresStore, wanted: Wanted) -> Loaded:
    async with store.transaction(0) as transaction:
        return await transaction.load(wanted)


async def test_a_stream_that_was_sent_somewhere_while_its_head_was_waited_for_moves(
    opened: Open, session: Session
) -> None:
    one, other = await opened(), await opened()
    await write(one, merged(asked(1), kept(2, StreamKind.EXECUTION)))
    wanted = Wanted(streams=frozenset({stream(1)}))
    async with one.transaction(0) as transaction:
        await transaction.load(wanted)
        second = asyncio.create_task(load(other, wanted))
        await until_one_waits(session)
        sent = MemberRow(conversation=stream(2), sent_id="m1", stream=stream(1), asked_at=1)
        await transaction.write(Batch(joined=[sent]))
    with pytest.raises(Moved, match="sent into a conversation"):
        await second
    assert [head.stream for head in (await load(other, wanted)).heads] == [stream(1), stream(2)]


async def test_of_two_that_lock_crosswise_one_moves(opened: Open, session: Session, url: str) -> None:
    # Each looks for a deadlock once: the other has to, once there is one, and before the first does.
    one, other = await opened(), await opened(f"{url}?deadlock_timeout=300ms")
    await write(one, merged(asked(1), asked(2)))
    first, last = (Wanted(streams=frozenset({stream(n)})) for n in (1, 2))

    async def crosswise() -> None:
        async with other.transaction(0) as transaction:
            await transaction.load(last)
            await transaction.load(first)

    async with one.transaction(0) as transaction:
        await transaction.load(first)
        second = asyncio.create_task(crosswise())
        await until_one_waits(session)
        await transaction.load(last)
    with pytest.raises(Moved, match="deadlock"):
        await second


async def test_a_batch_moves_if_others_took_the_room_that_it_counted_on(opened: Open) -> None:
    store = await opened()
    await write(store, merged(asked(1), asked(2)))
    with pytest.raises(Moved, match="no room left"):
        await write(store, replace(asked(3), room={1: 2}))
    await write(store, replace(asked(3), room={1: 3}))
    await write(store, replace(answered(asked(1).heads[0].head), room={1: 1}))  # it opens none
    assert list(await store.query("open_count", shard=0, playbook=1)) == [{"open": 2}]


async def test_the_feeds_of_many_writers_have_no_gap_and_are_read_in_the_order_of_commits(
    opened: Open, session: Session
) -> None:
    stores = [await opened() for _ in range(4)]
    numbers = iter(range(1000))

    async def work(store: PostgresStore) -> None:
        for size in (1, 3, 7, 2, 5):
            await write(store, merged(*(asked(number := next(numbers), playbook=1 + number % 3) for _ in range(size))))

    async def follow() -> None:
        """Whatever is seen at any time begins with 1 and has no gap."""
        while True:
            seen = await session.fetch("select playbook, count(*), max(position) from events group by playbook")
            assert [row[1] for row in seen] == [row[2] for row in seen]

    follower = asyncio.create_task(follow())
    await asyncio.gather(*(work(store) for store in stores))
    follower.cancel()
    with pytest.raises(asyncio.CancelledError):
        await follower
    feeds = await session.fetch("select playbook, position, open from feeds order by playbook")
    counts = await session.fetch(
        "select playbook, count(*), count(*) / 2 from events group by playbook order by playbook"
    )
    assert [tuple(row) for row in feeds] == [tuple(row) for row in counts]


async def test_a_second_loop_has_connections_of_its_own(opened: Open) -> None:
    """The writer has a thread and a loop for itself; its connection ends with them."""
    store = await opened()
    await asyncio.to_thread(lambda: asyncio.run(write(store, asked(1))))
    assert len(await store.query("head", shard=0, playbook=1, stream=stream(1))) == 1


@contextlib.asynccontextmanager
async def writing(store: PostgresStore) -> AsyncIterator[Writer]:
    writer = Writer(store, MACHINES)
    task = asyncio.create_task(writer.run())
    yield writer
    writer.stop()
    await task


async def test_two_writers_that_ask_under_one_run_id_start_one_run_and_one_answer_is_taken(opened: Open) -> None:
    async with writing(await opened()) as one, writing(await opened()) as other:
        for number in range(20):
            birth = Birth(kind=StreamKind.REQUEST, org=1, playbook=1, run_id=run_named(f"r{number}"))
            orders = [Order(stream=stream(n), command=asking(), by=1, birth=birth) for n in (number, 100 + number)]
            asked_by = await asyncio.gather(*(submit(*each) for each in zip((one, other), orders, strict=True)))
            (its,) = {result.done[0].head.stream for result in asked_by}
            answers = [Answer(answer=n, answer_sha256=f"{n}" * 64, answer_bytes=1, checked_version=1) for n in (1, 2)]
            orders = [Order(stream=its, command=answer, by=1) for answer in answers]
            taken = await asyncio.gather(
                *(submit(*each) for each in zip((one, other), orders, strict=True)), return_exceptions=True
            )
            assert sorted(isinstance(each, Problem) for each in taken) == [False, True]


async def submit(writer: Writer, order: Order) -> Result:
    return await writer.submit(Unit(shard=0, playbook=1, orders=(order,)))
