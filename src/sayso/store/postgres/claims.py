"""Claims that all processes see: a claim puts a stream's due time off for a minute, in the head itself.

A process that dies leaves its claims to their minute. Nothing here waits for a lock: what a batch of the writer holds
is being worked on, and passed by.
"""

from collections.abc import Callable, Sequence
from typing import Any

from sayso.core.heads import CLAIM_US
from sayso.core.rows import Columns
from sayso.ports import Clock, Due
from sayso.store.postgres.statements import Statement, named

FAR = (1 << 63) - 1


class Claims:
    """What this process has claimed, and until when. Without a ``clock`` the database's counts."""

    def __init__(self, rows: Callable[[Statement, Sequence[Any]], Any], clock: Clock | None) -> None:
        self._rows = rows
        self._clock = clock
        self._held: dict[tuple[int, bytes], tuple[int, int]] = {}  # (shard, stream): until when, and due when before

    async def claim(self, shard: int, limit: int) -> Sequence[Due]:
        """At most ``limit`` due streams that nobody held, the longest due first."""
        now = self._clock.now() if self._clock else None
        rows = await self._run("claim", shard=shard, now=now, limit=limit, put_off=CLAIM_US)
        for stream, _, due_at, until in rows:
            self._held[shard, stream] = (until, due_at)
        found = [Due(shard=shard, stream=row[0], playbook=row[1], due_at=row[2]) for row in rows]
        return sorted(found, key=lambda due: (due.due_at, due.stream))

    async def release(self, shard: int, claimed: Sequence[Due]) -> None:
        """Put the due times back that were claimed, as far as they still stand as the claim left them."""
        held = [(due.stream, *self._held.pop((shard, due.stream), (0, 0))) for due in claimed]
        streams, untils, before = zip(*held, strict=True) if held else ((), (), ())
        await self._run("release", shard=shard, stream=streams, until=untils, due_at=before)

    def before(self, shard: int, stream: bytes, due_at: int) -> int:
        """When a stream was due before this process claimed it; what it was not that put it off stays as it is."""
        until, before = self._held.get((shard, stream), (None, due_at))
        return before if until == due_at else due_at

    async def next_due(self, shard: int) -> int | None:
        """When the first stream is due; one that is claimed is due when its claim ends."""
        rows = await self._run("due", shard=shard, now=FAR, limit=1)
        return int(rows[0][2]) if rows else None

    async def _run(self, name: str, **parameters: Any) -> list[Columns]:
        statement = named(name)
        rows: list[Columns] = await self._rows(statement, statement.bind(parameters))
        return rows
