"""What the operations work with."""

from dataclasses import dataclass

from sayso.app.cursors import Cursors
from sayso.app.find import Finder
from sayso.app.functions import Functions
from sayso.app.mint import Mint
from sayso.app.places import Places
from sayso.app.reference import Reference
from sayso.app.units.writer import Writer
from sayso.ports import Clock, Store


@dataclass(frozen=True, kw_only=True)
class Means:
    """One of each, shared by all operations of an app."""

    store: Store
    writer: Writer
    reference: Reference
    places: Places
    find: Finder
    functions: Functions
    mint: Mint
    cursors: Cursors
    clock: Clock
