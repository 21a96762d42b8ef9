"""A request as every door shows it: as it was put, and once it is over how it ended."""

import json
import logging
from dataclasses import dataclass

from sayso.app.run_view import Run
from sayso.app.snapshot import Snapshot
from sayso.core import rows, values
from sayso.core.events import (
    Event,
    InteractionRequested,
    Recorded,
    RequestAnswered,
    RunFailed,
    RunRejected,
    RunSucceeded,
)
from sayso.core.ids import event_id, uuid_text
from sayso.core.instants import iso
from sayso.core.machines import erasure
from sayso.core.rows import Row
from sayso.core.values import Json
from sayso.errors import Reason

log = logging.getLogger("sayso.interactions")


@dataclass(frozen=True, kw_only=True)
class Put:
    """A request as it was put, by which run of which version, when, and what its answers are checked against; and whose
    it is now: it may have been given away since."""

    run_id: str
    type: str | None
    function: str | None
    version: int | None
    asked: InteractionRequested
    to: str | None
    answerer: str | None
    asked_at: int
    answer_schema: Json


def listed(row: Row) -> dict[str, Json]:
    """An open request in a list. One whose rows are damaged is marked in its place: it must not take the rest of the
    list with it."""
    try:
        return _shown(_put(row, _asked(row), row["output_schema"]), "in_inbox")
    except (ValueError, TypeError) as fault:
        log.error("the request %s cannot be read: %s", row["stream"].hex(), fault)
        damaged = InteractionRequested(
            message_bytes=0, takes_answer=False, expires_at=row["expires_at"], to=row["party"] or "", message=""
        )
        return _shown(_put(row, damaged, None), "unreadable")


def _put(row: Row, asked: InteractionRequested, answer_schema: str | None) -> Put:
    return Put(
        run_id=uuid_text(row["run_id"] or row["stream"]),
        type=row["type"],
        function=row["name"],
        version=row["function_version"],
        asked=asked,
        to=asked.to if row["party"] is None else row["party"],
        answerer=row["answerer"],
        asked_at=row["asked_at"],
        answer_schema=None if answer_schema is None else json.loads(answer_schema),
    )


def _asked(row: Row) -> InteractionRequested:
    """The fact that put the request; ``to`` is the party, in the head too, where an erasure clears both."""
    event = rows.event(row["asked_type"], row["asked_v"], row["data"], row["content"])
    if not isinstance(event, InteractionRequested):
        raise TypeError("what follows its start is not the request")
    return event


def whole(run: Run, answer_schema: Json, snapshot: Snapshot) -> dict[str, Json] | None:
    """A request by itself, open or over; None of a run that put none."""
    found = next(((one, one.event) for one in run.events if isinstance(one.event, InteractionRequested)), None)
    if found is None:
        return None
    (recorded, asked), (_, started) = found, run.started()
    put = Put(
        run_id=run.run_id,
        type=started.type,
        function=started.name,
        version=started.version,
        asked=asked,
        to=asked.to if run.head.party is None else run.head.party,
        answerer=run.head.answerer,
        asked_at=recorded.at,
        answer_schema=answer_schema,
    )
    if run.head.outcome is None:
        return _shown(put, "in_inbox") | {"status": "open", "ended_at": None}
    last, answered = erasure.last(run.events), run.answered()
    over = _shown(put, None) | {"status": _ending(last.event), "ended_at": iso(last.at)}
    return over if answered is None else over | fact(*answered, run.playbook, snapshot)


def fact(recorded: Recorded, answered: RequestAnswered, playbook: str, snapshot: Snapshot) -> dict[str, Json]:
    """The answer of a request: which it was, by whom, when, and for whom by their own word."""
    return {
        "answer_id": uuid_text(event_id(recorded.stream, recorded.seq)),
        "answer": answered.answer,
    } | values.stated(
        claimed_for=answered.claimed_for,
        answered_by=snapshot.caller_id(recorded.by, playbook),
        answered_at=iso(recorded.at),
    )


def _ending(last: Event) -> str:
    """How a request that is over ended, in one word."""
    match last:
        case RunSucceeded(is_answer=True):
            return "answered"
        case RunSucceeded():
            return "notified"
        case RunRejected(reason=Reason.CANCELLED):
            return "cancelled"
        case RunRejected(kind=kind, reason=reason):
            return kind or reason
        case RunFailed():
            return "failed"
        case other:
            raise TypeError(f"no request ends with {type(other).__name__}")


def _shown(put: Put, standing: str | None) -> dict[str, Json]:
    """Every member is always there. Where it stands is said of a request that waits."""
    asked = put.asked
    return {
        "run_id": put.run_id,
        "type": put.type,
        "function": put.function,
        "version": put.version,
        "to": put.to,
        "delivery": asked.delivery,
        "message": asked.message,
        "takes_answer": asked.takes_answer,
        "answer_schema": put.answer_schema,
        "requested_at": iso(put.asked_at),
        "expires_at": iso(asked.expires_at),
        "attempts": 0,
        "standing": standing,
        "conversation": None,
        "answerer": put.answerer,
        "reply_refusals": 0,
    }
