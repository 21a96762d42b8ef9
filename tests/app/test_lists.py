"""Listings: what waits, what happened, page by page, and cursors that belong where they came from."""

import pytest

from sayso.app.cursors import Cursors
from sayso.errors import Problem, Reason
from tests.app.studio import QUESTION, Studio, refused, studio

pytestmark = pytest.mark.anyio


async def every(here: Studio, operation: str, items: str, **fields: object) -> list[dict[str, object]]:
    found: list[dict[str, object]] = []
    cursor: dict[str, object] = {}
    while True:
        page = await here.do(operation, **fields, **cursor)
        found += page[items]
        assert page["has_more"] == (page["next_cursor"] is not None)
        if page["next_cursor"] is None:
            return found
        cursor = {"cursor": page["next_cursor"]}


async def test_open_requests_are_listed_newest_first_and_once_each(here: Studio) -> None:
    ids = [(await here.run())["run_id"] for _ in range(5)]
    await here.do("answer_interaction", run_id=ids.pop(2), answer={"verdict": "yes"})
    listed = await every(here, "list_interactions", "interactions", limit=2)
    assert [item["run_id"] for item in listed] == ids[::-1]


async def test_filters_hold_together(here: Studio) -> None:
    await here.save("other")
    first = (await here.run(input={"lead": "the desk"}))["run_id"]
    await here.run()
    await here.run("other", input={"lead": "the desk"})
    fields = {"to": "the desk", "function": "ship-it", "type": "interaction"}
    assert [item["run_id"] for item in await every(here, "list_interactions", "interactions", **fields)] == [first]
    assert await every(here, "list_interactions", "interactions", function="nobody-wrote") == []


async def test_a_request_shows_the_schema_that_it_was_asked_with(here: Studio) -> None:
    await here.run()
    newer = QUESTION.replace("[yes, no]", "[ja, nein]")
    await here.do("update_definition", type="interaction", name="ship-it", source=newer)
    (item,) = (await here.do("list_interactions"))["interactions"]
    assert item["answer_schema"]["properties"]["verdict"]["enum"] == ["yes", "no"]
    assert (item["version"], item["standing"], item["delivery"], item["attempts"]) == (1, "in_inbox", None, 0)


async def test_a_history_reads_the_same_from_both_ends(here: Studio) -> None:
    run_id = (await here.run())["run_id"]
    await here.do("answer_interaction", run_id=run_id, answer={"verdict": "yes"})
    forth = await every(here, "get_run_history", "events", run_id=run_id, limit=1)
    back = await every(here, "get_run_history", "events", run_id=run_id, limit=3, order="desc")
    assert forth == back[::-1]
    assert [event["type"] for event in forth] == [
        "run_started",
        "interaction_requested",
        "request_answered",
        "run_succeeded",
    ]


async def test_a_history_shows_sizes_and_an_event_the_whole(here: Studio) -> None:
    await here.save("anything", QUESTION.split("output:")[0] + "output:\n  schema: {}\n---\nWhat then?\n")
    run_id = (await here.run("anything", input={"lead": "the desk", "long": "x" * 3000}))["run_id"]
    await here.do("answer_interaction", run_id=run_id, answer="y" * 3000)
    started, asked, answered, succeeded = (await here.do("get_run_history", run_id=run_id))["events"]
    assert started["data"] == {"definition_version": 1, "input_bytes": 3029}
    assert answered["data"] == {"answer_bytes": 3002}
    assert succeeded["data"] == {"output_bytes": 3002}
    whole = await here.do("get_event", event_id=succeeded["id"].upper())
    assert whole["data"]["output"] == "y" * 3000
    assert "message" not in asked["data"]
    assert (await here.do("get_event", event_id=asked["id"]))["data"]["record"]["message"] == "What then?\n"


async def test_a_definitions_events_are_read_by_their_ids(here: Studio) -> None:
    digits = (await here.stored())["stream"][:-1].hex() + "01"
    event_id = f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"
    event = await here.do("get_event", event_id=event_id)
    assert (event["type"], "run_id" in event["metadata"]) == ("definition_created", False)


async def test_an_event_of_another_playbook_is_not_found(here: Studio) -> None:
    run_id = (await here.run())["run_id"]
    (event, *_) = (await here.do("get_run_history", run_id=run_id))["events"]
    other = here.elsewhere(playbook="other")
    await other.do("create_playbook", playbook="other", name="Other")
    assert (await refused(other, "get_event", event_id=event["id"])).reason is Reason.NOT_FOUND
    assert (await refused(other, "get_run", run_id=run_id)).reason is Reason.NOT_FOUND


async def test_a_cursor_belongs_to_its_listing_and_its_playbook(here: Studio) -> None:
    for _ in range(3):
        await here.run()
    cursor = (await here.do("list_interactions", limit=1))["next_cursor"]
    for operation in ("list_runs", "list_definitions"):
        fields = {"type": "interaction"} if operation == "list_definitions" else {}
        assert "another listing" in (await refused(here, operation, cursor=cursor, **fields)).detail
    other = here.elsewhere(playbook="other")
    await other.do("create_playbook", playbook="other", name="Other")
    assert "another playbook" in (await refused(other, "list_interactions", cursor=cursor)).detail


@pytest.mark.parametrize("cursor", ["x", "!!", "é", "AAAA", "A" * 16])
async def test_what_is_no_cursor_is_refused_at_its_pointer(here: Studio, cursor: str) -> None:
    problem = await refused(here, "list_interactions", cursor=cursor)
    assert [issue.pointer for issue in problem.issues] == ["/cursor"]


def test_a_cursor_made_up_without_the_secret_is_refused() -> None:
    made_up = Cursors(b"another secret").write("runs", "1", b"position")
    with pytest.raises(Problem):
        Cursors(b"the secret").read("runs", "1", made_up)


async def test_definitions_are_listed_by_name_without_their_sources(here: Studio) -> None:
    for name in ("zeta", "alpha"):
        await here.save(name)
    listed = await every(here, "list_definitions", "definitions", type="interaction", limit=1)
    assert [item["name"] for item in listed] == ["alpha", "ship-it", "zeta"]
    assert all("source" not in item for item in listed)


@pytest.mark.parametrize(
    ("operation", "items", "fields"),
    [
        ("list_interactions", "interactions", {}),
        ("list_runs", "runs", {}),
        ("list_definitions", "definitions", {"type": "interaction"}),
    ],
)
async def test_a_default_that_was_never_made_is_empty_and_stays_unmade(
    operation: str, items: str, fields: dict[str, object]
) -> None:
    async with studio() as here:
        assert (await here.do(operation, **fields))[items] == []
        assert (await here.do("list_playbooks"))["playbooks"] == []
