"""Dropping a month: what nobody needs of it goes, and the rest takes its place in a table that is smaller.

There stay the streams that are open, or ended lately, or are definitions, conversations or publishings, and whatever is
above an open one or below it. The others go whole. Heads go first: events without a head are looked at by nobody, since
all are found through their head, and a head is never without its events. Then what stays is copied, and the copy takes
the place of the month's table in a moment. Wherever that is cut off, it can be begun again.
"""

import asyncio
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from importlib import resources
from typing import Any, Final

import asyncpg

from sayso.core.rows import Columns
from sayso.ports import StoreError
from sayso.store.postgres.connection import Session
from sayso.store.postgres.partitions import first_stream, month_of
from sayso.store.postgres.session import Faults
from sayso.store.postgres.statements import Statement, numbered
from sayso.store.sql import read_queries

DEFAULT: Final = "events_default"

# Streams whose heads go, or whose events are copied, in one transaction.
_STREAMS: Final = 500

# Whoever waits for the table of events makes all wait who come later: so for a moment only, and often.
_LOCK_WAIT: Final = "set local lock_timeout = '50ms'"
_LOCK_TRIES: Final = 600
_LOCK_REST_S: Final = 1.0

# Where the month has no table of its own, events go one by one, each with its head.
_EVENTS_GONE: Final = """, events_gone as (
  delete from events_default e using going g where e.shard = :shard and e.stream = g.stream
)"""


@dataclass(frozen=True, kw_only=True)
class Dropped:
    """What came of it: how many streams went, and how many stay in the month's table, with how many events."""

    gone: int
    kept: int
    kept_events: int


class NotDroppable(StoreError):
    """Why a month cannot be dropped, or cannot be now."""


def month_statements(parts: Mapping[str, str]) -> Mapping[str, Statement]:
    """The statements of months, with what their parts stand for."""
    text = resources.files("sayso.store.postgres").joinpath("months.sql").read_text(encoding="utf-8")
    return {name: numbered(query) for name, query in read_queries(text, dialect="postgres", parts=parts).items()}


class Dropping:
    """One go at a month, in one session. ``ended_before`` is the time before which what ended may go."""

    def __init__(
        self, session: Session, month: datetime, *, ended_before: int, rests: float, faults: Faults | None
    ) -> None:
        self._session = session
        self._month = month
        self._ended_before = ended_before
        self._rests = rests
        self._faults = faults or (lambda _: None)
        self._first = first_stream(month)
        self._end = first_stream(month_of(int(month.timestamp()) * 1_000_000, 1))
        self._queries = month_statements({})

    async def run(self, shards: Iterable[int]) -> Dropped:
        """All of it, from wherever an earlier one was cut off."""
        table = f"events_{self._month:%Y_%m}"
        has_table = table in {row["name"] for row in await self._do("partitions")}
        self._queries = month_statements(
            {
                "events": table if has_table else DEFAULT,
                "kept": f"{table}_kept",
                "dropped": f"{table}_dropped",
                "first": f"'{self._first}'",
                "end": f"'{self._end}'",
                "events_gone": "" if has_table else _EVENTS_GONE,
            }
        )
        await self._do("drop_kept")
        await self._do("drop_dropped")
        gone = sum([await self._let_go(shard) for shard in shards])
        kept, events = await self._replace(shards) if has_table else (0, 0)
        await self._do("drop_dropped")
        return Dropped(gone=gone, kept=kept, kept_events=events)

    async def _let_go(self, shard: int) -> int:
        """Delete heads with what hangs on them; again as long as children went, since then their parents may go."""
        for playbook, position in await self._do("last_events", shard=shard, ended_before=self._ended_before):
            # Cursors that may have missed what goes are too old from now on.
            await self._do("move_first_position", shard=shard, playbook=playbook, first_position=position + 1)
        gone, children = await self._pass(shard)
        while children:
            more, children = await self._pass(shard)
            gone += more
        return gone

    async def _pass(self, shard: int) -> tuple[int, int]:
        """How many went, and how many of them were children."""
        gone = children = 0
        place: bytes | None = self._end.bytes
        while place is not None:
            values = {"shard": shard, "before_stream": place, "ended_before": self._ended_before, "limit": _STREAMS}
            (row,) = await self._resting("let_go", **values)
            gone, children, place = gone + row["gone"], children + row["children"], row["last"]
        return gone, children

    async def _replace(self, shards: Iterable[int]) -> tuple[int, int]:
        """Let a table of what stays take the place of the month's; how many streams have how many events there."""
        await self._do("make_kept")
        number = await self._number_of_kept()
        fed = await self._do("feeds_are_at")
        kept = [await self._keep(shard) for shard in shards]
        fed_by_then = await self._do("feeds_are_at")
        await self._do("catch_up", fed=fed)  # most of it, so that little is left to do in the moment of the change
        for _ in range(_LOCK_TRIES):
            try:
                await self._change_places(number, fed_by_then)
            except asyncpg.LockNotAvailableError:
                await asyncio.sleep(_LOCK_REST_S)
            else:
                return sum(streams for streams, _ in kept), sum(events for _, events in kept)
        raise NotDroppable(
            f"Somebody reads events all the time, such as a backup does. Drop {self._month:%Y-%m} again when that is "
            "over: it goes on where it was."
        )

    async def _keep(self, shard: int) -> tuple[int, int]:
        streams = events = 0
        place: bytes | None = (self._first.int - 1).to_bytes(16)
        while place is not None:
            (row,) = await self._resting("keep_events", shard=shard, after_stream=place, limit=_STREAMS)
            streams, events, place = streams + row["streams"], events + row["events"], row["last"]
        return streams, events

    async def _change_places(self, number: int | None, fed: Sequence[Columns]) -> None:
        """Milliseconds in which nobody reads or writes an event; or not at all, if the lock is not to be had."""
        async with self._session.transaction():
            await self._session.execute(_LOCK_WAIT)
            await self._do("hold_events")
            if await self._number_of_kept() != number:
                raise NotDroppable(f"{self._month:%Y-%m} is being dropped by somebody else: let them.")
            await self._do("catch_up", fed=fed)
            for name in ("detach", "name_dropped", "name_kept", "attach"):
                await self._do(name)

    async def _number_of_kept(self) -> int | None:
        number: int | None = (await self._do("number_of_kept"))[0]["number"]
        return number

    async def _resting(self, name: str, **values: Any) -> list[Any]:
        began = time.monotonic()
        rows = await self._do(name, **values)
        await asyncio.sleep((time.monotonic() - began) * self._rests)
        return rows

    async def _do(self, name: str, **values: Any) -> list[Any]:
        """The one way to the server, with a fault point on each side."""
        query = self._queries[name]
        self._faults(f"before {name}")
        rows = await self._session.fetch(query.text, *query.bind(values))
        self._faults(f"after {name}")
        return rows
