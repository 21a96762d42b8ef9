"""The start of a run under its id, whatever it asks: what the id belongs to, and when the run may start again."""

from sayso.core.events import Event, RunRejected, RunStarted
from sayso.core.frozen import frozen
from sayso.core.heads import Outcome
from sayso.core.machines.machine import Decision, Moment
from sayso.errors import Problem, Reason, conflict

# The same refusal of the same run again, by the same version and within this time, adds nothing to its history.
SAME_REFUSAL_US = 60_000_000


@frozen
class Ended:
    """How a run ended, and when."""

    outcome: Outcome
    at: int
    rejection: RunRejected | None = None


@frozen
class Begun:
    """What a stream says of its run's latest start. ``unsent`` is its ending, if nothing was asked or sent before."""

    started: RunStarted
    unsent: Ended | None


def start(begun: Begun | None, events: tuple[Event, ...], moment: Moment) -> Decision:
    """Start a run, or start it again, by these events, of which the first is the start."""
    started = events[0]
    assert isinstance(started, RunStarted), "a run begins with its start"
    if begun is None:
        return Decision(events=events)
    stands = _stands(begun, started)
    if stands is None:
        again = begun.started.version == started.version and _ends_as_before(begun.unsent, events, moment)
        stands = Decision() if again else Decision(events=events)
    return stands


def start_otherwise(begun: Begun | None, started: RunStarted) -> Decision:
    """Start a run under an id whose stream is of another kind: what its function was before it was changed.

    What stands is found; what may start again needs a new id, for a stream keeps its kind.
    """
    assert begun is not None, "a stream is born as what it is first ordered to be"
    detail = "This run id belongs to a run of an earlier version, which asked in another way. Choose a new run id."
    return _stands(begun, started) or Decision(problem=conflict(detail))


def other_run() -> Problem:
    """A run id belongs for good to one definition and one input."""
    return conflict("This run id belongs to a run of another definition or of another input.")


def _stands(begun: Begun, started: RunStarted) -> Decision | None:
    """What stands already; None of a run that may start again."""
    if _identity(begun.started) != _identity(started):
        return Decision(problem=other_run())
    return None if _may_start_again(begun.unsent) else Decision()


def _identity(started: RunStarted) -> tuple[str, str, str]:
    return started.type, started.name, started.input_sha256


def _may_start_again(unsent: Ended | None) -> bool:
    """A run that ended with nothing sent may start again; one whose input was wrong stays as it is."""
    if unsent is None:
        return False
    return unsent.rejection is None or unsent.rejection.reason in {Reason.CONFLICT, Reason.UNAVAILABLE}


def _ends_as_before(unsent: Ended | None, events: tuple[Event, ...], moment: Moment) -> bool:
    if unsent is None or unsent.rejection is None or moment.now - unsent.at >= SAME_REFUSAL_US:
        return False
    before, last = unsent.rejection, events[-1]
    return isinstance(last, RunRejected) and (last.reason, last.kind, last.because) == (
        before.reason,
        before.kind,
        before.because,
    )
