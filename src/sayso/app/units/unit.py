"""Units: what is decided and written together, in one playbook and so in one shard."""

from collections.abc import Sequence
from dataclasses import dataclass

from sayso.core.commands import Command
from sayso.core.events import Recorded
from sayso.core.heads import Birth, Head
from sayso.core.machines.machine import State
from sayso.errors import Problem
from sayso.ports import Wanted

# The caller that a playbook itself is: what time decided was done by nobody else.
PLAYBOOK_ITSELF = 0


@dataclass(frozen=True, kw_only=True)
class Order:
    """A command to one stream, by one caller. With ``birth`` the stream is made if its run id or key is still free.

    ``what`` names the thing in the words of a 404.
    """

    stream: bytes
    command: Command
    by: int
    birth: Birth | None = None
    what: str = "run"


@dataclass(frozen=True, kw_only=True)
class Unit:
    """One or more orders, decided in turn. ``size`` is about how many bytes they will write."""

    shard: int
    playbook: int
    orders: tuple[Order, ...]
    size: int = 0


@dataclass(frozen=True, kw_only=True)
class Done:
    """Where an ordered stream stands after its unit. Without ``recorded`` events it stood so before."""

    head: Head
    state: State
    recorded: tuple[Recorded, ...]


@dataclass(frozen=True, kw_only=True)
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
    return Wanted(
        streams=frozenset(o.stream for o in orders if not o.birth) | {b.parent for b in births if b.parent},
        run_ids=frozenset((b.playbook, b.run_id) for b in births if b.run_id),
        keys=frozenset((b.playbook, b.kind, b.key) for b in births if b.key),
        playbooks=frozenset(unit.playbook for unit in units),
    )
