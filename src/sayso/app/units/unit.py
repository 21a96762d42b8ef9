"""Units: what is decided and written together, in one playbook and so in one shard."""

from collections.abc import Sequence

from sayso.core.commands import PLAYBOOK_ITSELF, Order
from sayso.core.events import Recorded
from sayso.core.frozen import frozen
from sayso.core.heads import Head
from sayso.core.machines.machine import State
from sayso.errors import Problem
from sayso.ports import Wanted

__all__ = ["PLAYBOOK_ITSELF", "Done", "Order", "Result", "Unit", "wanted"]


@frozen
class Unit:
    """One or more orders, decided in turn. ``size`` is about how many bytes they will write.

    ``streams`` are others that the steps of kept streams see, as they stand when the unit begins, and may order.
    """

    shard: int
    playbook: int
    orders: tuple[Order, ...]
    streams: tuple[bytes, ...] = ()
    size: int = 0


@frozen
class Done:
    """Where an ordered stream stands after its order. Without ``recorded`` events a folded one stood so before.

    ``state`` is None where something was only left in an inbox.
    """

    head: Head
    state: State
    recorded: tuple[Recorded, ...]


@frozen
class Result:
    """What became of a unit: each order's stream, or the problem that its caller is told.

    With both, facts were recorded and the caller is refused all the same.
    """

    done: tuple[Done, ...] = ()
    problem: Problem | None = None


def wanted(units: Sequence[Unit]) -> Wanted:
    """The streams that these units need to be decided; the store adds their parents and conversations."""
    orders = [order for unit in units for order in unit.orders]
    births = [order.birth for order in orders if order.birth]
    streams = {
        order.stream for order in orders if not order.birth or order.birth.parent
    }  # a child may be there already
    return Wanted(
        streams=frozenset(
            streams.union((b.parent for b in births if b.parent), *(unit.streams for unit in units if unit.streams))
        ),
        run_ids=frozenset((b.playbook, b.run_id) for b in births if b.run_id),
        keys=frozenset((b.playbook, b.kind, b.key) for b in births if b.key),
        playbooks=frozenset(unit.playbook for unit in units),
    )
