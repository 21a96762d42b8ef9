"""The lists that doors show: their order, their filters, their ends."""

from typing import Any

import pytest

from sayso.core.heads import StreamKind
from sayso.core.rows import head as head_of
from tests.store.conftest import Stored
from tests.store.examples import EVENTS, NOW, answered, asked, kept, merged, recorded, run_named, saved, stream

pytestmark = pytest.mark.anyio

OPEN: dict[str, Any] = {"playbook": 1, "before": None, "function": None, "limit": 10}
FOR: dict[str, Any] = {"playbook": 1, "before": None, "to": None, "function": None, "limit": 10}
RUNS: dict[str, Any] = {
    "playbook": 1,
    "before_position": None,
    "type": None,
    "name": None,
    "outcome": None,
    "limit": 10,
}
DEFINITIONS: dict[str, Any] = {
    "playbook": 1,
    "type": "interaction",
    "include_retired": False,
    "after_name": None,
    "limit": 9,
}


async def numbers(stored: Stored, name: str, /, **parameters: Any) -> list[int]:
    """Which of the tests' streams a list shows."""
    known = {stream(n, stored.shard): n for n in range(1000)}
    return [known[row["stream"]] for row in await stored.rows(name, **parameters)]


async def test_open_requests_are_shown_newest_first_with_what_was_asked(stored: Stored) -> None:
    function = saved(1, "pay", 1, shard=stored.shard)
    await stored.write(
        merged(function, *(asked(n, shard=stored.shard, definition=stream(1, stored.shard)) for n in (2, 3)))
    )
    newest = (await stored.rows("open_requests", **OPEN))[0]
    assert newest["stream"] == stream(3, stored.shard)
    assert (newest["type"], newest["name"], newest["function_version"]) == ("interaction", "pay", 1)
    assert (newest["output_schema"], newest["asked_at"]) == ('{"v":1}', NOW + 2)
    assert '"message":"Pay “it”?"' in newest["content"]
    assert head_of(newest).party == "the treasurer"


async def test_a_request_whose_definition_is_not_there_is_listed_all_the_same(stored: Stored) -> None:
    await stored.write(asked(1, shard=stored.shard, definition=None))
    assert await numbers(stored, "open_requests", **OPEN) == [1]


async def test_open_requests_filter_by_party_and_function_and_leave_out_what_ended(stored: Stored) -> None:
    shard, other = stored.shard, stream(900)
    batch = asked(1, shard=shard)
    await stored.write(
        merged(
            batch,
            asked(2, shard=shard, definition=other),
            asked(3, shard=shard, party="x"),
            asked(4, shard=shard, playbook=2),
        ),
        asked(5, shard=shard, party="x", definition=other),
    )
    await stored.write(answered(batch.heads[0].head))
    assert await numbers(stored, "open_requests", **OPEN) == [5, 3, 2]
    assert {*await numbers(stored, "open_to_party", **FOR | {"party": "x"})} == {5, 3}
    assert await numbers(stored, "open_requests", **OPEN | {"function": other}) == [5, 2]
    assert {*await numbers(stored, "open_to_party", **FOR | {"party": "x", "function": other})} == {5}
    assert await stored.rows("open_count", playbook=1) == [{"open": 3}]


async def test_what_waits_for_a_party_is_what_was_put_to_it_and_what_it_is_to_answer(stored: Stored) -> None:
    shard, other = stored.shard, stream(900)
    ended = asked(1, shard=shard, party="x")
    await stored.write(
        merged(
            ended,
            asked(2, shard=shard, party="x", definition=other),
            asked(3, shard=shard, party="y", answerer="x"),
            asked(4, shard=shard, party="x", answerer="y"),
            asked(5, shard=shard, party="x", playbook=2),
            asked(6, shard=shard, party="y"),
            asked(7, shard=shard, party="y", answerer="x", definition=other),
        )
    )
    await stored.write(answered(ended.heads[0].head))

    async def waiting(**filters: Any) -> list[int]:
        return sorted(await numbers(stored, "open_to_party", **FOR | {"party": "x"} | filters))

    assert await waiting() == [2, 3, 4, 7]
    assert await waiting(to="x") == [2, 4]
    assert await waiting(to="y") == [3, 7]
    assert await waiting(function=other) == [2, 7]
    assert await waiting(limit=1) == [4, 7]
    assert await waiting(before=stream(4, shard)) == [2, 3]
    assert await waiting(party="nobody") == []


