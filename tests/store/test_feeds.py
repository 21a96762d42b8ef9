"""The feed's pages, and what lists over an org find: their order, their bounds, their ends."""

from dataclasses import replace
from typing import Any

import pytest

from sayso.core.heads import Outcome, StreamKind
from tests.store.conftest import Stored
from tests.store.examples import EVENTS, NOW, STARTED, answered, asked, merged, recorded, saved, stream

pytestmark = pytest.mark.anyio

FEED: dict[str, Any] = {"playbook": 1, "floor": 0, "code": None, "is_first": None, "since": None, "limit": 10}
ASC, DESC = FEED | {"after_position": None}, FEED | {"before_position": None}
RUNS: dict[str, Any] = {"org": 1, "before": None, "type": None, "name": None, "outcome": None, "limit": 10}


async def positions(stored: Stored, name: str, /, **parameters: Any) -> list[int | None]:
    return [row["position"] for row in await stored.rows(name, **parameters)]


async def numbers(stored: Stored, name: str, /, **parameters: Any) -> list[int]:
    """Which of the tests' streams are found."""
    known = {stream(n, stored.shard): n for n in range(1100)}
    return [known[row["stream"]] for row in await stored.rows(name, **parameters) if row["stream"] is not None]


async def test_a_feed_is_read_from_both_ends(stored: Stored) -> None:
    shard = stored.shard
    await stored.write(asked(2, shard=shard), asked(3, shard=shard, playbook=2), asked(4, shard=shard))
    forth, back = await stored.rows("feed_page_asc", **ASC), await stored.rows("feed_page_desc", **DESC)
    assert [row["position"] for row in forth] == [row["position"] for row in back][::-1] == [1, 2, 3, 4]
    assert (forth[3]["kind"], forth[3]["stream"]) == (StreamKind.REQUEST, stream(4, shard))
    assert {(row["examined"], row["more"]) for row in forth} == {(4, 0)}
    assert {(row["examined"], row["more"]) for row in back} == {(1, 0)}


async def test_pages_begin_where_they_are_told(stored: Stored) -> None:
    await stored.write(*(asked(n, shard=stored.shard) for n in range(4)))
    assert await positions(stored, "feed_page_asc", **ASC | {"after_position": 3, "limit": 2}) == [4, 5]
    assert await positions(stored, "feed_page_desc", **DESC | {"before_position": 3}) == [2, 1]
    assert await positions(stored, "feed_page_asc", **ASC | {"floor": 7}) == [7, 8]
    assert await positions(stored, "feed_page_desc", **DESC | {"floor": 7}) == [8, 7]
    assert await stored.rows("feed_end", playbook=1) == [{"position": 8}]
    assert (await stored.rows("feed_at", playbook=1, position=8))[0]["position"] == 8
    assert await stored.rows("feed_at", playbook=1, position=9) == []


async def test_a_feed_is_filtered_by_type_and_time(stored: Stored) -> None:
    first, shard = asked(1, shard=stored.shard), stored.shard
    first.events[1] = (1, replace(first.events[1][1], at=NOW + 99))
    await stored.write(first, asked(2, shard=shard))
    assert await positions(stored, "feed_page_desc", **DESC | {"code": 2}) == [4, 2]
    assert await positions(stored, "feed_page_asc", **ASC | {"is_first": True}) == [1, 3]
    assert await positions(stored, "feed_page_asc", **ASC | {"is_first": False}) == [2, 4]
    assert await positions(stored, "feed_page_asc", **ASC | {"since": NOW + 99}) == [2]


@pytest.mark.parametrize(("name", "parameters", "examined"), [("feed_page_asc", ASC, 4), ("feed_page_desc", DESC, 1)])
async def test_a_page_without_an_event_tells_how_far_it_looked(
    stored: Stored, name: str, parameters: dict[str, Any], examined: int
) -> None:
    (row,) = await stored.rows(name, **parameters)
    assert (row["stream"], row["examined"], row["more"]) == (None, None, 0)
    await stored.write(asked(1, shard=stored.shard), asked(2, shard=stored.shard))
    (row,) = await stored.rows(name, **parameters | {"code": 7})
    assert (row["stream"], row["examined"], row["more"]) == (None, examined, 0)


