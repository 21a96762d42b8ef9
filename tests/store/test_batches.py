"""What a batch writes is what the next one loads, whole or not at all."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from sayso.core import rows
from sayso.core.events import CODES, RunSucceeded, to_wire
from sayso.core.heads import StreamKind
from sayso.ports import Batch, InboxRow, KeptState, MemberRow, Moved, StatementFailed
from tests.store.conftest import Stored
from tests.store.examples import EVENTS, STARTED, answered, asked, kept, merged, recorded, run_named, saved, stream

pytestmark = pytest.mark.anyio

X, TWO = run_named("x"), run_named("two")
# A name that is taken: a fault of ours where one process writes; where several do, another one was first.
TAKEN = (StatementFailed, Moved)


def test_there_is_an_example_of_each_event() -> None:
    assert {type(event) for event in EVENTS} == set(CODES.values())


async def test_every_event_comes_back_with_its_content(stored: Stored) -> None:
    batch = asked(1, shard=stored.shard)
    its = batch.heads[0].head.stream
    events = recorded(its, *EVENTS)
    await stored.write(replace(batch, events=[(1, event) for event in events]))
    found = await stored.rows("events_since", stream=its, from_seq=1)
    assert [rows.recorded(its, row) for row in found] == events


async def test_a_load_gives_heads_and_what_folds_without_content(stored: Stored) -> None:
    batch = asked(1, shard=stored.shard, run_id=run_named("mine"))
    await stored.write(batch)
    loaded = await stored.load(streams=frozenset({stream(1, stored.shard)}), playbooks=frozenset({1, 9}))
    assert loaded.heads == [batch.heads[0].head]
    events = loaded.events[stream(1, stored.shard)]
    assert [to_wire(one.event) for one in events] == [(to_wire(e.event)[0], None) for _, e in batch.events]
    assert loaded.open_requests == {1: 1, 9: 0}


async def test_of_several_streams_each_is_loaded_once_however_it_is_found(stored: Stored) -> None:
    batches = [asked(n, shard=stored.shard, run_id=bytes([n] * 16)) for n in (1, 2, 3)]
    await stored.write(merged(*batches))
    streams = [batch.heads[0].head.stream for batch in batches]
    loaded = await stored.load(streams=frozenset(streams), run_ids=frozenset({(1, bytes([2] * 16))}))
    assert [head.stream for head in loaded.heads] == streams
    assert {stream: [event.seq for event in events] for stream, events in loaded.events.items()} == {
        stream: [1, 2] for stream in streams
    }


async def test_a_load_begins_at_the_latest_start(stored: Stored) -> None:
    batch = asked(1, shard=stored.shard)
    its = replace(batch.heads[0].head, from_seq=2)
    await stored.write(replace(batch, heads=[replace(batch.heads[0], head=its)]))
    loaded = await stored.load(streams=frozenset({its.stream}))
    assert [event.seq for event in loaded.events[its.stream]] == [2]


async def test_streams_are_found_by_id_run_id_and_key_at_once(stored: Stored) -> None:
    shard = stored.shard
    await stored.write(
        merged(
            asked(3, shard=shard),
            asked(2, shard=shard, run_id=TWO),
            saved(1, "pay", 1, shard=shard),
            kept(4, StreamKind.CONVERSATION, shard=shard, key=b"pay"),
        )
    )
    loaded = await stored.load(
        streams=frozenset({stream(3, shard)}),
        run_ids=frozenset({(1, TWO), (2, TWO), (1, run_named("none"))}),
        keys=frozenset({(1, StreamKind.DEFINITION, b"pay"), (1, StreamKind.CONVERSATION, b"other")}),
    )
    assert [head.stream for head in loaded.heads] == [stream(n, shard) for n in (1, 2, 3)]


async def test_a_load_takes_parents_in_but_not_their_parents(stored: Stored) -> None:
    shard = stored.shard
    grand, parent = kept(1, StreamKind.AGENT, shard=shard), kept(2, StreamKind.AGENT, shard=shard)
    its = replace(parent.heads[0].head, parent=stream(1, shard))
    child = asked(3, shard=shard, parent=stream(2, shard))
    await stored.write(merged(grand, replace(parent, heads=[replace(parent.heads[0], head=its)]), child))
    loaded = await stored.load(streams=frozenset({stream(3, shard)}))
    assert [head.stream for head in loaded.heads] == [stream(2, shard), stream(3, shard)]


async def test_a_load_takes_in_the_conversations_that_a_stream_is_still_in(stored: Stored) -> None:
    shard, chat, its = stored.shard, stream(1, stored.shard), stream(2, stored.shard)
    whole = merged(kept(1, StreamKind.CONVERSATION, shard=shard, key=b"chat"), *(asked(n, shard=shard) for n in (2, 3)))
    whole.states.append(state(chat))
    whole.joined = [MemberRow(conversation=chat, sent_id=sent, stream=its, asked_at=5) for sent in ("m1", "m2", "m1")]
    await stored.write(whole)
    assert await taken_in(stored, its) == [chat, its]
    assert await taken_in(stored, stream(3, shard)) == [stream(3, shard)]
    await stored.write(Batch(left=[(its, 9)]))
    assert await taken_in(stored, its) == [its]


async def taken_in(stored: Stored, its: bytes) -> list[bytes]:
    return [head.stream for head in (await stored.load(streams=frozenset({its}))).heads]


async def test_a_kept_machine_gets_its_state_and_its_inbox_in_order(stored: Stored) -> None:
    its = stream(1, stored.shard)
    row = InboxRow(stream=its, n=2, from_stream=stream(2), body={"outcome": 1})
    first, second = replace(row, n=1), KeptState(stream=its, format=2, state={"step": [2]})
    await stored.write(
        replace(
            kept(1, StreamKind.WORKFLOW, shard=stored.shard), states=[replace(second, state=None)], inbox=[row, first]
        ),
        Batch(states=[second]),
    )
    loaded = await stored.load(streams=frozenset({its}))
    assert (loaded.states, loaded.inbox) == ({its: second}, {its: [first, row]})


async def test_an_inbox_row_that_is_put_and_taken_in_one_batch_is_gone(stored: Stored) -> None:
    its = stream(1, stored.shard)
    rows = [InboxRow(stream=its, n=n, from_stream=its, body=None) for n in (1, 2)]
    await stored.write(
        replace(kept(1, StreamKind.AGENT, shard=stored.shard), inbox=rows, taken=[(its, 1)], states=[state(its)])
    )
    assert (await stored.load(streams=frozenset({its}))).inbox == {its: [rows[1]]}


def state(its: bytes) -> KeptState:
    return KeptState(stream=its, format=1, state={})


@pytest.mark.parametrize("count", [1, 2, 3, 64, 65, 500])
async def test_a_load_takes_any_number_of_streams_and_run_ids(stored: Stored, count: int) -> None:
    streams, run_ids = [stream(n, stored.shard) for n in range(2 * count)], [stream(n) for n in range(count)]
    named = [asked(n, shard=stored.shard, run_id=run_id) for n, run_id in enumerate(run_ids)]
    await stored.write(merged(*named, *(asked(n, shard=stored.shard) for n in range(count, 2 * count))))
    by_run_id = await stored.load(run_ids=frozenset((1, run_id) for run_id in run_ids))
    assert [head.stream for head in by_run_id.heads] == streams[:count]
    both = await stored.load(streams=frozenset(streams[count:]), run_ids=frozenset((1, one) for one in run_ids))
    assert [head.stream for head in both.heads] == streams


async def test_nothing_wanted_is_nothing_loaded(stored: Stored) -> None:
    loaded = await stored.load()
    assert (loaded.heads, loaded.events, loaded.open_requests) == ([], {}, {})


async def test_a_head_changes_only_from_the_version_it_was_loaded_at(stored: Stored) -> None:
    await stored.write(asked(1, shard=stored.shard))
    head = (await stored.load(streams=frozenset({stream(1, stored.shard)}))).heads[0]
    await stored.write(answered(head))
    late = replace(answered(head), events=[])
    with pytest.raises(StatementFailed, match="fence"):
        await stored.write(late)
    assert stored.fences == 1
    assert (await stored.rows("open_count", playbook=1)) == [{"open": 0}]


async def test_no_event_is_written_twice(stored: Stored) -> None:
    batch = asked(1, shard=stored.shard)
    await stored.write(batch)
    with pytest.raises(StatementFailed):
        await stored.write(Batch(events=batch.events[:1]))
    assert stored.fences == 1


async def test_no_stream_is_made_twice(stored: Stored) -> None:
    batch = asked(1, shard=stored.shard)
    await stored.write(batch)
    with pytest.raises(TAKEN):
        await stored.write(batch)
    assert await stored.rows("open_count", playbook=1) == [{"open": 1}]


async def test_one_run_id_names_one_stream_of_a_playbook(stored: Stored) -> None:
    await stored.write(asked(1, shard=stored.shard, run_id=X), asked(2, shard=stored.shard, playbook=2, run_id=X))
    with pytest.raises(TAKEN):
        await stored.write(asked(3, shard=stored.shard, run_id=X))


async def test_the_feed_of_each_playbook_has_no_gap(stored: Stored) -> None:
    numbers = iter(range(1000))
    for size in (1, 7, 3, 20):
        batch = [asked(next(numbers), shard=stored.shard, playbook=1 + n % 3) for n in range(size)]
        await stored.write(merged(*batch))
        with pytest.raises(TAKEN):  # a batch that fails moves no counter
            await stored.write(merged(asked(900, shard=stored.shard), *batch[:1]))
    for playbook, runs in ((1, 12), (2, 10), (3, 9)):
        assert await positions(stored, playbook) == list(range(1, 2 * runs + 1))


async def positions(stored: Stored, playbook: int) -> list[int]:
    """The positions of a playbook's events, in the order of their streams."""
    heads = (await stored.load(streams=frozenset(stream(n, stored.shard) for n in range(1000)))).heads
    found = [await stored.rows("events_since", stream=h.stream, from_seq=1) for h in heads if h.playbook == playbook]
    return [row["position"] for rows in found for row in rows]


