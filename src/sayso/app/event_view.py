"""An event as every door shows it: a row of a history, short, or one event whole."""

import dataclasses
from dataclasses import dataclass

from sayso.app.snapshot import Snapshot
from sayso.core import bounds, events, values
from sayso.core.events import (
    DefinitionSaved,
    Event,
    EventPublished,
    InteractionRequested,
    Recorded,
    RequestAnswered,
    RequestReassigned,
    RunFailed,
    RunRejected,
    RunStarted,
    RunSucceeded,
)
from sayso.core.ids import event_id, uuid_text
from sayso.core.instants import iso
from sayso.core.rows import Row
from sayso.core.values import Json
from sayso.errors import Kind, Reason

# Members that a history shows whole only up to 2 KiB each, and by their size beyond.
LARGE = ("input", "output", "answer", "record", "event")
ISSUES_LISTED = 5


@dataclass(frozen=True, kw_only=True)
class Where:
    """Where an event stands: its position in the feed, its playbook's id, and the run that it is of, if of one."""

    position: int
    playbook: str
    run_id: str | None


def row(recorded: Recorded, where: Where, snapshot: Snapshot, *, answer: Json = None) -> dict[str, Json]:
    """The event in a history: its data within 4 KiB. ``answer`` is the run's, for the event that ends it with one."""
    data = _shortened(_data(recorded.event, answer))
    return _row(recorded, where, snapshot, data)


def whole(
    recorded: Recorded, where: Where, snapshot: Snapshot, *, answer: Json = None, answer_schema: Json = None
) -> dict[str, Json]:
    """The event with every field whole; a request with its record: the message and all that it was put with."""
    data = _data(recorded.event, answer)
    if isinstance(recorded.event, InteractionRequested):
        data["record"] = data | {"message": recorded.event.message, "answer_schema": answer_schema}
    return _row(recorded, where, snapshot, data)


def unreadable(stream: bytes, row: Row, where: Where, snapshot: Snapshot) -> dict[str, Json]:
    """An event whose row is damaged, or that a later release wrote, marked in its place in a list."""
    standing = Recorded(stream, row["seq"], row["at"], row["by"], RunFailed())  # only where it stands is looked at
    words = {"type": "unreadable", "summary": "This release cannot read the event.", "data": {}}
    return {"id": _id(standing), **words, "metadata": _metadata(standing, where, snapshot)}


def _row(recorded: Recorded, where: Where, snapshot: Snapshot, data: dict[str, Json]) -> dict[str, Json]:
    return {
        "id": _id(recorded),
        "type": events.name(recorded.event),
        "summary": summary(recorded.event),
        "data": data,
        "metadata": _metadata(recorded, where, snapshot),
    }


def _id(recorded: Recorded) -> str:
    return uuid_text(event_id(recorded.stream, recorded.seq))


def _metadata(recorded: Recorded, where: Where, snapshot: Snapshot) -> dict[str, Json]:
    metadata: dict[str, Json] = {
        "stream": uuid_text(recorded.stream),
        "position": recorded.seq,
        "global_position": where.position,
        "correlation_id": where.run_id,
        "causation_id": None,
        "at": iso(recorded.at),
        "by": snapshot.caller_id(recorded.by, where.playbook),
    }
    return metadata if where.run_id is None else metadata | {"run_id": where.run_id}


def _data(event: Event, answer: Json) -> dict[str, Json]:
    match event:
        case RunStarted(input=given, version=version):
            return {"input": given, "definition_version": version}
        case InteractionRequested():
            return _requested(event)
        case RequestAnswered():
            return {"answer": event.answer} | values.stated(claimed_for=event.claimed_for, reply=event.reply)
        case RunSucceeded():
            return {"output": answer if event.is_answer else event.output}
        case RunRejected():
            return _rejected(event)
        case EventPublished(event=published):
            return {"event": published}
        case DefinitionSaved():
            description = None if event.description is None else event.description[:300]
            return {"version": event.version, "source_bytes": event.source_bytes} | values.stated(
                description=description
            )
        case _:
            return values.stated(**dataclasses.asdict(event))


def _requested(event: InteractionRequested) -> dict[str, Json]:
    parties = {"to": event.to} | values.stated(answerer=event.answerer)
    return (
        {"delivery": event.delivery}
        | parties
        | {
            "message_bytes": event.message_bytes,
            "takes_answer": event.takes_answer,
            "expires_at": iso(event.expires_at),
        }
    )


def _rejected(event: RunRejected) -> dict[str, Json]:
    shown = values.stated(reason=event.reason, kind=event.kind, because=event.because, detail=event.detail)
    if event.issues:
        shown |= {"issue_count": event.issue_count, "issues": event.issues[:ISSUES_LISTED]}
    return shown


def _shortened(data: dict[str, Json]) -> dict[str, Json]:
    """Each large member by its size past 2 KiB, then the largest first until the data fits in 4 KiB."""
    shown = dict(data)
    for name in LARGE:
        if name in shown and values.size(shown[name]) > bounds.FIELD_SHOWN_BYTES:
            _by_size(shown, name)
    while values.size(shown) > bounds.EVENT_DATA_BYTES:
        _by_size(shown, max(shown, key=lambda name: values.size(shown[name])))
    return shown


def _by_size(data: dict[str, Json], name: str) -> None:
    data[f"{name}_bytes"] = values.size(data.pop(name))


_SENTENCES: dict[str, str] = {
    "definition_created": "The definition was saved.",
    "definition_updated": "The definition got a new version.",
    "definition_retired": "The definition was retired.",
    "run_started": "The run started.",
    "request_answered": "The request was answered.",
    "run_cancel_requested": "Somebody asked to cancel the run.",
    "run_succeeded": "The run succeeded.",
    "run_failed": "The run failed.",
    "event_published": "An event was published.",
    "run_erased": "What was written in the run was erased.",
}

_REJECTIONS: dict[str, str] = {
    Kind.REQUESTED: "The run was cancelled.",
    Kind.EXPIRED: "Nobody answered before the request expired.",
    Kind.UNWORKABLE: "The run ended before it asked: its request could not be put.",
    Kind.TOOL_NOT_OFFERED: "The run ended before it began: a tool that its function names is not offered.",
    Kind.REQUESTS_FULL: "The run ended before it asked: too many requests are open.",
    Reason.INVALID_INPUT: "The run ended before it asked: its input would not do.",
}


def summary(event: Event) -> str:
    """The event in one plain sentence."""
    match event:
        case InteractionRequested(takes_answer=True):
            return f"The run asked {event.to or 'its party'} and waits for an answer."
        case InteractionRequested():
            return f"The run notified {event.to or 'its party'}."
        case RequestReassigned():
            answers = f", for {event.answerer} to answer" if event.answerer else ""
            return f"The request was given to {event.to or 'its party'}{answers}."
        case RunRejected(reason=reason, kind=kind):
            return _REJECTIONS.get(kind or reason, f"The run ended without an output: {kind or reason}.")
        case EventPublished(event={"type": word}):
            return f"An event of the type {word} was published."
        case _:
            return _SENTENCES[events.name(event)]
