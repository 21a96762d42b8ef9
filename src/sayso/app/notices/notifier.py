"""The notifier: brings the notices of all playbooks to one place, each at least once, in the order of their feed.

It stands beside the worker in every process that works, and none leads: a cursor is claimed for a minute before
anything is brought, and moved only by whoever claimed it. What it does costs no answer anything.
"""

import asyncio
import logging
from collections.abc import Sequence

from sayso.app.notices import notice
from sayso.app.notices.cursor import Cursor, cursor_id, cursor_of
from sayso.app.notices.notice import Courier, NotBrought
from sayso.app.reference import Reference
from sayso.app.snapshot import PlaybookRow
from sayso.app.units.bell import FAR, Bell
from sayso.app.units.writer import Writer
from sayso.core.rows import Row
from sayso.errors import Problem
from sayso.ports import Store, StoreError

log = logging.getLogger("sayso.notices")

CLAIM_US = 60_000_000
# After so long what was brought is noted, with time to spare before the claim is over.
NOTED_AFTER_S = 30.0
AT_ONCE = 8
PAGE = 64


class Notifier:
    """Tells one place, which the courier knows; another place has cursors of its own. The bell rings when something is
    new."""

    def __init__(
        self, store: Store, writer: Writer, reference: Reference, courier: Courier, bell: Bell, *, interval_ms: int
    ) -> None:
        self._store = store
        self._writer = writer
        self._reference = reference
        self._bell = bell
        self._courier = courier
        self._interval_s = interval_ms / 1000
        self._known: set[int] = set()
        self._room = asyncio.Semaphore(AT_ONCE)

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
        await self._make_cursors()
        while found := [cursor for shard in range(self._store.shards) for cursor in await self._behind(shard)]:
            await asyncio.gather(*map(self._serve, found))

    async def _make_cursors(self) -> None:
        """One for each playbook. In a store that is told of for the first time they begin where the feeds are now."""
        rows = list((await self._reference.snapshot()).playbooks.values())
        new = [row for row in rows if row.playbook not in self._known]
        if not new:
            return
        is_first = not self._known and not await self._any(rows)
        for row in new:
            await self._make(row, is_first)
        self._known.update(row.playbook for row in new)

    async def _any(self, rows: Sequence[PlaybookRow]) -> bool:
        for row in rows:
            found = {"shard": row.shard, "id": cursor_id(self._courier.target, row.playbook)}
            if await self._store.query("subscription", **found):
                return True
        return False

    async def _make(self, row: PlaybookRow, from_now: bool) -> None:
        await self._writer.change(
            lambda transaction: transaction.query(
                "add_subscription",
                shard=row.shard,
                id=cursor_id(self._courier.target, row.playbook),
                playbook=row.playbook,
                org=row.org,
                url=self._courier.target,
                from_now=from_now,
            ),
            shard=row.shard,
        )

    async def _behind(self, shard: int) -> list[Cursor]:
        found = await self._store.query(
            "subscriptions_behind",
            shard=shard,
            url=self._courier.target,
            now=await self._store.now(),
            limit=PAGE,
        )
        return [cursor_of(row) for row in found]

    async def _serve(self, cursor: Cursor) -> None:
        async with self._room:
            if await self._claimed(cursor):
                await self._move(cursor, await self._brought(cursor))

    async def _claimed(self, cursor: Cursor) -> bool:
        now = await self._store.now()
        claimed = await self._writer.change(
            lambda transaction: transaction.query(
                "claim_subscription",
                shard=cursor.shard,
                id=cursor.id,
                position=cursor.position,
                now=now,
                until=now + CLAIM_US,
            ),
            shard=cursor.shard,
        )
        return bool(claimed)

    async def _brought(self, cursor: Cursor) -> Cursor:
        """Where the cursor stands once its next notices were brought, or the first of them that could not be was
        tried."""
        loop = asyncio.get_running_loop()
        until = loop.time() + NOTED_AFTER_S
        rows = await self._store.query(
            "fed_requests", shard=cursor.shard, playbook=cursor.playbook, after=cursor.position
        )
        for row in rows:
            if row["stream"] is None:
                continue
            if loop.time() >= until:
                return cursor
            stands = await self._one(cursor, row)
            if stands.position < row["position"]:
                return stands
            cursor = stands
        return cursor.reached(rows[0]["reached"]) if rows and rows[0]["reached"] is not None else cursor

    async def _one(self, cursor: Cursor, row: Row) -> Cursor:
        """Bring one; where the cursor stands then."""
        try:
            await self._courier.bring(notice.of(row, await self._source(cursor)))
        except NotBrought as fault:
            return await self._failed(cursor, row, fault)
        except ValueError as fault:
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

    async def _move(self, claimed: Cursor, stands: Cursor) -> None:
        await self._writer.change(
            lambda transaction: transaction.query(
                "move_subscription",
                shard=stands.shard,
                id=stands.id,
                base_position=claimed.position,
                position=stands.position,
                due_at=stands.due_at,
                fails=stands.fails,
                failed_since=stands.failed_since,
                last_error=stands.last_error,
            ),
            shard=stands.shard,
        )
