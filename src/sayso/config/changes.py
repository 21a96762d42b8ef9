"""What a reload may change: the settings of a running process that are new now, and those that wait for a restart."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sayso.config.table import TABLE

if TYPE_CHECKING:
    from sayso.settings import Settings


@dataclass(frozen=True, kw_only=True)
class Changes:
    """The settings that count from now on, the names of those that changed, and of those that wait for a restart."""

    settings: "Settings"
    changed: Sequence[str]
    waiting: Sequence[str]


def between(old: "Settings", new: "Settings") -> Changes:
    """What becomes of ``old`` where ``new`` is read while it is served."""
    differing = [one for one in TABLE if getattr(old, one.field) != getattr(new, one.field)]
    taken = [one for one in differing if one.reloads]
    values = {one.field: getattr(new, one.field) for one in taken}
    return Changes(
        settings=replace(old, **values, sources=new.sources),
        changed=[one.name for one in taken],
        waiting=[one.name for one in differing if not one.reloads],
    )
