"""The request machine: given events, when a command, then events or a problem."""

from dataclasses import replace
from functools import reduce
from typing import Any

import pytest

from sayso.core.commands import Answer, Ask, Cancel, Command, Look, Question, Reassign, StartCall
from sayso.core.events import (
    Event,
    InteractionRequested,
    Recorded,
    RequestAnswered,
    RequestReassigned,
    RunCancelRequested,
    RunRejected,
    RunStarted,
    RunSucceeded,
)
from sayso.core.heads import Outcome, Status
from sayso.core.machines.machine import Decision, Moment
from sayso.core.machines.request import EXPIRED, Request, RequestMachine
from sayso.core.machines.start import SAME_REFUSAL_US
from sayso.errors import Kind, Reason

NOW = 1_000_000_000
HOUR = 3_600_000_000
MACHINE = RequestMachine()

STARTED = RunStarted(
    type="interaction",
    name="approve-spend",
    definition="0199a3c4-7d2e-7c1a-9b3f-000000000000",
    version=1,
    input_sha256="aa" * 32,
    input_bytes=2,
    input={},
)
QUESTION = Question(
    to="the treasurer", answerer=None, message="Pay it?", message_bytes=7, takes_answer=True, expires_ms=3_600_000
)
REQUESTED = InteractionRequested(
    message_bytes=7, takes_answer=True, expires_at=NOW + HOUR, to="the treasurer", message="Pay it?"
)
ANSWERED = RequestAnswered(answer_sha256="bb" * 32, answer_bytes=5, answer="yes")
UNWORKABLE = RunRejected(reason=Reason.CONFLICT, kind=Kind.UNWORKABLE, detail="The party is blank.")
WRONG_INPUT = RunRejected(reason=Reason.INVALID_INPUT, detail="The input does not match.")
CANCELLED = RunRejected(reason=Reason.CANCELLED, kind=Kind.REQUESTED, detail="Not needed any more.")

ASK = Ask(started=STARTED, question=QUESTION, open_limit=10)
ANSWER = Answer(answer="yes", answer_sha256="bb" * 32, answer_bytes=5, checked_version=1)
CANCEL = Cancel(kind=Kind.REQUESTED, reason="Not needed any more.")
REASSIGN = Reassign(to="the auditor", answerer="the board", seen_seq=2, changes_nothing=False)
REASSIGNED = RequestReassigned(to="the auditor", answerer="the board")


def given(*events: Event, at: int = NOW) -> Request:
    recorded = (Recorded(stream=bytes(16), seq=n, at=at, by=1, event=event) for n, event in enumerate(events, 1))
    return reduce(MACHINE.evolve, recorded, MACHINE.initial())


def when(state: Request, command: Command, *, now: int = NOW, open_requests: int = 0) -> Decision:
    return MACHINE.decide(state, command, Moment(now=now, open_requests=open_requests))


WAITING = given(STARTED, REQUESTED)
SETTLED = given(STARTED, REQUESTED, ANSWERED, RunSucceeded(output_bytes=5, is_answer=True))
EXPIRED_RUN = given(STARTED, REQUESTED, EXPIRED)
CANCELLED_RUN = given(STARTED, REQUESTED, RunCancelRequested(kind="requested"), CANCELLED)
GIVEN_AWAY = given(STARTED, REQUESTED, REASSIGNED)


def test_ask_puts_the_request_until_its_expiry() -> None:
    assert when(given(), ASK).events == (STARTED, REQUESTED)


def test_ask_of_a_notification_succeeds_at_once() -> None:
    asked, requested, succeeded = when(given(), replace(ASK, question=replace(QUESTION, takes_answer=False))).events
    assert (asked, requested) == (STARTED, replace(REQUESTED, takes_answer=False))
    assert succeeded == RunSucceeded(output_bytes=2, output={})


def test_wrong_input_is_refused_before_the_open_requests_are_counted() -> None:
    ask = Ask(started=STARTED, refused_early=WRONG_INPUT, open_limit=1)
    assert when(given(), ask, open_requests=1).events == (STARTED, WRONG_INPUT)


