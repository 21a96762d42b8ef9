"""What every machine is: folded from its events, or kept as a state beside its head."""

from collections.abc import Mapping
from typing import Any, Generic, Protocol, TypeVar

from sayso.core.commands import Command, Order
from sayso.core.events import Event, Recorded
from sayso.core.frozen import frozen
from sayso.core.heads import Head, Status, StreamKind, Summary
from sayso.core.machines.inbox import Heard
from sayso.core.values import Json
from sayso.errors import Problem

S = TypeVar("S")
# The state of a machine, wherever it is only handed on: nobody but the machine looks into it.
State = Any


@frozen
class Moment:
    """What a decision may know beside state and command: the store's clock (microseconds), read in the unit's own
    transaction and never before the stream's last event, and how many requests of the playbook are open."""

    now: int
    open_requests: int


@frozen
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


@frozen
class Seen:
    """Another stream that the unit names, as it stood when the unit began. Of a kept one only the head is seen."""

    head: Head
    state: State


@frozen
class Given:
    """What a step is given beside state and command: its own head, who orders it, what lies in its inbox, in order,
    and those of the streams that its unit names which there are."""

    head: Head
    by: int
    moment: Moment
    inbox: tuple[Heard, ...]
    streams: Mapping[bytes, Seen]


@frozen
class Member:
    """A message that the playbook sent into the conversation: a request's, or a telling, which has no ``asked_at``."""

    sent_id: str
    stream: bytes
    asked_at: int | None = None


@frozen
class Step(Generic[S]):
    """What a kept machine makes of an input: its next state, events for its log, and what its head repeats.

    ``orders`` go to other streams that the unit names, or that they give birth to, and are decided in turn after the
    step, in its own unit. One that is refused undoes nothing: the machine hears of it in its inbox. With a ``problem``
    nothing of the step stands. Only conversations have members; one that has ended leaves at once.
    """

    state: S
    summary: Summary
    events: tuple[Event, ...] = ()
    problem: Problem | None = None
    orders: tuple[Order, ...] = ()
    joined: tuple[Member, ...] = ()


@frozen
class Reaction:
    """What a parent shows of a child at once: events for its journal, and where it now stands, if that changed."""

    events: tuple[Event, ...] = ()
    status: Status | None = None


class Kept(Protocol[S]):
    """A machine whose state is stored as JSON of a numbered format, with events as its log.

    ``read`` takes a state of every format that was ever shipped, by its number, and raises for any other. ``step`` is
    given what lies in the inbox; all of it counts as taken. ``hears`` is asked when a child was opened or has ended,
    in the child's own unit, with the parent's head that already counts it: the parent's step is never run there.
    """

    kind: StreamKind
    format: int

    def read(self, number: int, state: Json) -> S: ...
    def write(self, state: S) -> Json: ...
    def step(self, state: S | None, command: Command, given: Given, /) -> Step[S]: ...
    def hears(self, head: Head, child: Head) -> Reaction: ...


@frozen
class Machines:
    """The machines that a runtime has, by the kind of their streams. Each kind is in one of the two."""

    folded: Mapping[StreamKind, Folded[State]]
    kept: Mapping[StreamKind, Kept[State]]
