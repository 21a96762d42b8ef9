"""Runs: every case of starting, starting again, reading and cancelling."""

from collections.abc import AsyncIterator

import pytest

from sayso.errors import Kind, Reason
from tests.app.studio import INPUT, NOTICE, QUESTION, Studio, refused, studio
from tests.app.world import HOUR

pytestmark = pytest.mark.anyio

RUN_ID = "0199a3c4-7d2e-7c1a-9b3f-0000000000ab"


@pytest.fixture
async def here() -> AsyncIterator[Studio]:
    async with studio() as made:
        await made.save("ship-it")
        await made.save("tell-desk", NOTICE)
        yield made


async def test_a_question_starts_and_waits(here: Studio) -> None:
    run = await here.run()
    assert (run["status"], run["definition_version"], run["started_by"]) == ("started", 1, "operator")
    assert "output" not in run


async def test_a_notification_succeeds_at_once_and_is_never_listed(here: Studio) -> None:
    run = await here.run("tell-desk", input={})
    assert (run["status"], run["output"]) == ("succeeded", {})
    assert (await here.do("list_interactions"))["interactions"] == []


async def test_a_run_id_in_any_letter_case_is_one_run(here: Studio) -> None:
    first = await here.run(run_id=RUN_ID)
    assert await here.run(run_id=RUN_ID.upper()) == first
    assert first["run_id"] == RUN_ID


@pytest.mark.parametrize("other", [{"input": {"lead": "another"}}, {"name": "tell-desk"}])
async def test_a_run_id_of_another_run_is_a_conflict(here: Studio, other: dict[str, object]) -> None:
    await here.run(run_id=RUN_ID)
    fields = {"type": "interaction", "name": "ship-it", "input": INPUT, "run_id": RUN_ID} | other
    assert (await refused(here, "run_definition", **fields)).reason is Reason.CONFLICT


async def test_an_input_is_compared_as_json(here: Studio) -> None:
    source = QUESTION.replace("properties: { lead: { type: string } }", "properties: {}")
    await here.save("any-input", source)
    first = await here.run("any-input", input={"lead": "a", "n": 3}, run_id=RUN_ID)
    assert await here.run("any-input", input={"n": 3.0, "lead": "a"}, run_id=RUN_ID) == first


async def test_a_wrong_input_is_recorded_and_stays_wrong(here: Studio) -> None:
    fields = {"type": "interaction", "name": "ship-it", "input": {}, "run_id": RUN_ID}
    first = await refused(here, "run_definition", **fields)
    again = await refused(here, "run_definition", **fields)
    assert [issue.pointer for issue in first.issues] == ["/input/lead"] == [issue.pointer for issue in again.issues]
    run = await here.do("get_run", run_id=RUN_ID)
    assert (run["status"], run["rejection"]["reason"]) == ("rejected", "invalid_input")


async def test_what_asked_nobody_may_run_again_under_its_id(here: Studio) -> None:
    fields = {"type": "interaction", "name": "ship-it", "input": {"lead": " "}, "run_id": RUN_ID}
    problem = await refused(here, "run_definition", **fields)
    assert (problem.reason, problem.kind) == (Reason.CONFLICT, Kind.UNWORKABLE)
    await here.do(
        "update_definition", type="interaction", name="ship-it", source=QUESTION.replace("'{{ input.lead }}'", "desk")
    )
    run = await here.run(input={"lead": " "}, run_id=RUN_ID)
    assert (run["status"], run["definition_version"]) == ("started", 2)


async def test_a_full_playbook_says_when_to_come_back() -> None:
    async with studio(open_requests=1) as here:
        await here.save("ship-it")
        await here.run()
        fields = {"type": "interaction", "name": "ship-it", "input": INPUT, "run_id": RUN_ID}
        problem = await refused(here, "run_definition", **fields)
        assert (problem.reason, problem.kind, problem.retry_after) == (Reason.UNAVAILABLE, Kind.REQUESTS_FULL, 5)
        open_run = (await here.do("list_interactions"))["interactions"][0]["run_id"]
        await here.do("answer_interaction", run_id=open_run, answer={"verdict": "yes"})
        assert (await here.run(run_id=RUN_ID))["status"] == "started"


