"""handle: the only way that run data changes.

Each unit's orders are decided in turn over what was loaded for the whole batch; a unit that decides a problem changes
nothing. A child's birth and its ending reach the parent here, in the child's own unit: the parent's step is never run.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce

from sayso.app.units.unit import PLAYBOOK_ITSELF, Done, Order, Result, Unit
from sayso.app.units.working import Draft, Stands, Working
from sayso.core import heads
from sayso.core.commands import Command, CreateDefinition, UpdateDefinition
from sayso.core.events import DefinitionSaved, Recorded
from sayso.core.heads import Head, Summary
from sayso.core.ids import shard_of
from sayso.core.machines.machine import ChildEnded, Machines
from sayso.errors import not_found
from sayso.ports import Batch, DefinitionRow, InboxRow, Loaded


def handle(machines: Machines, units: Sequence[Unit], loaded: Loaded) -> tuple[list[Result | Exception], Batch]:
    """Decide a batch: what became of each unit, in order, and the rows that make it true.

    A unit that breaks (a fault of ours) gets its exception and changes nothing; the others go on.
    """
    working = Working(machines, loaded)
    return [_unit(working, unit) for unit in units], working.written()


def _unit(working: Working, unit: Unit) -> Result | Exception:
    draft = Draft(working)
    try:
        for order in unit.orders:
            _order(draft, order)
            if draft.void:
                return Result(problem=draft.problem)
    except Exception as fault:
        return fault
    working.take(draft)
    return Result(done=tuple(draft.done), problem=draft.problem)


def _order(draft: Draft, order: Order) -> None:
    found = draft.meant(order)
    if found is None and order.birth is None:
        draft.refuse(not_found(order.what), void=True)
        return
    stands = found or _born(draft.working, order)
    if stands.head.kind in draft.working.machines.kept:
        _step(draft, stands, order)
    else:
        _decide(draft, stands, order)
    if found is None and order.birth and order.birth.parent and order.stream in draft.streams:
        _open_child(draft, order.birth.parent)


def _born(working: Working, order: Order) -> Stands:
    assert order.birth is not None, "only an order with a birth makes a stream"
    head = heads.born(order.stream, shard_of(order.stream), order.birth, at=working.now, by=order.by)
    machine = working.machines.folded.get(order.birth.kind)
    return Stands(head=head, state=machine.initial() if machine else None, base=0)


def _decide(draft: Draft, stands: Stands, order: Order) -> None:
    """A folded machine: its events are its state."""
    machine = draft.working.machines.folded[stands.head.kind]
    decision = machine.decide(stands.state, order.command, draft.working.moment(stands.head))
    draft.refuse(decision.problem, void=not decision.events)
    if decision.open_limit is not None:
        draft.rows.room[stands.head.playbook] = decision.open_limit
    if not decision.events:
        draft.done.append(Done(head=stands.head, state=stands.state, recorded=()))
        return
    recorded = draft.record(stands.head, decision.events, PLAYBOOK_ITSELF if decision.by_itself else order.by)
    state = reduce(machine.evolve, recorded, stands.state)
    _advance(draft, replace(stands, state=state), machine.summary(state), recorded)
    draft.rows.definitions.extend(_definition_rows(stands.head, order.command, recorded))


def _step(draft: Draft, stands: Stands, order: Order) -> None:
    """A kept machine takes the command, and all that lies in its inbox."""
    machine = draft.working.machines.kept[stands.head.kind]
    inbox = tuple(ChildEnded(child=row.from_stream, outcome=row.body["outcome"]) for row in stands.inbox)
    step = machine.step(stands.state, order.command, inbox, draft.working.moment(stands.head))
    draft.refuse(step.problem, void=step.problem is not None)
    draft.rows.taken.extend((row.stream, row.n) for row in stands.inbox)
    recorded = draft.record(stands.head, step.events, order.by)
    _advance(draft, replace(stands, state=step.state, inbox=()), step.summary, recorded)


def _advance(draft: Draft, stands: Stands, summary: Summary, recorded: tuple[Recorded, ...]) -> None:
    before = stands.head
    head = heads.advanced(before, summary, seq=before.seq + len(recorded), now=draft.working.time(before))
    draft.streams[head.stream] = replace(stands, head=head)
    draft.done.append(Done(head=head, state=stands.state, recorded=recorded))
    if head.parent is not None and head.outcome is not None and before.outcome is None:
        _end_child(draft, head.parent, head)


def _parent(draft: Draft, parent: bytes) -> Stands:
    stands = draft.find(parent)
    assert stands is not None, "a parent is loaded with its child"
    return stands


def _open_child(draft: Draft, parent: bytes) -> None:
    stands = _parent(draft, parent)
    head = replace(stands.head, version=stands.head.version + 1, open_children=stands.head.open_children + 1)
    draft.streams[parent] = replace(stands, head=head)


def _end_child(draft: Draft, parent: bytes, child: Head) -> None:
    """The parent's counter falls, its journal and its inbox hear of it, and it is due now."""
    stands = _parent(draft, parent)
    journal = draft.working.machines.kept[stands.head.kind].hears(stands.head, child)
    recorded = draft.record(stands.head, journal, PLAYBOOK_ITSELF)
    now = draft.working.time(stands.head)
    head = replace(
        stands.head,
        version=stands.head.version + 1,
        seq=stands.head.seq + len(recorded),
        open_children=stands.head.open_children - 1,
        due_at=now,
        last_at=now,
    )
    assert child.outcome is not None, "an ended child has an outcome"
    # The parent's version rises with each ending, so it numbers what lies in the inbox.
    row = InboxRow(stream=parent, n=head.version, from_stream=child.stream, body={"outcome": int(child.outcome)})
    draft.rows.inbox.append(row)
    draft.streams[parent] = replace(stands, head=head, inbox=(*stands.inbox, row))


def _definition_rows(head: Head, command: Command, recorded: Sequence[Recorded]) -> list[DefinitionRow]:
    if not isinstance(command, CreateDefinition | UpdateDefinition):
        return []
    return [
        DefinitionRow(
            playbook=head.playbook,
            type=one.event.type,
            name=one.event.name,
            version=one.event.version,
            stream=head.stream,
            text=command.text,
            at=one.at,
            by=one.by,
        )
        for one in recorded
        if isinstance(one.event, DefinitionSaved)
    ]