async def test_a_body_that_raises_leaves_nothing(stored: Stored) -> None:
    async def body() -> None:
        async with stored.store.transaction(stored.shard) as transaction:
            await transaction.write(asked(1, shard=stored.shard))
            raise LookupError("no")

    with pytest.raises(LookupError):
        await body()
    assert (await stored.load(streams=frozenset({stream(1, stored.shard)}), playbooks=frozenset({1}))).heads == []
    assert await stored.rows("open_count", playbook=1) == []


@pytest.mark.parametrize(
    "output", [float("nan"), "\ud800", {1, 2}, 10**5000], ids=["nan", "surrogate", "no JSON", "digits"]
)
async def test_what_no_row_can_hold_fails_its_statement_and_leaves_nothing(stored: Stored, output: Any) -> None:
    batch = asked(1, shard=stored.shard)
    bad = recorded(stream(1, stored.shard), RunSucceeded(output_bytes=1, output=output), after=2)
    with pytest.raises(StatementFailed):
        await stored.write(replace(batch, events=[*batch.events, (1, bad[0])]))
    assert (await stored.load(streams=frozenset({stream(1, stored.shard)}))).heads == []


async def test_a_number_past_63_bits_in_a_column_fails_its_statement(stored: Stored) -> None:
    with pytest.raises(StatementFailed):
        await stored.write(asked(1, shard=stored.shard, due_at=1 << 63))


