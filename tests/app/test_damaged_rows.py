"""Damaged rows: one that cannot be read takes no other with it."""

import asyncio
from uuid import UUID

import pytest

from tests.app.studio import Studio
from tests.app.world import HOUR
from tests.beside import spoil
from tests.stores import DEFAULT_SHARD

pytestmark = pytest.mark.anyio
YES = {"verdict": "yes"}


async def damage(here: Studio, run_id: str, text: str) -> None:
    await spoil(here.app.store, text, UUID(run_id).bytes)


DAMAGES = (
    "update events set content = '{\"to\"' where stream = ? and seq = 2",
    "update events set data = '{}' where stream = ? and seq = 2",
    "update events set data = 'x' where stream = ? and seq = 2",
    "update events set content = '{\"unknown\":1}' where stream = ? and seq = 2",
    "update events set type = 7, data = '{}', content = null where stream = ? and seq = 2",
    "update events set type = 99 where stream = ? and seq = 2",
)


@pytest.mark.parametrize("text", DAMAGES)
async def test_a_damaged_request_is_marked_and_the_others_are_listed(here: Studio, text: str) -> None:
    ids = [(await here.run())["run_id"] for _ in range(3)]
    await damage(here, ids[1], text)
    listed = (await here.do("list_interactions"))["interactions"]
    assert [(one["run_id"], one["standing"]) for one in listed] == [
        (ids[2], "in_inbox"),
        (ids[1], "unreadable"),
        (ids[0], "in_inbox"),
    ]
    assert {frozenset(one) for one in listed} == {frozenset(listed[0])}
    assert (listed[1]["to"], listed[1]["message"]) == ("the editor", "")


async def test_a_damaged_schema_marks_the_requests_that_have_it(here: Studio) -> None:
    await here.save("other")
    ids = [(await here.run(name))["run_id"] for name in ("ship-it", "other")]
    of_run = "stream = (select definition from heads where stream = ?)"
    await damage(here, ids[0], f"update definitions set output_schema = '{{' where {of_run}")
    listed = (await here.do("list_interactions"))["interactions"]
    assert [one["standing"] for one in listed] == ["in_inbox", "unreadable"]


async def test_a_damaged_stream_fails_alone_in_its_batch(here: Studio) -> None:
    ids = [(await here.run())["run_id"] for _ in range(5)]
    await damage(here, ids[2], "update events set data = 'x' where stream = ? and seq = 1")
    answers = (here.do("answer_interaction", run_id=run_id, answer=YES) for run_id in ids)
    outcomes = await asyncio.gather(*answers, return_exceptions=True)
    assert [isinstance(one, dict) for one in outcomes] == [True, True, False, True, True]


async def test_a_damaged_stream_holds_up_no_expiry(here: Studio, caplog: pytest.LogCaptureFixture) -> None:
    ids = [(await here.run())["run_id"] for _ in range(5)]
    await damage(here, ids[2], "update events set data = 'x' where stream = ? and seq = 1")
    here.clock.at += HOUR
    await here.app.worker.sweep()
    rows = await here.app.store.query("open_count", shard=DEFAULT_SHARD, playbook=1)
    assert rows[0]["open"] == 1
    assert caplog.text.count("could not be looked at") == 1


@pytest.mark.parametrize("text", DAMAGES[1:])
async def test_a_damaged_event_is_marked_and_the_rest_of_the_feed_is_listed(here: Studio, text: str) -> None:
    run_id = str((await here.run())["run_id"])
    await here.run()
    whole = (await here.do("list_playbook_events", order="asc"))["events"]
    await damage(here, run_id, text)
    for fields in ({"order": "asc"}, {"order": "asc", "run_id": run_id}):
        listed = (await here.do("list_playbook_events", **fields))["events"]
        (marked,) = [event for event in listed if event not in whole]
        assert marked["id"] == whole[2]["id"]
        assert marked["type"] == ("run_failed" if "type = 7" in text else "unreadable")
        assert marked["metadata"] == whole[2]["metadata"]
