"""Runs of functions that name a tool: none is offered so far, which each of them says, and nothing is asked or sent."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from sayso.errors import Kind, Problem, Reason
from tests.app.studio import CALL, DELIVERED, INPUT, NOTICE, QUESTION, Studio, studio
from tests.app.world import HOUR

pytestmark = pytest.mark.anyio
RUN_ID = "0199a3c4-7d2e-7c1a-9b3f-0000000000ab"
TOLD = NOTICE.replace(
    "---\nIt", "deliver: { server: chat, tool: post_message, with: { text: '{{ message }}' } }\n---\nIt"
)


@pytest.fixture
async def here() -> AsyncIterator[Studio]:
    async with studio(open_requests=1) as made:
        for name, source in (("deliver-it", DELIVERED), ("tell-it", TOLD), ("call-it", CALL), ("ship-it", QUESTION)):
            await made.save(name, source)
        yield made


async def refused(here: Studio, name: str, given: Any = INPUT) -> Problem:
    with pytest.raises(Problem) as caught:
        await here.run(name, input=given, run_id=RUN_ID)
    return caught.value


async def history(here: Studio) -> list[str]:
    return [event["type"] for event in (await here.do("get_run_history", run_id=RUN_ID))["events"]]


@pytest.mark.parametrize(
    ("name", "server", "tool"),
    [
        ("deliver-it", "chat", "post_message"),
        ("tell-it", "chat", "post_message"),
        ("call-it", "pager", "open_incidents"),
    ],
)
async def test_a_tool_that_is_not_offered_ends_the_run_with_nothing_asked(
    here: Studio, name: str, server: str, tool: str
) -> None:
    await here.run()  # the playbook is full: the tools are looked at before
    problem = await refused(here, name)
    assert (problem.reason, problem.kind, problem.retry_after) == (Reason.UNAVAILABLE, Kind.TOOL_NOT_OFFERED, None)
    assert all(word in problem.detail for word in (server, tool, "search"))
    assert await history(here) == ["run_started", "run_rejected"]
    run = await here.do("get_run", run_id=RUN_ID)
    assert (run["status"], run["rejection"]["because"]) == ("rejected", "tool_server_not_configured")
    assert len((await here.do("list_interactions"))["interactions"]) == 1


@pytest.mark.parametrize("name", ["deliver-it", "call-it"])
async def test_it_may_run_again_under_its_id(here: Studio, name: str) -> None:
    first = await refused(here, name)
    assert (await refused(here, name)).detail == first.detail
    assert len(await history(here)) == 2
    here.clock.at += HOUR
    assert (await refused(here, name)).kind is Kind.TOOL_NOT_OFFERED
    assert await history(here) == ["run_started", "run_rejected"] * 2


async def test_a_question_that_now_goes_to_the_inbox_is_asked_under_the_same_id(here: Studio) -> None:
    await refused(here, "deliver-it")
    await here.do("update_definition", type="interaction", name="deliver-it", source=QUESTION)
    assert (await here.run("deliver-it", run_id=RUN_ID))["status"] == "started"


async def test_a_call_that_is_now_a_question_needs_another_id(here: Studio) -> None:
    await refused(here, "call-it")
    await here.do("update_definition", type="interaction", name="call-it", source=QUESTION)
    problem = await refused(here, "call-it")
    assert (problem.reason, "new run id" in problem.detail) == (Reason.CONFLICT, True)
    assert (await here.run("call-it"))["status"] == "started"


@pytest.mark.parametrize(
    ("name", "given", "pointer"), [("deliver-it", {}, "/input/lead"), ("call-it", {}, "/input/lead")]
)
async def test_what_the_input_lacks_is_told_first(here: Studio, name: str, given: Any, pointer: str) -> None:
    problem = await refused(here, name, given)
    assert (problem.reason, [issue.pointer for issue in problem.issues]) == (Reason.INVALID_INPUT, [pointer])
    assert (await refused(here, name, given)).reason is Reason.INVALID_INPUT
    assert await history(here) == ["run_started", "run_rejected"]


async def test_arguments_that_are_too_large_are_told_of_before_the_tool(here: Studio) -> None:
    problem = await refused(here, "call-it", {"lead": "x" * 20_000})
    assert (problem.reason, problem.kind) == (Reason.CONFLICT, Kind.UNWORKABLE)


async def test_a_run_that_called_nothing_is_neither_answered_nor_cancelled(here: Studio) -> None:
    await refused(here, "call-it")
    for operation, more in (("answer_interaction", {"answer": 1}), ("cancel_run", {})):
        with pytest.raises(Problem) as caught:
            await here.do(operation, run_id=RUN_ID, **more)
        assert caught.value.reason is Reason.CONFLICT


async def test_it_is_listed_as_every_run(here: Studio) -> None:
    await refused(here, "call-it")
    (run,) = (await here.do("list_runs", status="rejected"))["runs"]
    assert run["rejection"] == {
        "reason": "unavailable",
        "kind": "tool_not_offered",
        "because": "tool_server_not_configured",
    }