def test_a_full_playbook_refuses_before_what_was_rendered_is_looked_at() -> None:
    ask = Ask(started=STARTED, refused_question=UNWORKABLE, open_limit=1)
    _, rejected = when(given(), ask, open_requests=1).events
    assert isinstance(rejected, RunRejected)
    assert (rejected.reason, rejected.kind) == (Reason.UNAVAILABLE, Kind.REQUESTS_FULL)


def test_what_could_not_be_rendered_is_refused() -> None:
    ask = Ask(started=STARTED, refused_question=UNWORKABLE, open_limit=1)
    assert when(given(), ask).events == (STARTED, UNWORKABLE)


@pytest.mark.parametrize("state", [WAITING, SETTLED, EXPIRED_RUN, CANCELLED_RUN, given(STARTED, WRONG_INPUT)])
def test_asking_again_under_the_run_id_changes_nothing_once_it_is_final(state: Request) -> None:
    assert when(state, ASK, now=NOW + 9 * HOUR) == Decision()


@pytest.mark.parametrize("other", [{"name": "other"}, {"input_sha256": "cc" * 32}, {"type": "workflow"}])
def test_a_run_id_belongs_to_one_definition_and_one_input(other: dict[str, Any]) -> None:
    problem = when(WAITING, replace(ASK, started=replace(STARTED, **other))).problem
    assert problem is not None
    assert problem.reason is Reason.CONFLICT


def test_a_run_that_asked_nobody_may_start_again() -> None:
    state = given(STARTED, UNWORKABLE, at=NOW - SAME_REFUSAL_US)
    assert when(state, ASK).events == (STARTED, REQUESTED)


def test_the_same_refusal_within_a_minute_adds_nothing() -> None:
    ask = Ask(started=STARTED, refused_question=UNWORKABLE, open_limit=1)
    assert when(given(STARTED, UNWORKABLE), ask, now=NOW + SAME_REFUSAL_US - 1) == Decision()
    assert when(given(STARTED, UNWORKABLE), ask, now=NOW + SAME_REFUSAL_US).events == (STARTED, UNWORKABLE)


def test_an_answer_settles_the_run_in_the_same_unit() -> None:
    assert when(WAITING, ANSWER).events == (ANSWERED, RunSucceeded(output_bytes=5, is_answer=True))


def test_the_same_answer_again_is_the_fact_that_stands() -> None:
    assert when(SETTLED, ANSWER, now=NOW + 9 * HOUR) == Decision()


def test_a_different_answer_is_a_conflict() -> None:
    problem = when(SETTLED, replace(ANSWER, answer="no", answer_sha256="dd" * 32)).problem
    assert problem is not None
    assert problem.kind is Kind.ANSWERED


@pytest.mark.parametrize(
    ("state", "kind"),
    [
        (EXPIRED_RUN, Kind.EXPIRED),
        (CANCELLED_RUN, Kind.REQUESTED),
        (given(STARTED, replace(REQUESTED, takes_answer=False), RunSucceeded(output_bytes=2, output={})), None),
        (given(STARTED, UNWORKABLE), None),
    ],
)
def test_what_takes_no_answer_says_why(state: Request, kind: Kind | None) -> None:
    decision = when(state, ANSWER)
    assert decision.problem is not None
    assert (decision.problem.reason, decision.problem.kind, decision.events) == (Reason.CONFLICT, kind, ())


def test_an_answer_one_microsecond_before_the_expiry_counts() -> None:
    assert when(WAITING, ANSWER, now=NOW + HOUR - 1).problem is None


@pytest.mark.parametrize("command", [ANSWER, CANCEL, REASSIGN, replace(REASSIGN, changes_nothing=True)])
def test_at_the_expiry_the_unit_records_it_and_refuses(command: Command) -> None:
    decision = when(WAITING, command, now=NOW + HOUR)
    assert decision.problem is not None
    assert (decision.events, decision.problem.kind, decision.by_itself) == ((EXPIRED,), Kind.EXPIRED, True)


def test_an_answer_checked_against_another_version_is_not_taken() -> None:
    assert when(WAITING, replace(ANSWER, checked_version=2)).problem is not None


def test_cancel_ends_the_run_with_the_reason() -> None:
    asked = RunCancelRequested(kind=Kind.REQUESTED, reason="Not needed any more.")
    assert when(WAITING, CANCEL).events == (asked, CANCELLED)


