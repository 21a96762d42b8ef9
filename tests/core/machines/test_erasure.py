"""Erasing a run: what has ended loses its words once, and stays what it was."""

import pytest

from sayso.core.commands import Erase
from sayso.core.events import Event, Recorded, RunErased, RunRejected
from sayso.core.machines import erasure
from sayso.core.machines.call import CallMachine
from sayso.core.machines.machine import Decision, Moment
from sayso.core.machines.request import Request
from sayso.errors import Kind, Reason
from tests.core.machines.test_request import (
    ASK,
    CANCELLED_RUN,
    EXPIRED_RUN,
    NOW,
    SETTLED,
    STARTED,
    UNWORKABLE,
    WAITING,
    given,
    when,
)


def given_events(*more: Event) -> list[Recorded]:
    """A run that could not be put, and what followed."""
    events = (STARTED, UNWORKABLE, *more)
    return [Recorded(stream=bytes(16), seq=n, at=NOW, by=1, event=event) for n, event in enumerate(events, 1)]


def test_what_waits_is_not_erased() -> None:
    problem = when(WAITING, Erase()).problem
    assert problem is not None
    assert problem.reason is Reason.CONFLICT


def test_what_was_answered_is_erased() -> None:
    assert when(SETTLED, Erase()).events == (RunErased(),)


@pytest.mark.parametrize(
    ("state", "reason", "kind"),
    [
        (EXPIRED_RUN, Reason.UNANSWERED, Kind.EXPIRED),
        (CANCELLED_RUN, Reason.CANCELLED, Kind.REQUESTED),
        (given(STARTED, UNWORKABLE), Reason.CONFLICT, Kind.UNWORKABLE),
    ],
)
def test_why_it_was_rejected_stays(state: Request, reason: str, kind: str) -> None:
    assert when(state, Erase()).events == (RunErased(reason=reason, kind=kind),)


def test_a_run_is_erased_once_and_again_after_it_ran_again() -> None:
    erased = given(STARTED, UNWORKABLE, RunErased(reason=Reason.CONFLICT, kind=Kind.UNWORKABLE))
    assert when(erased, Erase()) == Decision()
    again = given(STARTED, UNWORKABLE, RunErased(reason=Reason.CONFLICT), STARTED, UNWORKABLE)
    assert when(again, Erase()).events != ()
    assert when(erased, ASK, now=NOW + 61_000_000).events[0] == STARTED


def test_a_call_is_erased_as_a_request_is() -> None:
    machine, moment = CallMachine(), Moment(now=NOW, open_requests=0)
    call = machine.initial()
    for event in given_events():
        call = machine.evolve(call, event)
    assert machine.decide(call, Erase(), moment).events == (RunErased(reason=Reason.CONFLICT, kind=Kind.UNWORKABLE),)


def test_its_ending_is_told_by_the_last_event_but_its_erasure() -> None:
    events = given_events(RunErased(reason=Reason.CONFLICT, kind=Kind.UNWORKABLE))
    assert erasure.last(events).event == UNWORKABLE
    told = erasure.rejection(events[-1].event)
    assert told == RunRejected(reason=Reason.CONFLICT, kind=Kind.UNWORKABLE)
    assert erasure.rejection(RunErased()) is None


def test_a_call_that_was_erased_is_not_erased_again() -> None:
    machine, moment = CallMachine(), Moment(now=NOW, open_requests=0)
    call = machine.initial()
    for event in given_events(RunErased(reason=Reason.CONFLICT, kind=Kind.UNWORKABLE)):
        call = machine.evolve(call, event)
    assert machine.decide(call, Erase(), moment) == Decision()
