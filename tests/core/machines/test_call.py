"""The call machine: what may be started again under its run id, and that nothing else is taken."""

from dataclasses import replace
from functools import reduce

import pytest

from sayso.core.commands import Answer, Ask, Cancel, Command, Look, Reassign, StartCall
from sayso.core.events import Event, Recorded, RunRejected, RunStarted
from sayso.core.heads import Outcome
from sayso.core.machines.call import Call, CallMachine
from sayso.core.machines.machine import Decision, Moment
from sayso.core.machines.start import SAME_REFUSAL_US
from sayso.errors import Kind, Reason
from tests.core.machines.test_request import QUESTION, STARTED, WRONG_INPUT

MACHINE = CallMachine()
NOW = 1_000_000_000
NOT_OFFERED = RunRejected(reason=Reason.UNAVAILABLE, kind=Kind.TOOL_NOT_OFFERED, because="tool_server_not_configured")
START = StartCall(started=STARTED, refused=NOT_OFFERED)
NEWER = replace(STARTED, version=2)


def given(*events: Event) -> Call:
    recorded = (Recorded(stream=bytes(16), seq=n, at=NOW, by=1, event=event) for n, event in enumerate(events, 1))
    return reduce(MACHINE.evolve, recorded, MACHINE.initial())


def when(state: Call, command: Command, *, now: int = NOW) -> Decision:
    return MACHINE.decide(state, command, Moment(now=now, open_requests=10))


REFUSED = given(STARTED, NOT_OFFERED)


def test_what_is_not_offered_is_recorded_whatever_waits_in_the_playbook() -> None:
    assert when(given(), START).events == (STARTED, NOT_OFFERED)


def test_the_same_refusal_within_a_minute_adds_nothing() -> None:
    assert when(REFUSED, START, now=NOW + SAME_REFUSAL_US - 1) == Decision()
    assert when(REFUSED, START, now=NOW + SAME_REFUSAL_US).events == (STARTED, NOT_OFFERED)


def test_a_newer_version_starts_again_at_once() -> None:
    assert when(REFUSED, StartCall(started=NEWER, refused=NOT_OFFERED)).events == (NEWER, NOT_OFFERED)


def test_a_wrong_input_stays_wrong() -> None:
    assert when(given(STARTED, WRONG_INPUT), START, now=NOW + SAME_REFUSAL_US) == Decision()


def test_a_run_id_belongs_to_one_definition_and_one_input() -> None:
    problem = when(REFUSED, StartCall(started=replace(STARTED, input_sha256="bb" * 32), refused=NOT_OFFERED)).problem
    assert problem is not None
    assert problem.reason is Reason.CONFLICT


@pytest.mark.parametrize("started", [STARTED, replace(STARTED, name="another")])
def test_an_id_of_a_call_begins_no_question(started: RunStarted) -> None:
    problem = when(REFUSED, Ask(started=started, question=QUESTION, open_limit=9)).problem
    assert problem is not None
    assert problem.reason is Reason.CONFLICT


def test_what_stands_is_found_whatever_its_function_has_become() -> None:
    asked = Ask(started=NEWER, question=QUESTION, open_limit=9)
    assert when(given(STARTED, WRONG_INPUT), asked) == Decision()


@pytest.mark.parametrize(
    "command",
    [
        Answer(answer=1, answer_sha256="aa", answer_bytes=1, checked_version=1),
        Cancel(kind="requested", reason="r"),
        Reassign(to="the editor", answerer=None, seen_seq=2, changes_nothing=False),
    ],
)
def test_a_call_is_neither_answered_nor_cancelled_nor_given_to_anybody(command: Command) -> None:
    problem = when(REFUSED, command).problem
    assert problem is not None
    assert problem.reason is Reason.CONFLICT


def test_a_look_at_a_call_does_nothing() -> None:
    assert when(REFUSED, Look()) == Decision()


def test_the_head_shows_how_it_ended_and_no_time_to_look() -> None:
    summary = MACHINE.summary(given(STARTED, NOT_OFFERED, NEWER, NOT_OFFERED))
    assert (summary.outcome, summary.ended_at, summary.due_at) == (Outcome.REJECTED, NOW, None)
    assert (summary.from_seq, summary.definition_version) == (3, 2)
