"""Status: how a store stands, for whoever runs it. Each count stops at a limit, so that looking costs no more when
there is more to see."""

from collections import Counter

from sayso.core.instants import iso
from sayso.core.values import Json
from sayso.ports import Store

COUNTED = 1_000

MINUTE = 60_000_000
HOUR = 60 * MINUTE
DAY = 24 * HOUR


class Status:
    """What a store says of itself, and what its heads and counters tell of the work in it."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def read(self) -> dict[str, Json]:
        """How things stand now. A count is ``{"count", "more"}``: with ``more`` it stopped, and there may be more."""
        now = await self._store.now()
        meta = (await self._store.query("meta"))[0]
        totals = await self._summed("feeds_total")
        overdue, hour, day = [await self._due(until) for until in (now - MINUTE, now + HOUR, now + DAY)]
        failing = await self._summed("failing", limit=COUNTED + 1)
        untold = await self._summed("failing_notices", limit=COUNTED + 1)
        return {
            "at": iso(now),
            "schema_version": meta["schema_version"],
            "shards": meta["shards"],
            "bytes": (await self._store.query("store_bytes"))[0]["bytes"],
            "playbooks": totals["playbooks"],
            "events": totals["events"],
            "open_requests": totals["open"],
            **await self._next(now),
            "overdue": _counted(overdue, "seen"),
            "expiring_in_an_hour": _counted(hour, "expiring"),
            "expiring_in_a_day": _counted(day, "expiring"),
            "undelivered": _counted(day, "unsent"),
            "failing_conversations": _counted(failing, "conversations"),
            "failing_streams": _counted(failing, "others"),
            "failing_notices": _counted(untold, "seen"),
        }

    async def _next(self, now: int) -> dict[str, Json]:
        """What is due next, or longest, and for how many seconds it has been."""
        times = [await self._store.next_due(shard) for shard in range(self._store.shards)]
        first = min((at for at in times if at is not None), default=None)
        lag = max(0, now - first) if first is not None else 0
        return {"next_due_at": None if first is None else iso(first), "due_lag_seconds": round(lag / 1_000_000, 3)}

    async def _due(self, until: int) -> Counter[str]:
        return await self._summed("due_first", until=until, limit=COUNTED + 1)

    async def _summed(self, query: str, **parameters: int) -> Counter[str]:
        """A row of counts, summed over the shards. In how many of them looking stopped at the limit is ``stopped``."""
        total: Counter[str] = Counter()
        for shard in range(self._store.shards):
            row = (await self._store.query(query, shard=shard, **parameters))[0]
            total.update({name: min(count, COUNTED) if parameters else count for name, count in row.items()})
            total["stopped"] += row.get("seen", 0) > COUNTED
        return total


def _counted(found: Counter[str], name: str) -> dict[str, Json]:
    return {"count": found[name], "more": found["stopped"] > 0}