async def test_a_page_looks_at_a_thousand_events(stored: Stored) -> None:
    first = asked(1, shard=stored.shard)
    its = first.heads[0].head.stream
    first.events.extend((1, event) for event in recorded(its, *[EVENTS[6]] * 1000, after=2))
    await stored.write(first)
    (row,) = await stored.rows("feed_page_desc", **DESC | {"code": 1})
    assert (row["stream"], row["examined"], row["more"]) == (None, 3, 1)
    (row,) = await stored.rows("feed_page_asc", **ASC | {"code": 2, "after_position": 2})
    assert (row["stream"], row["examined"], row["more"]) == (None, 1002, 1)


async def test_a_page_holds_four_mebibytes_of_content(stored: Stored) -> None:
    batches = [asked(n, shard=stored.shard) for n in range(6)]
    for batch in batches:
        started = batch.events[0][1]
        batch.events[0] = (1, replace(started, event=replace(STARTED, input="x" * 1_000_000)))
    await stored.write(*batches)
    page = await stored.rows("feed_page_asc", **ASC | {"limit": 101})
    assert ([row["position"] for row in page], page[0]["matched"]) == ([1, 2, 3, 4, 5, 6, 7, 8], 12)


async def test_the_newest_that_wait_are_found_among_playbooks(stored: Stored) -> None:
    shard = stored.shard
    batches = [asked(n, shard=shard, playbook=n % 3 + 1, party="x" if n % 2 else "y") for n in range(9)]
    await stored.write(*batches)
    await stored.write(answered(batches[8].heads[0].head))
    among = {"among": "1,3", "before": None, "party": None, "limit": 4}
    assert await numbers(stored, "open_among", **among) == [6, 5, 3, 2]
    assert await numbers(stored, "open_among", **among | {"before": stream(3, shard)}) == [2, 0]
    assert await numbers(stored, "open_among", **among | {"party": "y"}) == [6, 2, 0]
    assert [row["playbook"] for row in await stored.rows("open_among", **among | {"limit": 2})] == [1, 3]
    assert await numbers(stored, "open_among", **among | {"among": "7"}) == []


async def test_runs_of_all_kinds_and_playbooks_of_an_org_are_found(stored: Stored) -> None:
    shard = stored.shard
    batches = [asked(n, shard=shard, playbook=n % 2 + 1) for n in range(5)]
    called = batches[3].heads[0]
    ended = replace(called.head, kind=StreamKind.CALL, outcome=Outcome.SUCCEEDED, ended_at=NOW, due_at=None)
    batches[3].heads[0] = replace(called, head=ended)
    other = batches[1].heads[0]
    batches[1].heads[0] = replace(other, head=replace(other.head, org=2))
    batches[3].opened = {}
    await stored.write(merged(*batches), saved(9, "pay", 1, shard=shard))
    assert await numbers(stored, "org_runs_page", **RUNS) == [4, 3, 2, 0]
    assert await numbers(stored, "org_runs_page", **RUNS | {"before": stream(3, shard)}) == [2, 0]
    assert await numbers(stored, "org_runs_page", **RUNS | {"outcome": 0, "limit": 2}) == [4, 2]
    assert await numbers(stored, "org_runs_page", **RUNS | {"org": 2}) == [1]
    assert (await stored.rows("org_runs_page", **RUNS))[0]["more"] == 0


async def test_a_walk_over_runs_looks_at_a_thousand(stored: Stored) -> None:
    await stored.write(merged(*(asked(n, shard=stored.shard) for n in range(1003))))
    (row,) = await stored.rows("org_runs_page", **RUNS | {"outcome": 1})
    assert (row["stream"], row["examined"], row["more"]) == (None, stream(3, stored.shard), 1)
