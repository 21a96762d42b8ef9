"""handle: the only way that run data changes.

Each unit's orders are decided in turn over what was loaded for the whole batch; a unit that decides a problem changes
nothing. What a kept stream's step orders of others is decided in the same unit. A child's birth and its ending reach
the parent here too, in the child's own unit: the parent's step is never run.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce

from sayso.app.units import hearing
from sayso.app.units.unit import PLAYBOOK_ITSELF, Done, Order, Result, Unit
from sayso.app.units.working import Draft, Stands, Working
from sayso.core import heads
from sayso.core.commands import CreateDefinition, Erase, Post, Text, UpdateDefinition
from sayso.core.events import DefinitionSaved, Recorded
from sayso.core.heads import Head, Summary
from sayso.core.ids import shard_of
from sayso.core.machines import inbox
from sayso.core.machines.machine import Given, Kept, Machines, Member, State, Step
from sayso.errors import Problem, not_found
from sayso.ports import Batch, DefinitionRow, KeptState, Loaded, MemberRow

# Where an ordered stream stands, and what is told to whoever ordered it. Without the former nothing came of the order.
Decided = tuple[Done | None, Problem | None]


def handle(machines: Machines, units: Sequence[Unit], loaded: Loaded) -> tuple[list[Result | Exception], Batch]:
    """Decide a batch: what became of each unit, in order, and the rows that make it true.

    A unit that breaks (a fault of ours) gets its exception and changes nothing; the others go on.
    """
    working = Working(machines, loaded)
    return [_unit(working, unit) for unit in units], working.written()


def _unit(working: Working, unit: Unit) -> Result | Exception:
    draft = Draft(working, unit.streams)
    stand: list[Done] = []
    told: Problem | None = None
    try:
        for order in unit.orders:
            done, problem = _order(draft, order)
            told = told or problem
            if done is None:
                return Result(problem=told)
            stand.append(done)
    except Exception as fault:
        return fault
    working.take(draft)
    return Result(done=tuple(stand), problem=told)


def _order(draft: Draft, order: Order) -> Decided:
    found = draft.meant(order)
    if isinstance(order.command, Post):
        return _post(draft, found, order, order.command)
    if found is None and order.birth is None:
        return None, not_found(order.what)
    stands = found or _born(draft.working, order)
    decide = _step if stands.head.kind in draft.working.machines.kept else _decide
    return decide(draft, stands, order)


def _born(working: Working, order: Order) -> Stands:
    assert order.birth is not None, "only an order with a birth makes a stream"
    head = heads.born(order.stream, shard_of(order.stream), order.birth, at=working.now, by=order.by)
    machine = working.machines.folded.get(order.birth.kind)
    return Stands(head=head, state=machine.initial() if machine else None, base=0)


def _post(draft: Draft, found: Stands | None, order: Order, post: Post) -> Decided:
    if found is None:
        return None, not_found(order.what)
    if found.head.kind not in draft.working.machines.kept:
        raise TypeError(f"a stream of the kind {found.head.kind.name} keeps no state and has no inbox")
    problem = hearing.posted(draft, found, post, order.by)
    if problem is not None:
        return None, problem
    return Done(head=draft.streams[found.head.stream].head, state=None, recorded=()), None


def _decide(draft: Draft, stands: Stands, order: Order) -> Decided:
    """A folded machine: its events are its state."""
    machine = draft.working.machines.folded[stands.head.kind]
    decision = machine.decide(stands.state, order.command, draft.moment(stands.head))
    if not decision.events:
        stood = Done(head=stands.head, state=stands.state, recorded=())
        return (stood, None) if decision.problem is None else (None, decision.problem)
    recorded = draft.record(stands.head, decision.events, PLAYBOOK_ITSELF if decision.by_itself else order.by)
    state = reduce(machine.evolve, recorded, stands.state)
    head = _advance(draft, stands, state, machine.summary(state), recorded)
    if decision.open_limit is not None:
        draft.bound(head.playbook, decision.open_limit)
    if isinstance(order.command, Erase):
        head = _erased(draft, head)
    if isinstance(order.command, (CreateDefinition, UpdateDefinition)):
        draft.rows.definitions.extend(_definition_rows(head, order.command.text, recorded))
    return Done(head=head, state=state, recorded=recorded), decision.problem


def _erased(draft: Draft, head: Head) -> Head:
    """What was written goes from all events of the stream, and the party from the head, which repeats it."""
    head = replace(head, party=None, answerer=None)
    draft.streams[head.stream] = replace(draft.there(head.stream), head=head)
    draft.rows.erased.append(head.stream)
    return head


def _step(draft: Draft, stands: Stands, order: Order) -> Decided:
    """A kept machine takes the command and all that lies in its inbox, and gives orders to others.

    Its choice stands once it is made: an order that is refused undoes nothing, and the machine hears of it.
    """
    head = stands.head
    machine = draft.working.machines.kept[head.kind]
    given = Given(
        head=head,
        by=order.by,
        moment=draft.moment(head),
        inbox=tuple(inbox.from_body(row.from_stream, row.body) for row in stands.inbox),
        streams=draft.seen,
    )
    state = _kept(machine, stands)
    step = machine.step(state, order.command, given)
    if step.problem is not None:
        return None, step.problem
    if step.state == state and _is_idle(stands, step):
        return Done(head=head, state=state, recorded=()), None
    draft.rows.taken.extend((row.stream, row.n) for row in stands.inbox)
    recorded = draft.record(head, step.events, order.by)
    _advance(draft, stands, step.state, step.summary, recorded)
    _join(draft, head.stream, step.joined)
    for ordered in step.orders:
        assert ordered.birth or draft.knows(ordered.stream), "a step orders what its unit names"
        _, problem = _order(draft, ordered)
        if problem is not None:
            hearing.refused(draft, head.stream, ordered.stream, problem)
    stands = draft.streams[head.stream]
    return Done(head=stands.head, state=stands.state, recorded=recorded), None


def _kept(machine: Kept[State], stands: Stands) -> State:
    if isinstance(stands.state, KeptState):
        return machine.read(stands.state.format, stands.state.state)
    if stands.state is None and stands.head.version:
        raise LookupError(f"stream {stands.head.stream.hex()} has a head and no state")
    return stands.state


def _is_idle(stands: Stands, step: Step[State]) -> bool:
    """Whether a step that keeps its state leaves all as it was. Nothing is written then: a claim that lies in the head
    stays, so that a stream which stays due backs off."""
    head = stands.head
    if not head.version or stands.inbox or step.events or step.orders or step.joined:
        return False
    stands_so = heads.advanced(head, step.summary, seq=head.seq, now=head.last_at)
    return replace(stands_so, version=head.version, fails=head.fails) == head


def _join(draft: Draft, conversation: bytes, members: Sequence[Member]) -> None:
    """What was sent into a conversation. A request that ended earlier in the same unit does not wait there."""
    for member in members:
        row = MemberRow(
            conversation=conversation, sent_id=member.sent_id, stream=member.stream, asked_at=member.asked_at
        )
        draft.rows.joined.append(row)
        if member.asked_at is not None and (asked := draft.there(member.stream).head).outcome is not None:
            draft.rows.left.append((member.stream, asked.last_at))


def _advance(draft: Draft, stands: Stands, state: State, summary: Summary, recorded: tuple[Recorded, ...]) -> Head:
    """The stream as a decision leaves it: whatever lay in its inbox was taken."""
    before = stands.head
    now = draft.working.time(before)
    head = heads.advanced(before, summary, seq=before.seq + len(recorded), now=now)
    draft.streams[head.stream] = Stands(head=head, state=state, base=stands.base)
    draft.count(head.playbook, head.open - (before.version > 0 and before.open))
    was_open, is_open = before.version > 0 and before.outcome is None, head.outcome is None
    if head.parent is not None and (before.version == 0 or was_open != is_open):
        hearing.child(draft, head.parent, head, int(is_open) - int(was_open))
    if was_open and not is_open and draft.has_conversations:
        draft.rows.left.append((head.stream, now))
    return head


def _definition_rows(head: Head, text: Text, recorded: Sequence[Recorded]) -> list[DefinitionRow]:
    return [
        DefinitionRow(
            playbook=head.playbook,
            type=one.event.type,
            name=one.event.name,
            version=one.event.version,
            stream=head.stream,
            text=text,
            at=one.at,
            by=one.by,
        )
        for one in recorded
        if isinstance(one.event, DefinitionSaved)
    ]
