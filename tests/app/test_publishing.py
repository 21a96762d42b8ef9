"""Published events: CloudEvents in the feed, each in a stream of its own, once however often they are sent."""

from typing import Any

import pytest

from sayso.app.publishing import name_of
from sayso.core.ids import uuid_text
from sayso.errors import Kind, Reason
from tests.app.studio import INPUT, Studio, refused
from tests.app.world import HOUR

pytestmark = pytest.mark.anyio
EVENT = {"type": "stock.low", "id": "7", "source": "/shelves/3", "subject": "tea", "data": {"left": 10**20}}
RUN = "0192f0c1-0000-7000-8000-00000000aaaa"


async def publish(here: Studio, **changed: Any) -> dict[str, Any]:
    return await here.do("publish_event", event=EVENT | changed)


async def test_an_event_stands_in_the_feed_as_it_was_published(here: Studio) -> None:
    told = await publish(here)
    assert told["event"] == EVENT | {"specversion": "1.0", "time": told["recorded_at"]}
    (event,) = (await here.do("list_playbook_events", type="event_published"))["events"]
    assert (event["id"], event["data"]["event"]) == (told["event_id"], EVENT)
    assert event["summary"] == "An event of the type stock.low was published."
    assert "run_id" not in event["metadata"]
    assert (await here.do("get_event", event_id=told["event_id"]))["data"]["event"] == EVENT


async def test_what_is_left_out_is_filled_in(here: Studio) -> None:
    told = await here.do("publish_event", event={"type": "stock.low"})
    assert told["event"].keys() == {"specversion", "type", "id", "source", "time"}
    assert told["event"]["source"] == "/callers/operator"
    assert (await here.do("publish_event", event={"type": "stock.low"}))["event"]["id"] != told["event"]["id"]


async def test_data_that_is_null_is_not_left_out(here: Studio) -> None:
    assert (await publish(here, data=None))["event"]["data"] is None


async def test_the_same_event_again_is_the_one_that_was_recorded(here: Studio) -> None:
    first = await publish(here)
    here.clock.at += HOUR
    assert await publish(here) == first
    assert len((await here.do("list_playbook_events", type="event_published"))["events"]) == 1


async def test_another_event_under_the_same_source_and_id_is_refused(here: Studio) -> None:
    await publish(here)
    problem = await refused(here, "publish_event", event=EVENT | {"data": 1})
    assert (problem.reason, problem.kind) == (Reason.CONFLICT, Kind.TAKEN)
    assert (await publish(here, source="/shelves/4", data=1))["event"]["data"] == 1


async def test_the_time_of_a_source_is_kept_as_it_was_said(here: Studio) -> None:
    said = "2026-10-01T09:00:00.123456+02:00"
    assert (await publish(here, time=said))["event"]["time"] == said


async def test_a_large_event_is_shown_by_its_size_in_the_feed_and_whole_by_itself(here: Studio) -> None:
    told = await publish(here, data="x" * 250_000)
    (event,) = (await here.do("list_playbook_events", type="event_published"))["events"]
    assert event["data"].keys() == {"event_bytes"}
    assert (await here.do("get_event", event_id=told["event_id"]))["data"]["event"]["data"] == "x" * 250_000


@pytest.mark.parametrize("operation", ["publish_event", "send_run_event"])
@pytest.mark.parametrize(
    ("event", "pointers"),
    [
        ("text", ["/event"]),
        ({}, ["/event/type"]),
        (EVENT | {"type": " "}, ["/event/type"]),
        (EVENT | {"type": "x" * 257, "id": "x" * 257}, ["/event/type", "/event/id"]),
        (EVENT | {"source": "not a reference"}, ["/event/source"]),
        (EVENT | {"source": "/" + "x" * 1_024, "subject": "x" * 1_025}, ["/event/source", "/event/subject"]),
        (EVENT | {"colour": "red"}, ["/event/colour"]),
        (EVENT | {"type": "dev.sayso.run_started"}, ["/event/type"]),
        (EVENT | {"source": "/callers/other"}, ["/event/source"]),
        (EVENT | {"source": "/playbooks/default"}, ["/event/source"]),
        (EVENT | {"data": "x" * 262_144}, ["/event"]),
    ],
)
async def test_what_cannot_be_an_event_is_refused_at_its_pointer(
    here: Studio, operation: str, event: Any, pointers: list[str]
) -> None:
    where = {"run_id": RUN} if operation == "send_run_event" else {}
    problem = await refused(here, operation, event=event, **where)
    assert [issue.pointer for issue in problem.issues] == pointers


@pytest.mark.parametrize(
    ("changed", "pointer"),
    [({"specversion": "0.3"}, "/event/specversion"), ({"time": "2026-02-30T00:00:00Z"}, "/event/time")],
)
async def test_another_cloudevents_and_a_day_that_never_was_are_refused(
    here: Studio, changed: dict[str, str], pointer: str
) -> None:
    problem = await refused(here, "publish_event", event=EVENT | changed)
    assert [issue.pointer for issue in problem.issues] == [pointer]


@pytest.mark.parametrize(("levels", "is_taken"), [(510, True), (511, False)])
async def test_data_nests_so_far_and_no_further(here: Studio, levels: int, is_taken: bool) -> None:
    data: Any = 1
    for _ in range(levels):
        data = [data]
    if is_taken:
        event_id = (await publish(here, data=data))["event_id"]
        assert (await here.do("get_event", event_id=event_id))["data"]["event"]["data"] == data
        assert (await here.do("list_playbook_events"))["events"][0]["id"] == event_id
    else:
        assert "510 levels" in (await refused(here, "publish_event", event=EVENT | {"data": data})).detail


async def test_no_run_takes_an_event_so_far(here: Studio) -> None:
    await here.run(run_id=RUN)
    problem = await refused(here, "send_run_event", run_id=RUN, event=EVENT)
    assert (problem.reason, problem.detail) == (Reason.NOT_FOUND, "There is no such running workflow.")
    assert (await here.do("get_run", run_id=RUN))["status"] == "started"


async def test_a_run_and_an_event_never_have_one_name(here: Studio) -> None:
    await publish(here)
    run_id = uuid_text(name_of("/shelves/3", "7"))
    for operation in ("get_run", "cancel_run", "get_interaction"):
        assert (await refused(here, operation, run_id=run_id)).reason is Reason.NOT_FOUND
    run = {"type": "interaction", "name": "ship-it", "input": INPUT}
    assert (await refused(here, "run_definition", **run, run_id=run_id)).reason is Reason.CONFLICT
    await here.do("run_definition", **run, run_id=uuid_text(name_of("/shelves/4", "7")))
    assert (await refused(here, "publish_event", event=EVENT | {"source": "/shelves/4"})).reason is Reason.CONFLICT
