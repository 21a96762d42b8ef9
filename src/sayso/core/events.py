"""Events: the facts of a stream. What folds is their data; what a person or a system wrote is their content.

A shipped event never changes: add a version and its upcast. Content may be erased; nothing that folds is in it.
"""

import dataclasses
from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Any, NamedTuple

from sayso.core.frozen import frozen, frozen_row
from sayso.core.values import Json


def content() -> Any:
    """Marks a field as content: erasable, nullable, and never needed to fold."""
    return dataclasses.field(default=None, metadata={"content": True})


@frozen
class DefinitionSaved:
    """A definition got a new version, its first or a later one."""

    type: str
    name: str
    version: int
    source_bytes: int
    source_sha256: str
    warnings: int
    description: str | None = content()


@frozen
class DefinitionRetired:
    """A definition was retired, for good: it stays readable, and is neither changed nor run again."""

    version: int


@frozen
class RunStarted:
    """A run began, or began again, of one version of a definition; its id belongs to this name and input for good."""

    type: str
    name: str
    definition: str
    version: int
    input_sha256: str
    input_bytes: int
    input: Json = content()


@frozen
class InteractionRequested:
    """The run put its request to a party. ``delivery`` is None for the inbox; ``expires_at`` is in microseconds."""

    delivery: dict[str, str] | None = None
    message_bytes: int
    takes_answer: bool
    expires_at: int
    to: str | None = content()
    answerer: str | None = content()
    message: str | None = content()


@frozen
class RequestAnswered:
    """The one answer of a request. ``reply`` names the message that answered, when one did."""

    answer_sha256: str
    answer_bytes: int
    answer: Json = content()
    claimed_for: str | None = content()
    reply: dict[str, str] | None = content()


@frozen
class RequestReassigned:
    """The request was given to another party, or to another answerer: both as they stand from then on.

    Without an ``answerer`` it is the party that answers.
    """

    to: str | None = content()
    answerer: str | None = content()


@frozen
class RunCancelRequested:
    """Somebody asked that the run be cancelled, and nothing more is sent for it."""

    kind: str
    reason: str | None = content()


@frozen
class RunSucceeded:
    """The run ended with its output: the recorded answer where ``is_answer``, else ``output``."""

    output_bytes: int
    is_answer: bool | None = None
    output: Json = content()


@frozen
class RunRejected:
    """The run ended without an output. ``issues`` holds the faults of an input, each with its pointer."""

    reason: str
    kind: str | None = None
    because: str | None = None
    issue_count: int | None = None
    detail: str | None = content()
    issues: list[dict[str, str]] | None = content()


@frozen
class RunFailed:
    """The runtime itself broke down; the log has the cause."""


@frozen
class EventPublished:
    """Somebody published an event of their own, a CloudEvent, in a stream of its own."""

    event_sha256: str
    event_bytes: int
    event: Json = content()


@frozen
class RunErased:
    """What people and systems wrote in an ended run is gone. Why it was rejected is no content, and stays."""

    reason: str | None = None
    kind: str | None = None
    because: str | None = None


Event = (
    DefinitionSaved
    | DefinitionRetired
    | RunStarted
    | InteractionRequested
    | RequestAnswered
    | RequestReassigned
    | RunCancelRequested
    | RunSucceeded
    | RunRejected
    | RunFailed
    | EventPublished
    | RunErased
)

# The number of a type in the store: never reused. A later version of one keeps its number and raises `v`.
CODES: dict[int, type[Event]] = {
    1: RunStarted,
    2: InteractionRequested,
    3: RequestAnswered,
    4: RunCancelRequested,
    5: RunSucceeded,
    6: RunRejected,
    7: RunFailed,
    8: RequestReassigned,
    9: RunErased,
    20: DefinitionSaved,
    21: DefinitionRetired,
    30: EventPublished,
}
_CODE_OF = {kind: code for code, kind in CODES.items()}


class _Fields(NamedTuple):
    """Some of a type's fields, and what gives an event's values of them."""

    names: tuple[str, ...]
    values: Callable[[Event], tuple[Json, ...]]

    def stated(self, event: Event) -> dict[str, Json]:
        """What the event says in these fields; None says nothing."""
        return {name: value for name, value in zip(self.names, self.values(event), strict=True) if value is not None}


def _fields(kind: type[Event], *, written: bool) -> _Fields:
    fields = (one for one in dataclasses.fields(kind) if one.metadata.get("content", False) is written)
    names = tuple(one.name for one in fields)
    if len(names) > 1:
        return _Fields(names, attrgetter(*names))  # quicker than one by one, and a tuple only of several
    return _Fields(names, lambda event: tuple(getattr(event, name) for name in names))


# By type, the fields that fold, and those that are content.
_FOLDS = {kind: _fields(kind, written=False) for kind in _CODE_OF}
_WRITTEN = {kind: _fields(kind, written=True) for kind in _CODE_OF}
_NAMES = {
    RunStarted: "run_started",
    InteractionRequested: "interaction_requested",
    RequestAnswered: "request_answered",
    RequestReassigned: "request_reassigned",
    RunCancelRequested: "run_cancel_requested",
    RunSucceeded: "run_succeeded",
    RunRejected: "run_rejected",
    RunFailed: "run_failed",
    RunErased: "run_erased",
    DefinitionRetired: "definition_retired",
    EventPublished: "event_published",
}
VERSION = 1


class Shown(NamedTuple):
    """Which events a word of the doors is for: a type's, and of a definition's savings the first or the later ones."""

    code: int
    is_first: bool | None = None


# Every type as the doors show it.
SHOWN: Mapping[str, Shown] = {
    "definition_created": Shown(_CODE_OF[DefinitionSaved], True),
    "definition_updated": Shown(_CODE_OF[DefinitionSaved], False),
} | {word: Shown(_CODE_OF[kind]) for kind, word in _NAMES.items()}


@frozen_row
class Recorded:
    """An event where it stands: its stream and sequence number, when, and by which caller (0: the playbook itself)."""

    stream: bytes
    seq: int
    at: int
    by: int
    event: Event


def code(event: Event) -> int:
    """The number of the event's type in the store."""
    return _CODE_OF[type(event)]


def name(event: Event) -> str:
    """The event's type as every door shows it, such as ``run_started``."""
    if isinstance(event, DefinitionSaved):
        return "definition_created" if event.version == 1 else "definition_updated"
    return _NAMES[type(event)]


def to_wire(event: Event) -> tuple[dict[str, Json], dict[str, Json] | None]:
    """The event's data and its content as JSON objects; what is None is left out, and so is empty content."""
    kind = type(event)
    return _FOLDS[kind].stated(event), _WRITTEN[kind].stated(event) or None


def from_wire(number: int, version: int, data: dict[str, Json], written: dict[str, Json] | None) -> Event:
    """The event that ``to_wire`` wrote. Without its content (not loaded, or erased) those fields are None."""
    if number not in CODES or version != VERSION:
        raise ValueError(f"there is no event of type {number} and version {version}")
    return CODES[number](**(data | written if written else data))


def erased(event: Event) -> Event:
    """The event without its content."""
    kind = type(event)
    return kind(**_FOLDS[kind].stated(event))


def content_fields() -> dict[str, frozenset[str]]:
    """For each type, the fields that an erasure clears."""
    return {kind.__name__: frozenset(written.names) for kind, written in _WRITTEN.items()}
