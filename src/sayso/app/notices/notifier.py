"""The notifier: brings the notices of all playbooks to one place, each at least once, in the order of their feed.

It stands beside the worker in every process that works, and none leads: a cursor is claimed for 40 seconds before
anything is brought, and moved only by whoever claimed it. No answer waits for what is brought.
"""

import asyncio
import logging
from collections.abc import Sequence

from sayso.app.feeds.cursor import Cursor
from sayso.app.feeds.following import Following
from sayso.app.notices import notice
from sayso.app.notices.notice import Courier, NotBrought
from sayso.app.reference import Reference
from sayso.app.units.bell import FAR, Bell
from sayso.app.units.writer import Writer
from sayso.core.rows import Row
from sayso.errors import Problem
from sayso.ports import Store, StoreError

log = logging.getLogger("sayso.notices")

# After so long what was brought is noted, with time to spare before the claim is over.
NOTED_AFTER_S = 15.0
# So many playbooks at once, which are claimed in one commit and noted in one.
AT_ONCE = 8


class Notifier:
    """Tells one place, which the courier knows; another place has cursors of its own. The bell rings when something is
    new."""

    def __init__(
        self, store: Store, writer: Writer, reference: Reference, courier: Courier, bell: Bell, *, interval_ms: int
    ) -> None:
        self._store = store
        self._reference = reference
        self._courier = courier
        self._bell = bell
        self._interval_s = interval_ms / 1000
        self._following = Following(store, writer, reference, courier.target, from_now=True, page=AT_ONCE)

    async def run(self) -> None:
        """Bring what is new, then sleep until something is, or for the interval: polling is the truth. For ever."""
        try:
            while True:
                self._bell.clear()
                try:
                    await self.sweep()
                except Exception as fault:
                    is_away = isinstance(fault, StoreError | Problem)
                    log.warning("notices wait: %s", fault, exc_info=not is_away)
                await self._bell.wait(FAR, self._interval_s)
        finally:
            await self._courier.close()

    async def sweep(self) -> None:
        """Bring all that is to be brought now."""
        await self._following.prepare()
        has_more = True
        while has_more:
            has_more = False
            async for found in self._following.behind():
                await self._serve(found)
                has_more = True

    async def _serve(self, cursors: Sequence[Cursor]) -> None:
        """Bring what some playbooks have. What was brought is noted, whatever became of the others."""
        claimed = await self._following.claim(cursors)
        stand = await asyncio.gather(*map(self._brought, claimed), return_exceptions=True)
        pairs = list(zip(claimed, stand, strict=True))
        if moves := [(cursor, stands) for cursor, stands in pairs if isinstance(stands, Cursor)]:
            await self._following.move(moves)
        for stands in stand:
            if isinstance(stands, BaseException):
                raise stands

    async def _brought(self, cursor: Cursor) -> Cursor:
        """Where the cursor stands once its next notices were brought, or the first of them that could not be was
        tried."""
        loop = asyncio.get_running_loop()
        until = loop.time() + NOTED_AFTER_S
        found = await self._store.query(
            "fed_requests", shard=cursor.shard, playbook=cursor.playbook, after=cursor.position
        )
        for row in found:
            if row["stream"] is None:
                continue
            if loop.time() >= until:
                return cursor
            stands = await self._one(cursor, row)
            if stands.position < row["position"]:
                return stands
            cursor = stands
        return cursor.reached(found[0]["reached"] or cursor.position)

    async def _one(self, cursor: Cursor, row: Row) -> Cursor:
        """Bring one; where the cursor stands then."""
        try:
            await self._courier.bring(notice.of(row, await self._source(cursor)))
        except NotBrought as fault:
            return await self._failed(cursor, row, fault)
        except (ValueError, TypeError) as fault:
            return await self._failed(cursor, row, NotBrought(f"it cannot be read: {fault}", refused=True))
        return cursor.reached(row["position"])

    async def _failed(self, cursor: Cursor, row: Row, fault: NotBrought) -> Cursor:
        now = await self._store.now()
        if not cursor.gives_up(now, refused=fault.refused):
            log.info("a notice of playbook %d is tried again: %s", cursor.playbook, fault.words)
            return cursor.failed(fault.words, now, fault.retry_after_s)
        log.error(
            "the notice at position %d of playbook %d is given up: %s", row["position"], cursor.playbook, fault.words
        )
        return cursor.reached(row["position"])

    async def _source(self, cursor: Cursor) -> str:
        snapshot = await self._reference.snapshot()
        name = next(row.name for row in snapshot.playbooks.values() if row.playbook == cursor.playbook)
        return f"/orgs/{snapshot.org_names[cursor.org]}/playbooks/{name}"
