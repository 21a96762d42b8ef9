"""The feed: every event of a playbook once, in the order of its commits, from either end and from a time on."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from sayso.core.instants import iso
from sayso.errors import Problem
from tests.app.studio import QUESTION, Studio, studio
from tests.app.world import HOUR

pytestmark = pytest.mark.anyio


@pytest.fixture
async def here() -> AsyncIterator[Studio]:
    async with studio(open_requests=2_000) as made:
        await made.save("ship-it")
        yield made


async def every(here: Studio, **fields: Any) -> list[dict[str, Any]]:
    """All events of a listing, and that its pages end."""
    found: list[dict[str, Any]] = []
    cursor: dict[str, Any] = {}
    while True:
        page = await here.do("list_playbook_events", **fields | cursor)
        found += page["events"]
        assert page["has_more"] == (page["next_cursor"] is not None)
        if page["next_cursor"] is None:
            return found
        cursor = {"cursor": page["next_cursor"]}


def positions(events: list[dict[str, Any]]) -> list[int]:
    return [event["metadata"]["global_position"] for event in events]


async def test_it_reads_the_same_from_both_ends(here: Studio) -> None:
    run_id = (await here.run())["run_id"]
    await here.do("answer_interaction", run_id=run_id, answer={"verdict": "yes"})
    forth, back = await every(here, order="asc", limit=2), await every(here, limit=3)
    assert forth == back[::-1]
    assert positions(forth) == [1, 2, 3, 4, 5]
    assert forth[1:] == (await here.do("get_run_history", run_id=run_id))["events"]
    assert forth[4]["data"] == {"output": {"verdict": "yes"}}


async def test_it_keeps_one_type(here: Studio) -> None:
    await here.run()
    await here.do("update_definition", type="interaction", name="ship-it", source=QUESTION + "Now?")
    for word, expected in (("definition_created", [1]), ("definition_updated", [4]), ("run_started", [2])):
        found = await every(here, type=word)
        assert ([event["type"] for event in found], positions(found)) == ([word], expected)
    assert await every(here, type="run_failed") == []


async def test_it_keeps_one_run_in_either_order(here: Studio) -> None:
    run_ids = [(await here.run())["run_id"] for _ in range(2)]
    history = (await here.do("get_run_history", run_id=run_ids[0]))["events"]
    assert await every(here, run_id=run_ids[0], order="asc", limit=1) == history
    assert await every(here, run_id=run_ids[0].upper(), limit=1) == history[::-1]
    assert await every(here, run_id=run_ids[1], type="run_started") != history[:1]
    assert await every(here, run_id="0192f0c1-0000-7000-8000-00000000ffff") == []


@pytest.mark.parametrize("order", ["asc", "desc"])
async def test_it_begins_at_a_time(here: Studio, order: str) -> None:
    for _ in range(20):
        here.clock.at += HOUR // 60
        await here.run()
    since = here.clock.at - 5 * HOUR // 60
    found = await every(here, since=iso(since), order=order, limit=4)
    assert len(found) == 2 * 6
    assert {event["metadata"]["at"] >= iso(since) for event in found} == {True}
    run_id, early = found[0]["metadata"]["run_id"], (await every(here, order="asc"))[1]["metadata"]["run_id"]
    assert len(await every(here, since=iso(since), run_id=run_id)) == 2
    assert await every(here, since=iso(since), run_id=early) == []
    assert await every(here, since=iso(here.clock.at + 1_000), order=order) == []


async def test_a_time_is_told_with_its_offset(here: Studio) -> None:
    at = here.clock.at
    assert len(await every(here, since=iso(at).replace("Z", "+00:00"))) == 1
    plus_two = iso(at + 2 * HOUR).replace("Z", "+02:00")
    assert len(await every(here, since=plus_two)) == 1


async def test_a_long_walk_begins_where_a_time_is_and_not_at_the_end(here: Studio) -> None:
    """A page looks at a thousand events at most: without a search by halves, the first pages would be empty."""
    for _ in range(600):
        await here.run()
    here.clock.at += HOUR
    await here.run()
    page = await here.do("list_playbook_events", since=iso(here.clock.at), order="asc")
    assert (len(page["events"]), page["has_more"]) == (2, False)
    back = await here.do("list_playbook_events", since=iso(here.clock.at))
    assert (len(back["events"]), back["has_more"]) == (2, False)


async def test_a_page_that_found_nothing_says_where_to_go_on(here: Studio) -> None:
    for _ in range(501):
        await here.run()
    page = await here.do("list_playbook_events", type="definition_created")
    assert (page["events"], page["has_more"]) == ([], True)
    rest = await here.do("list_playbook_events", type="definition_created", cursor=page["next_cursor"])
    assert (positions(rest["events"]), rest["has_more"]) == ([1], False)


async def test_a_page_holds_no_more_than_four_mebibytes_of_content(here: Studio) -> None:
    for _ in range(20):
        await here.run(input={"lead": "the desk", "long": "x" * 260_000})
    page = await here.do("list_playbook_events", limit=100)
    assert page["has_more"]
    assert 10 < len(page["events"]) < 40
    assert positions(await every(here, limit=100)) == list(range(41, 0, -1))


async def test_pages_stay_right_while_others_write(here: Studio) -> None:
    for _ in range(5):
        await here.run()
    first = await here.do("list_playbook_events", limit=4)
    await here.run()
    rest = await every(here, limit=4, cursor=first["next_cursor"])
    assert positions([*first["events"], *rest]) == list(range(11, 0, -1))


@pytest.mark.parametrize(
    ("fields", "pointer"),
    [
        ({"type": "replies_invented"}, "/type"),
        ({"type": "definition_saved"}, "/type"),
        ({"since": "2026-10-01T09:00:00"}, "/since"),
        ({"since": "2026-02-30T09:00:00Z"}, "/since"),
        ({"since": "2026-02-20T24:00:00Z"}, "/since"),
        ({"since": "2026-02-20"}, "/since"),
        ({"run_id": "7"}, "/run_id"),
        ({"order": "up"}, "/order"),
        ({"cursor": "none"}, "/cursor"),
    ],
)
async def test_what_cannot_be_is_refused_at_its_pointer(here: Studio, fields: dict[str, Any], pointer: str) -> None:
    with pytest.raises(Problem) as caught:
        await here.do("list_playbook_events", **fields)
    assert [issue.pointer for issue in caught.value.issues] == [pointer]


async def test_a_cursor_belongs_to_its_order_and_its_run(here: Studio) -> None:
    run_id = (await here.run())["run_id"]
    cursor = (await here.do("list_playbook_events", limit=1))["next_cursor"]
    for fields in ({"order": "asc"}, {"run_id": run_id}):
        with pytest.raises(Problem, match="another listing"):
            await here.do("list_playbook_events", cursor=cursor, **fields)


async def test_a_default_that_was_never_made_is_empty() -> None:
    async with studio() as here:
        assert await every(here) == []
