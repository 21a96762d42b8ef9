"""A kept machine for tests: a gate that opens children and counts the endings that it heard of."""

from dataclasses import dataclass, replace

from sayso.core.commands import Cancel, Command, Look
from sayso.core.events import Event, RunCancelRequested, RunFailed, RunSucceeded
from sayso.core.heads import Head, Outcome, Status, StreamKind, Summary
from sayso.core.machines.machine import ChildEnded, Moment, Step
from sayso.core.values import Json
from sayso.errors import conflict


@dataclass(frozen=True, kw_only=True)
class Gate:
    heard: tuple[str, ...] = ()
    ended_at: int | None = None


class GateMachine:
    """Format 2 keeps the ids of children; format 1 kept only their number."""

    kind = StreamKind.WORKFLOW
    format = 2

    def read(self, number: int, state: Json) -> Gate:
        if number == 1:
            return Gate(heard=("unknown",) * state["count"])
        return Gate(heard=tuple(state["heard"]), ended_at=state["ended_at"])

    def write(self, state: Gate) -> Json:
        return {"heard": list(state.heard), "ended_at": state.ended_at}

    def step(self, state: Gate | None, command: Command, inbox: tuple[ChildEnded, ...], moment: Moment) -> Step[Gate]:
        gate = state or Gate()
        gate = replace(gate, heard=gate.heard + tuple(ended.child.hex() for ended in inbox))
        match command:
            case Look():
                return _stands(gate)
            case Cancel() if gate.ended_at is not None:
                return replace(_stands(gate), problem=conflict("The gate is shut."))
            case Cancel():
                return _stands(replace(gate, ended_at=moment.now), RunSucceeded(output_bytes=2, output={}))
            case other:
                raise TypeError(f"a gate takes no {type(other).__name__}")

    def hears(self, head: Head, child: Head) -> tuple[Event, ...]:
        return (RunFailed(),) if child.outcome is Outcome.FAILED else (RunCancelRequested(kind="child_ended"),)


def _stands(gate: Gate, *events: Event) -> Step[Gate]:
    ended = gate.ended_at is not None
    summary = Summary(
        status=Status.RUNNING,
        outcome=Outcome.SUCCEEDED if ended else None,
        ended_at=gate.ended_at,
        digest=bytes(32),
    )
    return Step(state=gate, summary=summary, events=events)
