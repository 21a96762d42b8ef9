"""The publish machine: one fact, found again, and nothing else ever."""

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce

import pytest

from sayso.core.commands import Cancel, Command, Look, Publish, StartCall
from sayso.core.events import Event, EventPublished, Recorded, RunFailed, RunRejected, RunStarted
from sayso.core.heads import Outcome
from sayso.core.machines.call import CallMachine
from sayso.core.machines.machine import Decision, Moment
from sayso.core.machines.publish import PublishMachine
from sayso.core.machines.request import RequestMachine
from sayso.errors import Kind

PUBLISHED = EventPublished(event_sha256="aa", event_bytes=20, event={"type": "stock.low"})
STARTED = RunStarted(type="interaction", name="a", definition="", version=1, input_sha256="", input_bytes=2)
MACHINE = PublishMachine()
NOW = 1_800_000_000_000_000


def decide(given: Sequence[Event], command: Command) -> Decision:
    recorded = [Recorded(bytes(16), seq, NOW, 1, event) for seq, event in enumerate(given, start=1)]
    state = reduce(MACHINE.evolve, recorded, MACHINE.initial())
    return MACHINE.decide(state, command, Moment(now=NOW, open_requests=0))


def test_an_event_is_published_once() -> None:
    assert decide([], Publish(published=PUBLISHED)).events == (PUBLISHED,)
    again = decide([PUBLISHED], Publish(published=PUBLISHED))
    assert (again.events, again.problem) == ((), None)


def test_another_event_of_its_name_is_refused() -> None:
    refused = decide([PUBLISHED], Publish(published=replace(PUBLISHED, event_sha256="bb")))
    assert refused.problem is not None
    assert (refused.events, refused.problem.kind) == ((), Kind.TAKEN)


def test_a_run_is_not_started_there_and_nothing_else_happens() -> None:
    assert decide([PUBLISHED], Look()) == Decision()
    assert decide([PUBLISHED], StartCall(started=STARTED, refused=RunRejected(reason="conflict"))).problem is not None
    with pytest.raises(TypeError, match="Cancel"):
        decide([PUBLISHED], Cancel(kind="requested", reason="No."))


def test_it_has_ended_when_it_was_published() -> None:
    state = MACHINE.evolve(MACHINE.initial(), Recorded(bytes(16), 1, NOW, 1, PUBLISHED))
    summary = MACHINE.summary(state)
    assert (summary.outcome, summary.ended_at, summary.due_at) == (Outcome.SUCCEEDED, NOW, None)


def test_its_stream_holds_nothing_else() -> None:
    with pytest.raises(TypeError, match="RunFailed"):
        decide([RunFailed()], Look())


def test_a_request_takes_no_event_under_its_name() -> None:
    machine = RequestMachine()
    assert (
        machine.decide(machine.initial(), Publish(published=PUBLISHED), Moment(now=NOW, open_requests=0)).problem
        is not None
    )


def test_a_call_takes_no_event_under_its_name() -> None:
    machine = CallMachine()
    assert (
        machine.decide(machine.initial(), Publish(published=PUBLISHED), Moment(now=NOW, open_requests=0)).problem
        is not None
    )
