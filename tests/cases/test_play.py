"""The steps that few handed cases have: stops, cancelling, lists, and what must be said nowhere."""

import asyncio

import pytest

from sayso.core.values import Json
from tests.cases.areas import lacks
from tests.cases.case import Case
from tests.cases.stage import stages
from tests.cases.verdict import judge

QUESTION = (
    "---\nto: '{{ input.lead }}'\nexpires: PT1H\noutput: { schema: { type: string } }\n---\nShip {{ input.build }}?"
)
RUN = {"at_s": 0, "do": "run", "function": "f", "as": "r1", "input": {"lead": "U-ada", "build": "81"}}
ANSWERED = {"status": "succeeded", "output": "yes"}


def played(*steps: dict[str, Json], **expect: Json) -> list[str]:
    """The differences of a case with one question and these steps."""
    given = {"start": "2026-03-02T09:00:00.000Z", "documents": {"f": QUESTION}, "steps": [RUN, *steps]}
    case = Case(id="one", area="runs", given=given, expect=expect)

    async def alone() -> list[str]:
        async with stages(None) as made:
            return (await judge(case, made)).differences

    assert lacks(case) is None
    return asyncio.run(alone())


@pytest.mark.parametrize(
    "answer",
    [
        {"do": "answer_then_stop"},
        {"do": "answer", "answer_then_stop": True},
        {"do": "answer", "stop_after": "request_answered"},
    ],
)
def test_an_answer_that_was_recorded_before_the_stop_ends_the_run(answer: dict[str, Json]) -> None:
    answers = {"at_s": 60, "run": "r1", "answer": "yes"} | answer
    restart = {"at_s": 7200, "do": "restart"}
    assert played(answers, restart, runs={"r1": {"ending": ANSWERED}}) == []
    assert played(answers, runs={"r1": {"ending": ANSWERED}}) == []
    stopped = played(answers, answers | {"at_s": 61})
    assert "has stopped" in stopped[0]


def test_a_process_stops_right_after_the_event_that_a_step_names() -> None:
    run = {"at_s": 10, "do": "run", "as": "r2", "function": "f", "input": RUN["input"]}
    again = {"at_s": 20, "do": "look"}
    stopped = played(run | {"stop_after": "interaction_requested"}, again | {"do": "cancel", "run": "r2"})
    assert "has stopped" in stopped[0]


def test_a_cancelled_run_is_not_answered() -> None:
    cancel = {"at_s": 60, "do": "cancel", "run": "r1", "reason": "no more"}
    answer = {"at_s": 61, "do": "answer", "run": "r1", "answer": "yes", "expect": {"outcome": "conflict"}}
    ending = {"status": "rejected", "reason": "cancelled", "kind": "requested", "detail_contains": "no more"}
    assert played(cancel, answer, runs={"r1": {"ending": ending}}, open_requests=[]) == []
    assert played(cancel, answer | {"expect": {"outcome": "answered"}})


def test_a_list_shows_runs_newest_first_by_their_names_in_the_case() -> None:
    second = {"at_s": 10, "do": "run", "function": "f", "as": "r2", "input": {"lead": "U-bo", "build": "82"}}
    listed = {"at_s": 20, "do": "list"}
    assert played(second, listed | {"expect": ["r2", "r1"]}) == []
    assert played(second, listed | {"filter": {"to": "U-ada", "function": "f"}, "expect": ["r1"]}) == []
    assert played(second, listed | {"expect": ["r1", "r2"]})


def test_events_are_compared_with_their_times_and_their_actors() -> None:
    asked = {"type": "interaction_requested", "at": "2026-03-02T09:00:00.000Z", "by": "local", "answerer": "absent"}
    ended = {"type": "run_rejected", "at": "2026-03-02T10:00:00.000Z", "by": "playbook", "reason": "unanswered"}
    look = {"at_s": 4000, "do": "look"}
    assert played(look, runs={"r1": {"events": [asked, ended]}}) == []
    for wrong in ({"at": "2026-03-02T10:00:00.001Z"}, {"by": "local"}, {"reason": "cancelled"}, {"type": "run_failed"}):
        assert played(look, runs={"r1": {"events": [asked, ended | wrong]}})


def test_a_text_that_must_be_said_nowhere_is_looked_for_in_whole_events_too() -> None:
    assert played(must_not_contain_anywhere="Ship 82") == []
    assert played(must_not_contain_anywhere="Ship 81") == ["something that was said contains 'Ship 81'"]


def test_a_run_that_names_no_tool_calls_none() -> None:
    assert played(calls=[], calls_of={"desk/send_note": []}) == []
    assert played(calls=[{"tool": "desk/send_note", "at_s": 0}])
