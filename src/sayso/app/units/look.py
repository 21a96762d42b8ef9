"""A look at a stream whose time has come. What to do is decided from its state."""

from collections.abc import Sequence
from dataclasses import replace

from sayso.app.units.queue import Lane
from sayso.app.units.unit import PLAYBOOK_ITSELF, Order, Result, Unit
from sayso.app.units.writer import Writer
from sayso.core import bounds
from sayso.core.commands import Look
from sayso.core.heads import Head
from sayso.ports import Due, Store

LOOK = Look()


async def look(store: Store, writer: Writer, due: Sequence[Due]) -> list[Result | Exception]:
    """Look at each; what became of it, or why it could not be looked at."""
    units = [_unit(one) for one in due]
    outcomes = await writer.submit_each(units, Lane.WORKER)
    for n, outcome in enumerate(outcomes):
        if isinstance(outcome, Result) and _wants_its_children(outcome.done[0].head):
            outcomes[n] = await _shown(store, writer, due[n], units[n])
    return outcomes


def _unit(due: Due) -> Unit:
    order = Order(stream=due.stream, command=LOOK, by=PLAYBOOK_ITSELF)
    return Unit(shard=due.shard, playbook=due.playbook, orders=(order,))


async def _shown(store: Store, writer: Writer, due: Due, unit: Unit) -> Result | Exception:
    """A parent that stays due at once is shown its open children, a page a unit: it has something to order of them, as
    when it was cancelled, and no unit holds them all."""
    after = bytes(16)
    while True:
        children = await _children(store, due, after)
        [outcome] = await writer.submit_each([replace(unit, streams=children)], Lane.WORKER)
        # Without children those that it waited for have ended meanwhile, and it has heard of that now.
        if not children or not isinstance(outcome, Result) or not _wants_its_children(outcome.done[0].head):
            return outcome
        after = children[-1]


async def _children(store: Store, due: Due, after: bytes) -> tuple[bytes, ...]:
    """The next page of its open children."""
    rows = await store.query(
        "open_children", shard=due.shard, parent=due.stream, after_stream=after, limit=bounds.CHILDREN_PAGE
    )
    return tuple(row["stream"] for row in rows)


def _wants_its_children(head: Head) -> bool:
    return head.open_children > 0 and head.due_at is not None and head.due_at <= head.last_at