async def test_what_is_512_levels_deep_is_stored(stored: Stored) -> None:
    deep: Any = "leaf"
    for _ in range(512):
        deep = [deep]
    its = stream(1, stored.shard)
    event = recorded(its, replace(STARTED, input=deep))[0]
    await stored.write(replace(asked(1, shard=stored.shard), events=[(1, event)]))
    assert rows.recorded(its, (await stored.rows("event", stream=its, seq=1))[0]) == event


async def test_shards_do_not_see_each_other(stored: Stored) -> None:
    await stored.write(asked(1, shard=stored.shard, run_id=X))
    other = (stored.shard + 1) % 4
    if stored.store.shards == 4:
        assert not await stored.store.query("head_of_run", shard=other, playbook=1, run_id=X)
    async with stored.store.transaction(stored.shard) as transaction:
        assert not await transaction.query("head_of_run", shard=other, playbook=1, run_id=X)
    assert await stored.rows("head_of_run", playbook=1, run_id=X)


async def test_a_second_transaction_in_one_store_is_a_fault_of_the_caller(stored: Stored) -> None:
    async with stored.store.transaction(stored.shard):
        with pytest.raises(RuntimeError, match="open already"):
            await stored.load(streams=frozenset({stream(1)}))


async def test_a_query_takes_its_parameters_and_no_others(stored: Stored) -> None:
    wrong: Mapping[str, Any] = {"playbook": 1, "stream": b"", "other": 1}
    with pytest.raises(TypeError, match="head takes"):
        await stored.rows("head", **wrong)
