"""The erasure of a run, whatever it asked: what is gone is its content, and it is gone from an ended run alone."""

from collections.abc import Sequence

from sayso.core.events import Event, Recorded, RunErased, RunRejected
from sayso.core.machines.machine import Decision
from sayso.core.machines.start import Ended
from sayso.errors import conflict


def erase(ended: Ended | None, *, is_erased: bool) -> Decision:
    """Erase a run that ended so. One that waits needs its words yet: 409. Again: no change."""
    if ended is None:
        return Decision(problem=conflict("The run has not ended: what was written is needed yet. Cancel it first."))
    if is_erased:
        return Decision()
    rejection = ended.rejection
    if rejection is None:
        return Decision(events=(RunErased(),))
    return Decision(events=(RunErased(reason=rejection.reason, kind=rejection.kind, because=rejection.because),))


def last(events: Sequence[Recorded]) -> Recorded:
    """The last event that says where a run stands: its erasure does not."""
    return next(one for one in reversed(events) if not isinstance(one.event, RunErased))


def rejection(event: Event) -> RunRejected | None:
    """Why a run was rejected, out of its last event, which may be its erasure; None of a run that was not."""
    if isinstance(event, RunErased) and event.reason is not None:
        return RunRejected(reason=event.reason, kind=event.kind, because=event.because)
    return event if isinstance(event, RunRejected) else None
