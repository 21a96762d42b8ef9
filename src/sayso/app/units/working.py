"""What a batch works on: the loaded streams, each unit's draft over them, and the rows to be written."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

from sayso.app.units.unit import Done, Order
from sayso.core.events import Event, Recorded
from sayso.core.heads import Birth, Head, StreamKind
from sayso.core.machines.machine import Machines, Moment, State
from sayso.errors import Problem
from sayso.ports import Batch, HeadWrite, InboxRow, KeptState, Loaded

# Kinds whose streams have a key of their own in their playbook, kept in the head's digest.
KEYED = frozenset({StreamKind.DEFINITION, StreamKind.CONVERSATION})


@dataclass(frozen=True, kw_only=True)
class Stands:
    """A stream within a batch: its head, its state, what lies in its inbox, and the version that the store has."""

    head: Head
    state: State
    base: int
    inbox: tuple[InboxRow, ...] = ()


class Working:
    """A batch under decision."""

    def __init__(self, machines: Machines, loaded: Loaded) -> None:
        self.machines = machines
        self.now = loaded.now
        self.batch = Batch()
        self.streams: dict[bytes, Stands] = {}
        self._open = dict(loaded.open_requests)
        self._named: dict[tuple[int, bytes], bytes] = {}
        self._keyed: dict[tuple[int, StreamKind, bytes], bytes] = {}
        for head in loaded.heads:
            inbox = tuple(loaded.inbox.get(head.stream, ()))
            self._enter(Stands(head=head, state=self._state(head, loaded), base=head.version, inbox=inbox))

    def _state(self, head: Head, loaded: Loaded) -> State:
        if machine := self.machines.folded.get(head.kind):
            return reduce(machine.evolve, loaded.events.get(head.stream, ()), machine.initial())
        kept = loaded.states[head.stream]
        return self.machines.kept[head.kind].read(kept.format, kept.state)

    def _enter(self, stands: Stands) -> None:
        head = stands.head
        self.streams[head.stream] = stands
        if head.run_id is not None:
            self._named[head.playbook, head.run_id] = head.stream
        if head.kind in KEYED and head.digest is not None:
            self._keyed[head.playbook, head.kind, head.digest] = head.stream

    def meant(self, order: Order) -> bytes:
        """The stream that has the run id or the key of the order's birth already, else the order's own."""
        birth = order.birth
        if birth and birth.run_id is not None:
            return self._named.get((birth.playbook, birth.run_id), order.stream)
        if birth and birth.key is not None:
            return self._keyed.get((birth.playbook, birth.kind, birth.key), order.stream)
        return order.stream

    def time(self, head: Head) -> int:
        """The unit's clock, never before the stream's last event."""
        return max(self.now, head.last_at)

    def moment(self, head: Head) -> Moment:
        """What a decision on this stream may know."""
        return Moment(now=self.time(head), open_requests=self._open.get(head.playbook, 0))

    def take(self, draft: "Draft") -> None:
        """Let a unit's changes stand."""
        for stands in draft.streams.values():
            before = self.streams.get(stands.head.stream)
            self._count(stands.head, int(stands.head.open) - int(before is not None and before.head.open))
            self._enter(stands)
        self.batch.events += draft.rows.events
        self.batch.definitions += draft.rows.definitions
        self.batch.inbox += draft.rows.inbox
        self.batch.taken += draft.rows.taken
        self.batch.joined += draft.rows.joined
        self.batch.left += draft.rows.left
        for playbook, limit in draft.rows.room.items():
            self.batch.room[playbook] = min(limit, self.batch.room.get(playbook, limit))

    def _count(self, head: Head, opened: int) -> None:
        self._open[head.playbook] = self._open.get(head.playbook, 0) + opened
        self.batch.opened[head.playbook] = self.batch.opened.get(head.playbook, 0) + opened

    def written(self) -> Batch:
        """The rows of all units together: of each changed stream its last head, and its state where that is kept."""
        changed = [stands for _, stands in sorted(self.streams.items()) if stands.head.version != stands.base]
        self.batch.heads = [HeadWrite(head=stands.head, base=stands.base) for stands in changed]
        for stands in changed:
            if machine := self.machines.kept.get(stands.head.kind):
                state = machine.write(stands.state)
                self.batch.states.append(KeptState(stream=stands.head.stream, format=machine.format, state=state))
        return self.batch


class Draft:
    """What one unit changes, kept apart from the batch until the unit is decided whole."""

    def __init__(self, working: Working) -> None:
        self.working = working
        self.streams: dict[bytes, Stands] = {}
        self.rows = Batch()
        self.done: list[Done] = []
        self.problem: Problem | None = None
        self.void = False

    def meant(self, order: Order) -> Stands | None:
        """The stream that an order is for, as this unit has left it: by its birth's run id or key where one has it."""
        own = (stands for stands in self.streams.values() if _is_named(stands.head, order.birth))
        return next(own, None) or self.find(self.working.meant(order))

    def find(self, stream: bytes) -> Stands | None:
        """A stream as this unit has left it, else as the batch has; None if there is none."""
        return self.streams.get(stream) or self.working.streams.get(stream)

    def refuse(self, problem: Problem | None, *, void: bool) -> None:
        """Keep the unit's first problem; a ``void`` one undoes the whole unit."""
        if problem is not None:
            self.problem = self.problem or problem
            self.void = self.void or void

    def record(self, head: Head, events: Sequence[Event], by: int) -> tuple[Recorded, ...]:
        """Append events to a stream, in order."""
        at = self.working.time(head)
        recorded = tuple(
            Recorded(stream=head.stream, seq=head.seq + n, at=at, by=by, event=event)
            for n, event in enumerate(events, start=1)
        )
        self.rows.events.extend((head.playbook, event) for event in recorded)
        return recorded


def _is_named(head: Head, birth: Birth | None) -> bool:
    if birth is None or head.playbook != birth.playbook:
        return False
    if birth.run_id is not None:
        return head.run_id == birth.run_id
    return birth.key is not None and (head.kind, head.digest) == (birth.kind, birth.key)
