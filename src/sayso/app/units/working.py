"""What a batch works on: the loaded streams, each unit's draft over them, and the rows to be written."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property, reduce

from sayso.core import events
from sayso.core.commands import Order
from sayso.core.events import Event, Recorded, RunErased
from sayso.core.frozen import frozen
from sayso.core.heads import KEYED, Birth, Head, StreamKind
from sayso.core.machines.machine import Machines, Moment, Seen, State
from sayso.ports import Batch, HeadWrite, InboxRow, KeptState, Loaded


@frozen
class Stands:
    """A stream within a batch: its head, its state, what lies in its inbox, and the version that the store has.

    The state of a kept stream is as it was loaded (a `KeptState`, or None) until a step reads it: what cannot be read
    is a fault of that step alone.
    """

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
        self.has_conversations = False
        self.open = dict(loaded.open_requests)  # requests by playbook, with those of the units that stand
        self._spare: dict[int, int] = {}
        self._named: dict[tuple[int, bytes], bytes] = {}
        self._keyed: dict[tuple[int, StreamKind, bytes], bytes] = {}
        for head in loaded.heads:
            inbox = tuple(loaded.inbox.get(head.stream, ()))
            self._enter(Stands(head=head, state=self._state(head, loaded), base=head.version, inbox=inbox))

    def _state(self, head: Head, loaded: Loaded) -> State:
        if machine := self.machines.folded.get(head.kind):
            return reduce(machine.evolve, loaded.events.get(head.stream, ()), machine.initial())
        return loaded.states.get(head.stream)

    def _enter(self, stands: Stands) -> None:
        head = stands.head
        self.streams[head.stream] = stands
        self.has_conversations = self.has_conversations or head.kind is StreamKind.CONVERSATION
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

    def take(self, draft: "Draft") -> None:
        """Let a unit's changes stand."""
        for stands in draft.streams.values():
            self._enter(stands)
        for playbook, opened in draft.opened.items():
            self._count(playbook, opened)
        for playbook, spare in draft.spare.items():
            self._spare[playbook] = min(spare, self._spare.get(playbook, spare))
        self.batch.events += draft.events
        if draft.has_rows:
            self._take_rows(draft)

    def _take_rows(self, draft: "Draft") -> None:
        self.batch.definitions += draft.rows.definitions
        self.batch.inbox += draft.rows.inbox
        self.batch.taken += draft.rows.taken
        self.batch.joined += draft.rows.joined
        self.batch.left += draft.rows.left
        self.batch.erased += draft.rows.erased

    def _count(self, playbook: int, opened: int) -> None:
        self.open[playbook] = self.open.get(playbook, 0) + opened
        self.batch.opened[playbook] = self.batch.opened.get(playbook, 0) + opened

    def written(self) -> Batch:
        """The rows of all units together: of each changed stream its last head, and its state where that is kept."""
        changed = [stands for _, stands in sorted(self.streams.items()) if stands.head.version != stands.base]
        self.batch.heads = [HeadWrite(head=stands.head, base=stands.base) for stands in changed]
        for stands in changed:
            machine = self.machines.kept.get(stands.head.kind)
            if machine and not isinstance(stands.state, KeptState | None):  # a step made it
                state = machine.write(stands.state)
                self.batch.states.append(KeptState(stream=stands.head.stream, format=machine.format, state=state))
        if self.batch.erased:
            self.batch.events = _without_erased(self.batch.events)
        self.batch.room = {playbook: self.open.get(playbook, 0) + spare for playbook, spare in self._spare.items()}
        return self.batch


def _without_erased(written: Sequence[tuple[int, Recorded]]) -> list[tuple[int, Recorded]]:
    """What a batch says of a stream before it erases it is written without content; what comes after stays."""
    erased: set[bytes] = set()
    found: list[tuple[int, Recorded]] = []
    for playbook, one in reversed(written):
        if isinstance(one.event, RunErased):
            erased.add(one.stream)
        found.append((playbook, replace(one, event=events.erased(one.event)) if one.stream in erased else one))
    return found[::-1]


