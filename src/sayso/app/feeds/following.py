"""Following: a follower's cursors, one for each playbook, made when a playbook is new and claimed before they move."""

from collections.abc import AsyncIterator, Sequence

from sayso.app.feeds.cursor import Cursor, cursor_id, cursor_of
from sayso.app.reference import Reference
from sayso.app.snapshot import PlaybookRow
from sayso.app.units.writer import Writer
from sayso.core.rows import Cell
from sayso.ports import Store, Transaction

CLAIM_US = 40_000_000
PAGE = 64


class Following:
    """The cursors of the follower of this name, so many to a ``page``. One that follows ``from_now`` passes over what
    was there before it was first heard of; of a playbook that is made later it misses nothing."""

    def __init__(
        self, store: Store, writer: Writer, reference: Reference, name: str, *, from_now: bool, page: int = PAGE
    ) -> None:
        self._store = store
        self._writer = writer
        self._reference = reference
        self._name = name
        self._from_now = from_now
        self._limit = page
        self._known: set[int] = set()
        self._since: int | None = None

    async def prepare(self) -> None:
        """Make the cursors of playbooks that are new."""
        if self._since is None:
            self._since = await self._known_since() if self._from_now else 0
        rows = (await self._reference.snapshot()).playbooks.values()
        new = [row for row in rows if row.playbook not in self._known]
        for row in new:
            await self._make(row, row.at <= self._since)
        self._known.update(row.playbook for row in new)

    async def _known_since(self) -> int:
        """When the first process heard of this follower: the same in all, whoever makes which cursor."""
        own: dict[str, Cell] = {"shard": 0, "id": cursor_id(self._name, 0)}
        now = await self._store.now()
        await self._writer.change(
            lambda transaction: transaction.query("add_follower", **own, url=self._name, since=now)
        )
        return int((await self._store.query("follower", **own))[0]["since"])

    async def _make(self, row: PlaybookRow, from_now: bool) -> None:
        await self._writer.change(
            lambda transaction: transaction.query(
                "add_subscription",
                shard=row.shard,
                id=cursor_id(self._name, row.playbook),
                playbook=row.playbook,
                org=row.org,
                url=self._name,
                from_now=from_now,
            ),
            shard=row.shard,
        )

    async def behind(self) -> AsyncIterator[Sequence[Cursor]]:
        """All cursors that have something before them and are not put off, a page at a time."""
        for shard in range(self._store.shards):
            after = bytes(16)
            while found := await self._page(shard, after):
                yield found
                after = found[-1].id

    async def _page(self, shard: int, after: bytes) -> Sequence[Cursor]:
        now = await self._store.now()
        found = await self._store.query(
            "subscriptions_behind", shard=shard, url=self._name, after=after, now=now, limit=self._limit
        )
        return [cursor_of(row) for row in found]

    async def claim(self, cursors: Sequence[Cursor]) -> Sequence[Cursor]:
        """Hold cursors of one shard for 40 seconds, in one commit: those that nobody else holds, or has moved."""
        now = await self._store.now()

        async def claimed(transaction: Transaction) -> Sequence[Cursor]:
            held = [await transaction.query("claim_subscription", **_claim(cursor, now)) for cursor in cursors]
            return [cursor for cursor, rows in zip(cursors, held, strict=True) if rows]

        return await self._writer.change(claimed, shard=cursors[0].shard)

    async def move(self, moves: Sequence[tuple[Cursor, Cursor]]) -> None:
        """Let claimed cursors of one shard, each in its pair as it was claimed, stand as they stand now."""

        async def moved(transaction: Transaction) -> None:
            for claimed, stands in moves:
                await transaction.query("move_subscription", **_move(claimed, stands))

        await self._writer.change(moved, shard=moves[0][0].shard)


def _claim(cursor: Cursor, now: int) -> dict[str, Cell]:
    return {
        "shard": cursor.shard,
        "id": cursor.id,
        "position": cursor.position,
        "now": now,
        "until": now + CLAIM_US,
    }


def _move(claimed: Cursor, stands: Cursor) -> dict[str, Cell]:
    return {
        "shard": stands.shard,
        "id": stands.id,
        "base_position": claimed.position,
        "position": stands.position,
        "due_at": stands.due_at,
        "fails": stands.fails,
        "failed_since": stands.failed_since,
        "last_error": stands.last_error,
    }
