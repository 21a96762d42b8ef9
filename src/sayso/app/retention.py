"""Retention: what was written in a run is erased by itself, so long after the run has ended.

It follows the feeds, as far as they are old enough, and so looks at each ending once. Every process that works may do
so, and none leads.
"""

import asyncio
import logging
from collections.abc import Sequence

from sayso.app.feeds.cursor import Cursor
from sayso.app.feeds.following import Following
from sayso.app.reference import Reference
from sayso.app.units.queue import Lane
from sayso.app.units.unit import PLAYBOOK_ITSELF, Order, Result, Unit
from sayso.app.units.writer import Writer
from sayso.core import bounds
from sayso.core.commands import Erase
from sayso.errors import Problem, Reason
from sayso.ports import Store, StoreError

log = logging.getLogger("sayso.retention")

NAME = "retention"
LOOK_EVERY_S = 600.0


class Retention:
    """Erases runs that ended ``kept_us`` ago, in microseconds. Children, definitions and what waits it leaves alone."""

    def __init__(self, store: Store, writer: Writer, reference: Reference, *, kept_us: int) -> None:
        self._store = store
        self._writer = writer
        self._kept_us = kept_us
        self._following = Following(store, writer, reference, NAME, from_now=False)

    async def run(self) -> None:
        """Erase what is old enough, each ten minutes, for ever."""
        while True:
            try:
                await self.sweep()
            except Exception as fault:
                is_away = isinstance(fault, StoreError | Problem)
                log.warning("what is old is erased later: %s", fault, exc_info=not is_away)
            await asyncio.sleep(LOOK_EVERY_S)

    async def sweep(self) -> int:
        """Erase all that is old enough now; how many runs were."""
        await self._following.prepare()
        erased = 0
        try:
            async for found in self._following.behind():
                for cursor in found:
                    erased += await self._follow(cursor)
        finally:
            if erased:
                await self._store.scrub()
        return erased

    async def _follow(self, cursor: Cursor) -> int:
        """Erase what is old enough in one playbook; how many runs were."""
        erased = 0
        while True:
            streams, reached = await self._old(cursor)
            if reached == cursor.position or not await self._following.claim([cursor]):
                return erased
            erased += await self._erase(cursor, streams)
            stands = cursor.reached(reached)
            await self._following.move([(cursor, stands)])
            cursor = stands

    async def _old(self, cursor: Cursor) -> tuple[Sequence[bytes], int]:
        """The runs that ended among the next events that are old enough, and the last of those events."""
        before = await self._store.now() - self._kept_us
        found = await self._store.query(
            "fed_endings", shard=cursor.shard, playbook=cursor.playbook, after=cursor.position, until=before
        )
        streams = [row["stream"] for row in found if row["stream"] is not None]
        return streams, found[0]["reached"] or cursor.position

    async def _erase(self, cursor: Cursor, streams: Sequence[bytes]) -> int:
        """Each in a unit of its own; one that runs again by now is refused, and erased when that has ended.

        One that cannot be erased, since a row of it is damaged, is named in the log, and holds up no other.
        """
        erased = 0
        for start in range(0, len(streams), bounds.BATCH_UNITS):
            some = streams[start : start + bounds.BATCH_UNITS]
            outcomes = await self._writer.submit_each([self._unit(cursor, stream) for stream in some], Lane.LAZY)
            for stream, outcome in zip(some, outcomes, strict=True):
                if isinstance(outcome, Result):
                    erased += bool(outcome.done[0].recorded)
                elif isinstance(outcome, StoreError) or (
                    isinstance(outcome, Problem) and outcome.reason is Reason.UNAVAILABLE
                ):
                    raise outcome
                elif not isinstance(outcome, Problem):
                    log.error("the run %s is not erased: %r", stream.hex(), outcome)
        return erased

    def _unit(self, cursor: Cursor, stream: bytes) -> Unit:
        order = Order(stream=stream, command=Erase(), by=PLAYBOOK_ITSELF)
        return Unit(shard=cursor.shard, playbook=cursor.playbook, orders=(order,))
