"""What every machine is: folded from its events, or kept as a state beside its head."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from sayso.core.commands import Command
from sayso.core.events import Event, Recorded
from sayso.core.heads import Head, StreamKind, Summary
from sayso.core.values import Json
from sayso.errors import Problem

S = TypeVar("S")
# The state of a machine, wherever it is only handed on: nobody but the machine looks into it.
State = Any


@dataclass(frozen=True, kw_only=True)
class Moment:
    """What a decision may know beside state and command: the store's clock (microseconds), read in the unit's own
    transaction and never before the stream's last event, and how many requests of the playbook are open."""

    now: int
    open_requests: int


@dataclass(frozen=True, kw_only=True)
class Decision:
    """Events, or a problem, or both: an answer that comes too late records the expiry and is refused.

    Without either, what was ordered already stands. ``by_itself`` says that the events are the playbook's own doing
    (time passed), not the caller's. ``open_limit`` is what the open requests were counted against, if they were.
    """

    events: tuple[Event, ...] = ()
    problem: Problem | None = None
    by_itself: bool = False
    open_limit: int | None = None


class Folded(Protocol[S]):
    """A machine whose state is the fold of its events since the latest ``run_started``."""

    kind: StreamKind

    def initial(self) -> S: ...
    def evolve(self, state: S, recorded: Recorded, /) -> S: ...
    def decide(self, state: S, command: Command, moment: Moment, /) -> Decision: ...
    def summary(self, state: S, /) -> Summary: ...


@dataclass(frozen=True, kw_only=True)
class ChildEnded:
    """What a parent finds in its inbox when a stream that it opened has ended."""

    child: bytes
    outcome: int


@dataclass(frozen=True, kw_only=True)
class Step(Generic[S]):
    """What a kept machine makes of an input: its next state, events for its log, and what its head repeats."""

    state: S
    summary: Summary
    events: tuple[Event, ...] = ()
    problem: Problem | None = None


class Kept(Protocol[S]):
    """A machine whose state is stored as JSON of a numbered format, with events as its log.

    ``read`` takes a state of every format that was ever shipped, by its number. ``step`` is given the command and what
    lies in the inbox, in order; all of it counts as taken. ``hears`` gives the events that a child's ending adds to the
    parent's journal at once, in the child's own unit: the parent's step is never run there.
    """

    kind: StreamKind
    format: int

    def read(self, number: int, state: Json) -> S: ...
    def write(self, state: S) -> Json: ...
    def step(self, state: S | None, command: Command, inbox: tuple[ChildEnded, ...], moment: Moment) -> Step[S]: ...
    def hears(self, head: Head, child: Head) -> tuple[Event, ...]: ...


@dataclass(frozen=True, kw_only=True)
class Machines:
    """The machines that a runtime has, by the kind of their streams. Each kind is in one of the two."""

    folded: Mapping[StreamKind, Folded[State]]
    kept: Mapping[StreamKind, Kept[State]]
