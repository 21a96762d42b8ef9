"""A run as every door shows it, and a run that was rejected as the problem that its caller gets."""

from collections.abc import Sequence
from dataclasses import dataclass

from sayso.app import inputs
from sayso.app.snapshot import Snapshot
from sayso.core import rows, values
from sayso.core.events import (
    Recorded,
    RequestAnswered,
    RunErased,
    RunFailed,
    RunRejected,
    RunStarted,
    RunSucceeded,
)
from sayso.core.heads import Head, Outcome
from sayso.core.ids import uuid_text
from sayso.core.instants import iso
from sayso.core.machines import erasure
from sayso.core.rows import Parameter, Row
from sayso.core.values import Json
from sayso.errors import RETRY_AFTER_S, Issue, Kind, Problem, Reason

STATUS = {None: "started", Outcome.SUCCEEDED: "succeeded", Outcome.REJECTED: "rejected", Outcome.FAILED: "failed"}
# A status as the store tells it; 0 where there is no outcome yet.
OUTCOMES = {status: 0 if outcome is None else int(outcome) for outcome, status in STATUS.items()}


@dataclass(frozen=True, kw_only=True)
class Run:
    """A run since its latest start: its head and its events with their content."""

    head: Head
    events: Sequence[Recorded]
    playbook: str

    @property
    def run_id(self) -> str:
        """The caller's own id of the run, else the one that was minted."""
        return run_id(self.head)

    @property
    def callers(self) -> frozenset[int]:
        """Who did something in it."""
        return frozenset(one.by for one in self.events)

    def started(self) -> tuple[Recorded, RunStarted]:
        """The beginning, and where it is recorded."""
        return next((one, one.event) for one in self.events if isinstance(one.event, RunStarted))

    def answered(self) -> tuple[Recorded, RequestAnswered] | None:
        """The answer, and where it is recorded."""
        found = ((one, one.event) for one in self.events if isinstance(one.event, RequestAnswered))
        return next(found, None)


def wanted(fields: inputs.ListRuns) -> dict[str, Parameter]:
    """The filters of a list of runs as the store takes them, for one row more than a page holds."""
    return {
        "type": fields.type,
        "name": fields.name,
        "outcome": None if fields.status is None else OUTCOMES[fields.status],
        "limit": fields.limit + 1,
    }


def run_id(head: Head) -> str:
    """The id that a run is known by."""
    return uuid_text(head.run_id or head.stream)


def shown(run: Run, snapshot: Snapshot) -> dict[str, Json]:
    """The run object; ``output`` only of a run that succeeded, ``rejection`` only of one that was rejected."""
    start, started = run.started()
    body: dict[str, Json] = {
        "run_id": run.run_id,
        "type": started.type,
        "name": started.name,
        "definition_version": started.version,
        "status": STATUS[run.head.outcome],
        "started_at": iso(start.at),
        "started_by": snapshot.caller_id(start.by, run.playbook),
    }
    return body | _ending(run) | _erasure(run)


def listed(row: Row, playbook: str, snapshot: Snapshot) -> dict[str, Json]:
    """A run in a list, from a row of its head, its definition and its last event: without its output, and without the
    words of a rejection."""
    head = rows.head(row)
    body: dict[str, Json] = {
        "run_id": run_id(head),
        "type": row["definition_type"],
        "name": row["definition_name"],
        "definition_version": head.definition_version,
        "status": STATUS[head.outcome],
        "started_at": iso(head.at),
        "started_by": snapshot.caller_id(head.by, playbook),
    }
    if head.ended_at is not None:
        body["finished_at"] = iso(head.ended_at)
    rejected = erasure.rejection(rows.event(row["type"], row["v"], row["data"], None))
    if rejected is not None:
        body["rejection"] = rejection(rejected, whole=False)
    return body


def _ending(run: Run) -> dict[str, Json]:
    last = erasure.last(run.events)
    match last.event:
        case RunSucceeded() as succeeded:
            return {"output": _output(run, succeeded), "finished_at": iso(last.at)}
        case RunRejected() as rejected:
            return {"rejection": rejection(rejected), "finished_at": iso(last.at)}
        case RunFailed():
            return {"finished_at": iso(last.at)}
        case _:
            return {}


def _erasure(run: Run) -> dict[str, Json]:
    erased = next((one for one in run.events if isinstance(one.event, RunErased)), None)
    return {} if erased is None else {"erased_at": iso(erased.at)}


def _output(run: Run, succeeded: RunSucceeded) -> Json:
    if not succeeded.is_answer:
        return succeeded.output
    answer = run.answered()
    assert answer is not None, "an answer that is the output was recorded before it"
    return answer[1].answer


def rejection(rejected: RunRejected, *, whole: bool = True) -> dict[str, Json]:
    """Why a run was rejected; in a list without its words."""
    body: dict[str, Json] = {"reason": rejected.reason}
    if whole:
        body["detail"] = rejected.detail
    body |= values.stated(kind=rejected.kind, because=rejected.because)
    if whole and rejected.issues:
        body["issues"] = list(rejected.issues)
    return body


def record(run: Run, snapshot: Snapshot) -> dict[str, Json]:
    """What ``get_run`` adds of an answered run: who answered, when, for whom by its own word."""
    answer = run.answered()
    if answer is None:
        return {}
    recorded, event = answer
    return values.stated(
        answered_by=snapshot.caller_id(recorded.by, run.playbook),
        answered_at=iso(recorded.at),
        claimed_for=event.claimed_for,
        reply=event.reply,
    )


def as_problem(run: Run) -> Problem | None:
    """The problem that a run which ended without an output is to whoever starts it; None for every other run."""
    match erasure.last(run.events).event:
        case RunRejected() as rejected:
            reason = Reason(rejected.reason)
            return Problem(
                reason,
                rejected.detail or "The run was rejected.",
                kind=None if rejected.kind is None else Kind(rejected.kind),
                because=rejected.because,
                issues=tuple(
                    Issue(detail=issue["detail"], pointer=issue["pointer"]) for issue in rejected.issues or ()
                ),
                retry_after=RETRY_AFTER_S if rejected.kind == Kind.REQUESTS_FULL else None,
            )
        case RunFailed():
            return Problem(Reason.INTERNAL, "The runtime broke down in this run. Run it again.")
        case _:
            return None
