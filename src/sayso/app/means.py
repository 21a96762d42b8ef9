"""What the operations work with."""

from dataclasses import dataclass

from sayso.app.cursors import Cursors
from sayso.app.mint import Mint
from sayso.app.playbooks import Playbooks
from sayso.app.reference import Reference
from sayso.app.writer import Writer
from sayso.ports import Clock, Store


@dataclass(frozen=True, kw_only=True)
class Means:
    """One of each, shared by all operations of an app."""

    store: Store
    writer: Writer
    reference: Reference
    playbooks: Playbooks
    mint: Mint
    cursors: Cursors
    clock: Clock