async def test_an_input_past_its_size_is_refused_and_not_recorded(here: Studio) -> None:
    given = {"lead": "x" * 262_144}
    problem = await refused(here, "run_definition", type="interaction", name="ship-it", input=given, run_id=RUN_ID)
    assert [issue.pointer for issue in problem.issues] == ["/input"]
    assert (await refused(here, "get_run", run_id=RUN_ID)).reason is Reason.NOT_FOUND


async def test_an_input_may_nest_512_levels_and_no_more(here: Studio) -> None:
    await here.save("any-input", QUESTION.replace("properties: { lead: { type: string } }", "properties: {}"))
    fields = {"type": "interaction", "name": "any-input"}
    deep: object = "leaf"
    for _ in range(511):
        deep = [deep]
    await here.do("run_definition", **fields, input={"lead": "a", "deep": deep})
    problem = await refused(here, "run_definition", **fields, input={"lead": "a", "deep": [deep]})
    assert [issue.pointer for issue in problem.issues] == ["/input"]


async def test_what_has_ended_is_found_again_as_it_ended(here: Studio) -> None:
    await here.run(run_id=RUN_ID)
    here.clock.at += HOUR
    await here.app.worker.sweep()
    fields = {"type": "interaction", "name": "ship-it", "input": INPUT, "run_id": RUN_ID}
    problem = await refused(here, "run_definition", **fields)
    assert (problem.reason, problem.kind, problem.status) == (Reason.UNANSWERED, Kind.EXPIRED, 410)


async def test_cancel_ends_the_run_and_says_why(here: Studio) -> None:
    run_id = (await here.run())["run_id"]
    run = await here.do("cancel_run", run_id=run_id, reason="Not needed.")
    assert run["rejection"] == {"reason": "cancelled", "kind": "requested", "detail": "Not needed."}
    assert (await refused(here, "cancel_run", run_id=run_id)).reason is Reason.CONFLICT


async def test_a_cancel_without_a_reason_says_who(here: Studio) -> None:
    run = await here.do("cancel_run", run_id=(await here.run())["run_id"])
    assert run["rejection"]["detail"] == "Cancelled by operator."


@pytest.mark.parametrize("operation", ["get_run", "get_run_history", "cancel_run"])
async def test_a_run_that_is_not_there_is_not_found(here: Studio, operation: str) -> None:
    assert (await refused(here, operation, run_id=RUN_ID)).reason is Reason.NOT_FOUND


async def test_a_definition_that_is_not_there_is_not_run(here: Studio) -> None:
    problem = await refused(here, "run_definition", type="interaction", name="nobody-wrote", input={})
    assert problem.reason is Reason.NOT_FOUND


async def test_runs_are_listed_newest_first_and_filtered(here: Studio) -> None:
    ids = [(await here.run())["run_id"] for _ in range(3)]
    await here.run("tell-desk", input={})
    await here.do("cancel_run", run_id=ids[0])
    listed = (await here.do("list_runs", name="ship-it"))["runs"]
    assert [run["run_id"] for run in listed] == ids[::-1]
    rejected = (await here.do("list_runs", status="rejected"))["runs"]
    assert [run["rejection"] for run in rejected] == [{"reason": "cancelled", "kind": "requested"}]


async def test_runs_page_by_page_come_once_each(here: Studio) -> None:
    ids = [(await here.run())["run_id"] for _ in range(7)]
    seen: list[str] = []
    page = await here.do("list_runs", limit=2)
    while True:
        seen += [run["run_id"] for run in page["runs"]]
        if page["next_cursor"] is None:
            break
        await here.run()
        page = await here.do("list_runs", limit=2, cursor=page["next_cursor"])
    assert seen == ids[::-1]