@pytest.mark.parametrize("state", [SETTLED, EXPIRED_RUN, CANCELLED_RUN, given(STARTED, UNWORKABLE)])
def test_what_has_ended_is_not_cancelled(state: Request) -> None:
    problem = when(state, CANCEL).problem
    assert problem is not None
    assert problem.reason is Reason.CONFLICT


def test_a_cancel_asked_before_and_not_settled_adds_nothing() -> None:
    assert when(given(STARTED, REQUESTED, RunCancelRequested(kind="requested")), CANCEL) == Decision()


def test_a_look_expires_what_is_over_and_nothing_else() -> None:
    assert when(WAITING, Look(), now=NOW + HOUR).events == (EXPIRED,)
    assert when(WAITING, Look(), now=NOW + HOUR - 1) == Decision()
    assert when(SETTLED, Look(), now=NOW + 9 * HOUR) == Decision()


def test_the_head_of_a_waiting_request_is_due_at_its_expiry() -> None:
    summary = MACHINE.summary(WAITING)
    assert (summary.status, summary.due_at, summary.outcome, summary.party) == (
        Status.WAITING,
        NOW + HOUR,
        None,
        "the treasurer",
    )


def test_the_head_of_an_ended_request_is_never_due() -> None:
    summary = MACHINE.summary(SETTLED)
    assert (summary.due_at, summary.outcome, summary.ended_at) == (None, Outcome.SUCCEEDED, NOW)


def test_an_id_of_a_request_begins_no_call_and_what_stands_is_found() -> None:
    call = StartCall(started=replace(STARTED, version=2), refused=UNWORKABLE)
    assert when(WAITING, call) == when(SETTLED, call) == when(EXPIRED_RUN, call) == Decision()
    problem = when(given(STARTED, UNWORKABLE), call).problem
    assert problem is not None
    assert problem.reason is Reason.CONFLICT


def test_a_request_is_given_to_another_and_waits_as_long() -> None:
    assert when(WAITING, REASSIGN).events == (REASSIGNED,)
    summary, before = MACHINE.summary(GIVEN_AWAY), MACHINE.summary(WAITING)
    assert (summary.party, summary.answerer) == ("the auditor", "the board")
    assert replace(summary, party=before.party, answerer=before.answerer) == before


def test_what_is_put_so_already_is_recorded_once() -> None:
    assert when(GIVEN_AWAY, replace(REASSIGN, seen_seq=3, changes_nothing=True)) == Decision()


@pytest.mark.parametrize("command", [REASSIGN, replace(REASSIGN, changes_nothing=True), replace(ANSWER, seen_seq=2)])
def test_who_looked_before_it_was_given_away_looks_again(command: Command) -> None:
    problem = when(GIVEN_AWAY, command).problem
    assert problem is not None
    assert problem.kind is Kind.REASSIGNED


def test_who_may_answer_whomever_it_is_put_to_answers_what_was_given_away() -> None:
    for answer in (ANSWER, replace(ANSWER, seen_seq=3), replace(ANSWER, seen_seq=9)):
        assert when(GIVEN_AWAY, answer).problem is None


@pytest.mark.parametrize(
    ("state", "kind"),
    [
        (SETTLED, Kind.ANSWERED),
        (EXPIRED_RUN, Kind.EXPIRED),
        (CANCELLED_RUN, Kind.REQUESTED),
        (given(STARTED, replace(REQUESTED, takes_answer=False), RunSucceeded(output_bytes=2, output={})), None),
        (given(STARTED, UNWORKABLE), None),
    ],
)
def test_what_waits_no_more_is_given_to_nobody(state: Request, kind: Kind | None) -> None:
    for command in (REASSIGN, replace(REASSIGN, changes_nothing=True)):
        decision = when(state, command)
        assert decision.problem is not None
        assert (decision.problem.reason, decision.problem.kind, decision.events) == (Reason.CONFLICT, kind, ())


def test_without_its_content_a_request_folds_as_with_it() -> None:
    bare = given(STARTED, replace(REQUESTED, to=None, message=None), RequestReassigned())
    summary = MACHINE.summary(bare)
    assert replace(summary, party="the auditor", answerer="the board") == MACHINE.summary(GIVEN_AWAY)
    assert when(bare, ANSWER) == when(GIVEN_AWAY, ANSWER)
