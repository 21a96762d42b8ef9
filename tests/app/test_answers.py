"""Answers: one a run, checked, bounded, by whoever the credential says."""

from dataclasses import replace

import pytest

from sayso.app.access import OPERATOR
from sayso.core.values import Json
from sayso.errors import Kind, Problem, Reason
from tests.app.studio import NOTICE, QUESTION, Studio
from tests.app.world import HOUR

pytestmark = pytest.mark.anyio
YES = {"verdict": "yes"}


async def refused(here: Studio, run_id: str, answer: object, **fields: str) -> Problem:
    with pytest.raises(Problem) as caught:
        await here.do("answer_interaction", run_id=run_id, answer=answer, **fields)
    return caught.value


async def test_an_answer_ends_the_run_before_it_returns(here: Studio) -> None:
    run_id = (await here.run())["run_id"]
    fact = await here.do("answer_interaction", run_id=run_id, answer=YES, claimed_for="the desk")
    run = await here.do("get_run", run_id=run_id)
    assert (run["status"], run["output"]) == ("succeeded", YES)
    assert run["record"] == {
        "answered_by": "operator",
        "answered_at": fact["answered_at"],
        "claimed_for": "the desk",
    }
    assert (await here.do("get_event", event_id=fact["answer_id"]))["data"]["answer"] == YES


async def test_the_same_answer_by_another_is_the_first_ones_fact(here: Studio) -> None:
    run_id = (await here.run())["run_id"]
    fact = await here.do("answer_interaction", run_id=run_id, answer=YES)
    other = replace(here, principal=replace(OPERATOR, caller_id="somebody-else"))
    assert await other.do("answer_interaction", run_id=run_id, answer=YES) == fact


async def test_a_different_answer_is_told_whose_came_first(here: Studio) -> None:
    run_id = (await here.run())["run_id"]
    await here.do("answer_interaction", run_id=run_id, answer=YES)
    problem = await refused(here, run_id, {"verdict": "no"})
    assert (problem.reason, problem.kind) == (Reason.CONFLICT, Kind.ANSWERED)
    assert "by operator at 2027-" in problem.detail


async def test_wrong_answers_leave_the_request_open_for_a_right_one(here: Studio) -> None:
    run_id = (await here.run())["run_id"]
    wrong_ones: tuple[Json, ...] = ({"verdict": "maybe"}, {}, None, [], "yes", 7, {"verdict": None})
    for wrong in wrong_ones:
        assert (await refused(here, run_id, wrong)).reason is Reason.INVALID_INPUT
    await here.do("answer_interaction", run_id=run_id, answer=YES)


async def test_an_answer_at_the_expiry_is_refused_whatever_it_is(here: Studio) -> None:
    for answer in (YES, {"verdict": "maybe"}):
        run_id = (await here.run())["run_id"]
        here.clock.at += HOUR
        assert (await refused(here, run_id, answer)).kind is Kind.EXPIRED
        assert (await here.do("get_run", run_id=run_id))["rejection"]["kind"] == "expired"


async def test_the_expiry_is_the_playbooks_own_doing(here: Studio) -> None:
    run_id = (await here.run())["run_id"]
    here.clock.at += HOUR
    await refused(here, run_id, YES)
    events = (await here.do("get_run_history", run_id=run_id, order="desc"))["events"]
    assert (events[0]["type"], events[0]["metadata"]["by"]) == ("run_rejected", "playbook:default")


async def test_an_answer_is_checked_against_the_version_that_asked(here: Studio) -> None:
    run_id = (await here.run())["run_id"]
    newer = QUESTION.replace("[yes, no]", "[ja, nein]")
    await here.do("update_definition", type="interaction", name="ship-it", source=newer)
    assert (await refused(here, run_id, {"verdict": "ja"})).reason is Reason.INVALID_INPUT
    assert (await here.do("answer_interaction", run_id=run_id, answer=YES))["answer"] == YES


@pytest.mark.parametrize("claim", ["", "  ", "é" * 128 + "a", "a\nb", "a\x00"])
async def test_a_claim_that_is_none_is_refused(here: Studio, claim: str) -> None:
    run_id = (await here.run())["run_id"]
    problem = await refused(here, run_id, YES, claimed_for=claim)
    assert [issue.pointer for issue in problem.issues] == ["/claimed_for"]


async def test_an_answer_past_its_bounds_is_refused(here: Studio) -> None:
    await here.save("anything", QUESTION.split("output:")[0] + "output:\n  schema: {}\n---\nWhat then?\n")
    run_id = (await here.run("anything"))["run_id"]
    deep: object = "leaf"
    for _ in range(513):
        deep = [deep]
    for answer in ("x" * 65_535, deep):
        assert [issue.pointer for issue in (await refused(here, run_id, answer)).issues] == ["/answer"]


async def test_numbers_keep_their_digits_and_kinds(here: Studio) -> None:
    await here.save("anything", QUESTION.split("output:")[0] + "output:\n  schema: {}\n---\nWhat then?\n")
    run_id = (await here.run("anything"))["run_id"]
    answer = [2**53 + 1, 12345678901234567890, 1.0, -0.0, True, None, "é\u202e"]
    await here.do("answer_interaction", run_id=run_id, answer=answer)
    assert repr((await here.do("get_run", run_id=run_id))["output"]) == repr(answer)


async def test_a_notification_takes_no_answer(here: Studio) -> None:
    await here.save("tell-desk", NOTICE)
    run_id = (await here.run("tell-desk", input={}))["run_id"]
    assert (await refused(here, run_id, {})).reason is Reason.CONFLICT


async def test_a_definitions_stream_is_no_run(here: Studio) -> None:
    stream = (await here.stored())["stream"].hex()
    run_id = f"{stream[:8]}-{stream[8:12]}-{stream[12:16]}-{stream[16:20]}-{stream[20:]}"
    assert (await refused(here, run_id, YES)).reason is Reason.NOT_FOUND