async def test_requests_are_read_by_their_streams_as_far_as_they_wait(stored: Stored) -> None:
    batch = asked(1, shard=stored.shard)
    await stored.write(merged(batch, asked(2, shard=stored.shard), asked(3, shard=stored.shard)))
    await stored.write(answered(batch.heads[0].head))
    streams = [stream(n, stored.shard) for n in (1, 2, 3, 4)]
    assert await numbers(stored, "open_requests_named", streams=streams) == [3, 2]


async def test_open_requests_are_read_page_by_page(stored: Stored) -> None:
    await stored.write(merged(*(asked(n, shard=stored.shard) for n in range(7))))
    seen: list[int] = []
    while page := await numbers(
        stored, "open_requests", **OPEN | {"limit": 3, "before": stream(seen[-1], stored.shard) if seen else None}
    ):
        seen += page
    assert seen == [6, 5, 4, 3, 2, 1, 0]


async def test_runs_are_listed_by_their_first_start_with_their_newest_event(stored: Stored) -> None:
    first, shard = asked(1, shard=stored.shard), stored.shard
    await stored.write(saved(9, "pay", 1, shard=shard), first, asked(2, shard=shard), asked(3, shard=shard, playbook=2))
    await stored.write(answered(first.heads[0].head))
    rows = await stored.rows("runs_page", **RUNS)
    assert [(row["stream"], row["type"]) for row in rows] == [(stream(2, shard), 2), (stream(1, shard), 5)]
    assert {(row["examined"], row["more"]) for row in rows} == {(1, 0)}
    assert [row["started_position"] for row in rows] == [3, 1]
    assert await numbers(stored, "runs_page", **RUNS | {"before_position": 3}) == [1]


async def test_runs_are_filtered_while_the_feed_is_walked(stored: Stored) -> None:
    first, shard = asked(1, shard=stored.shard), stored.shard
    await stored.write(first, asked(2, shard=shard))
    await stored.write(answered(first.heads[0].head))
    assert await numbers(stored, "runs_page", **RUNS | {"outcome": 1}) == [1]
    assert await numbers(stored, "runs_page", **RUNS | {"outcome": 0}) == [2]


async def test_a_page_of_runs_tells_how_far_it_looked_though_it_shows_none(stored: Stored) -> None:
    assert [(row["stream"], row["examined"], row["more"]) for row in await stored.rows("runs_page", **RUNS)] == [
        (None, None, 0)
    ]
    await stored.write(asked(1, shard=stored.shard))
    row = (await stored.rows("runs_page", **RUNS | {"outcome": 3}))[0]
    assert (row["stream"], row["examined"], row["more"]) == (None, 1, 0)


async def test_a_page_of_runs_looks_at_a_thousand_events(stored: Stored) -> None:
    first = asked(1, shard=stored.shard)
    its = first.heads[0].head.stream
    many = [(1, event) for event in recorded(its, *[EVENTS[6]] * 1000, after=2)]
    first.events.extend(many)
    await stored.write(first)
    row = (await stored.rows("runs_page", **RUNS))[0]
    assert (row["stream"], row["examined"], row["more"]) == (None, 3, 1)
    row = (await stored.rows("runs_page", **RUNS | {"before_position": 3}))[0]
    assert (row["stream"], row["examined"], row["more"]) == (its, 1, 0)


async def test_definitions_are_listed_by_name_in_their_newest_versions(stored: Stored) -> None:
    shard = stored.shard
    await stored.write(
        merged(
            saved(1, "pay", 1, 2, shard=shard),
            saved(2, "approve", 1, shard=shard),
            saved(3, "old", 1, shard=shard, retired=True),
            saved(4, "pay", 1, shard=shard, playbook=2),
        )
    )
    rows = await stored.rows("definitions", **DEFINITIONS)
    assert [(row["name"], row["version"], row["created_by"]) for row in rows] == [("approve", 1, 1), ("pay", 2, 1)]
    assert "source" not in rows[0]
    assert await numbers(stored, "definitions", **DEFINITIONS | {"include_retired": True}) == [2, 3, 1]
    assert await numbers(stored, "definitions", **DEFINITIONS | {"after_name": "approve", "limit": 1}) == [1]
    assert await numbers(stored, "definitions", **DEFINITIONS | {"type": "workflow"}) == []


