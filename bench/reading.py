"""Reading back: what was acknowledged is there, and ended once."""

import asyncio
from collections.abc import Sequence

from bench.questions import groups
from sayso.app.units.unit import Unit
from sayso.core import events
from sayso.core.heads import Outcome
from sayso.core.rows import head, recorded
from sayso.ports import Store

History = tuple[str, ...]
ASKED: History = ("run_started", "interaction_requested")
ANSWERED: History = (*ASKED, "request_answered", "run_succeeded")
EXPIRED: History = (*ASKED, "run_rejected")
_AT_ONCE = 16


async def check(store: Store, units: Sequence[Unit], right: History, outcome: Outcome | None) -> None:
    """Assert of each stream that these units began that it has this history, whole and once, and stands so."""
    for group in groups(units, _AT_ONCE):
        await asyncio.gather(*(_check(store, unit, right, outcome) for unit in group))


async def _check(store: Store, unit: Unit, right: History, outcome: Outcome | None) -> None:
    stream = unit.orders[0].stream
    found = await store.query("head", shard=unit.shard, playbook=unit.playbook, stream=stream)
    assert len(found) == 1, "a run that was acknowledged is gone"
    assert head(found[0]).outcome == outcome, f"a run stands at {head(found[0]).outcome}, not at {outcome}"
    assert await _history(store, stream) == right, "a run's history is not what was acknowledged"


async def history(store: Store, playbook: int, run_id: bytes) -> History:
    """What happened in a run, by the names of its events."""
    found = await store.query("head_of_run", shard=0, playbook=playbook, run_id=run_id)
    assert len(found) == 1, "a run that was acknowledged is gone"
    return await _history(store, found[0]["stream"])


async def _history(store: Store, stream: bytes) -> History:
    rows = await store.query("events_since", shard=0, stream=stream, from_seq=1)
    return tuple(events.name(recorded(stream, row).event) for row in rows)