class Draft:
    """What one unit changes, kept apart from the batch until the unit is decided whole. It names ``named`` streams."""

    def __init__(self, working: Working, named: Sequence[bytes]) -> None:
        self.working = working
        self.named = named
        self.streams: dict[bytes, Stands] = {}
        self.events: list[tuple[int, Recorded]] = []
        self.opened: dict[int, int] = {}  # how many more requests than before are open, by playbook
        self.spare: dict[int, int] = {}  # how many more others may open meanwhile

    @cached_property
    def rows(self) -> Batch:
        """What the unit writes beside heads and events. Most units write nothing else, and have none."""
        return Batch()

    @property
    def has_rows(self) -> bool:
        """Whether anything was put there."""
        return "rows" in self.__dict__

    def moment(self, head: Head) -> Moment:
        """What a decision on this stream may know, of this very unit too."""
        return Moment(now=self.working.time(head), open_requests=self._waiting(head.playbook))

    def count(self, playbook: int, opened: int) -> None:
        """So many more requests are open there."""
        if opened:
            self.opened[playbook] = self.opened.get(playbook, 0) + opened

    def bound(self, playbook: int, limit: int) -> None:
        """What is open there now was counted against a limit. Past it a request was refused, and bounds nobody."""
        spare = limit - self._waiting(playbook)
        if spare >= 0:
            self.spare[playbook] = min(spare, self.spare.get(playbook, spare))

    def _waiting(self, playbook: int) -> int:
        return self.working.open.get(playbook, 0) + self.opened.get(playbook, 0)

    @cached_property
    def seen(self) -> Mapping[bytes, Seen]:
        """The named streams as they stood when the unit began: until it is taken, the batch has them so."""
        there = self.working.streams
        return {stream: self._seen(there[stream]) for stream in self.named if stream in there}

    def _seen(self, stands: Stands) -> Seen:
        is_kept = stands.head.kind in self.working.machines.kept
        return Seen(head=stands.head, state=None if is_kept else stands.state)

    @property
    def has_conversations(self) -> bool:
        """Whether a request may wait in a conversation: the load takes those in, so without one none does."""
        kinds = (stands.head.kind for stands in self.streams.values())
        return self.working.has_conversations or StreamKind.CONVERSATION in kinds

    def meant(self, order: Order) -> Stands | None:
        """The stream that an order is for, as this unit has left it: by its birth's run id or key where one has it."""
        for stands in self.streams.values():
            if _is_named(stands.head, order.birth):
                return stands
        return self.find(self.working.meant(order))

    def find(self, stream: bytes) -> Stands | None:
        """A stream as this unit has left it, else as the batch has; None if there is none."""
        return self.streams.get(stream) or self.working.streams.get(stream)

    def there(self, stream: bytes) -> Stands:
        """A stream that the unit surely has: one that it made, or that was loaded with those it names."""
        stands = self.find(stream)
        assert stands is not None, "it is loaded with what belongs to it"
        return stands

    def knows(self, stream: bytes) -> bool:
        """Whether the unit would have this stream if there is one."""
        return stream in self.named or self.find(stream) is not None

    def record(self, head: Head, events: Sequence[Event], by: int) -> tuple[Recorded, ...]:
        """Append events to a stream, in order."""
        at = self.working.time(head)
        recorded = [Recorded(head.stream, seq, at, by, event) for seq, event in enumerate(events, head.seq + 1)]
        self.events += [(head.playbook, event) for event in recorded]
        return tuple(recorded)


def _is_named(head: Head, birth: Birth | None) -> bool:
    if birth is None or head.playbook != birth.playbook:
        return False
    if birth.run_id is not None:
        return head.run_id == birth.run_id
    return birth.key is not None and (head.kind, head.digest) == (birth.kind, birth.key)