async def test_a_definition_is_read_at_its_newest_version(stored: Stored) -> None:
    await stored.write(saved(1, "pay", 1, 2, shard=stored.shard, retired=True))
    pay = {"playbook": 1, "type": "interaction", "name": "pay", "version": None}
    latest = (await stored.rows("definition_version", **pay))[0]
    assert (latest["version"], latest["source"], latest["output_schema"]) == (2, "v2", '{"v":2}')
    assert (latest["created_at"], latest["created_by"], latest["at"], latest["by"]) == (NOW + 1, 1, NOW + 2, 2)
    assert (latest["outcome"], latest["ended_at"], latest["definition_version"]) == (4, NOW, 2)
    assert await stored.rows("definition_version", **pay | {"name": "none"}) == []


async def test_a_definition_is_read_at_a_version_or_the_newest_before(stored: Stored) -> None:
    await stored.write(saved(1, "pay", 1, 2, shard=stored.shard))
    pay = {"playbook": 1, "type": "interaction", "name": "pay"}
    found = [(await stored.rows("definition_version", **pay, version=version))[0] for version in (1, 2, 9)]
    assert [(row["version"], row["source"], row["created_at"]) for row in found] == [
        (1, "v1", NOW + 1),
        (2, "v2", NOW + 1),
        (2, "v2", NOW + 1),
    ]


async def test_a_history_is_read_from_both_ends(stored: Stored) -> None:
    batch = asked(1, shard=stored.shard)
    its = batch.heads[0].head.stream
    batch.events[:] = [(1, event) for event in recorded(its, *EVENTS)]
    await stored.write(batch)

    async def seqs(name: str, **bounds: Any) -> list[int]:
        return [row["seq"] for row in await stored.rows(name, stream=its, **bounds)]

    assert await seqs("events_page_asc", after=None, limit=3) == [1, 2, 3]
    assert await seqs("events_page_asc", after=7, limit=3) == [8, 9, 10]
    assert await seqs("events_page_desc", before=None, limit=2) == [12, 11]
    assert await seqs("events_page_desc", before=2, limit=2) == [1]
    assert await seqs("events_since", from_seq=10) == [10, 11, 12]


async def test_an_event_is_read_with_what_its_stream_is_of(stored: Stored) -> None:
    await stored.write(asked(1, shard=stored.shard, playbook=7, run_id=run_named("mine")))
    row = (await stored.rows("event", stream=stream(1, stored.shard), seq=2))[0]
    assert (row["playbook"], row["kind"], row["run_id"], row["position"]) == (
        7,
        StreamKind.REQUEST,
        run_named("mine"),
        2,
    )
    assert await stored.rows("event", stream=stream(1, stored.shard), seq=3) == []


async def test_a_head_is_read_by_id_run_id_and_key_within_its_playbook(stored: Stored) -> None:
    shard = stored.shard
    run, chat = (
        asked(1, shard=shard, run_id=run_named("mine")),
        kept(2, StreamKind.CONVERSATION, shard=shard, key=b"chat"),
    )
    await stored.write(merged(run, chat))
    by_id = await stored.rows("head", playbook=1, stream=stream(1, shard))
    by_name = await stored.rows("head_of_run", playbook=1, run_id=run_named("mine"))
    by_key = await stored.rows("head_keyed", playbook=1, kind=3, key=b"chat")
    assert [head_of(row) for row in (*by_id, *by_name, *by_key)] == [
        run.heads[0].head,
        run.heads[0].head,
        chat.heads[0].head,
    ]
    assert not await stored.rows("head", playbook=2, stream=stream(1, shard))
    assert not await stored.rows("head_of_run", playbook=2, run_id=run_named("mine"))
    assert not await stored.rows("head_keyed", playbook=1, kind=7, key=b"chat")
