"""What a batch decided, written in one statement a table, each of all its rows at once."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from operator import attrgetter
from typing import Any

from sayso.core.heads import KEYED, Head
from sayso.core.rows import Cell
from sayso.ports import Batch, HeadWrite, Moved, StatementFailed
from sayso.store.fences import ConstraintFailed
from sayso.store.postgres.session import WriterSession
from sayso.store.postgres.statements import named
from sayso.store.rows import Cells, definition_values, event_values, inbox_values, member_values, state_values


class Writing:
    """Writes to one shard, within the session's transaction."""

    def __init__(self, session: WriterSession, shard: int) -> None:
        self._session = session
        self._shard = shard

    async def write(self, batch: Batch) -> None:
        """All of the batch. What no row can hold is a StatementFailed, like a statement that the server refuses."""
        try:
            await self._write(batch)
        except (ValueError, TypeError, RecursionError) as error:  # not JSON, or nested deeper than JSON is written
            raise StatementFailed(f"a row could not be written: {error}") from error

    async def _write(self, batch: Batch) -> None:
        shard = self._shard
        await self._births([write.head for write in batch.heads if write.base == 0])
        await self._changes([write for write in batch.heads if write.base != 0])
        await self._many("insert_definitions", [definition_values(shard, row)[1:] for row in batch.definitions])
        await self._many("put_states", [state_values(shard, state)[1:] for state in batch.states])
        await self._many("insert_inbox", [inbox_values(shard, row)[1:] for row in batch.inbox])
        await self._many("delete_inbox", batch.taken)
        await self._many("put_members", [member_values(shard, row)[1:] for row in batch.joined])
        await self._many("leave_members", batch.left)
        await self._many("erase_events", [(stream,) for stream in batch.erased])
        await self._append(batch)

    async def _births(self, heads: list[Head]) -> None:
        """New heads, in an order in which nobody who gives the same names at the same time waits for us crosswise."""
        rows = list(map(_head_columns("insert_heads"), sorted(heads, key=_names_of)))
        if await self._many("insert_heads", rows) != len(rows):
            raise Moved("insert_heads: another process gave a run id or a key away first")

    async def _changes(self, writes: Sequence[HeadWrite]) -> None:
        columns = _head_columns("update_heads")
        rows = [(*columns(write.head), write.base) for write in writes]
        if await self._many("update_heads", rows) != len(rows):
            raise ConstraintFailed("fence: update_heads met a stream that had moved on since it was loaded")

    async def _append(self, batch: Batch) -> None:
        """The events, last of all, in the statement that takes the counters."""
        added = Counter(playbook for playbook, _ in batch.events)
        playbooks = sorted(added.keys() | {playbook for playbook, opened in batch.opened.items() if opened})
        if not playbooks:
            return
        opened = [batch.opened.get(playbook, 0) for playbook in playbooks]
        counters = [playbooks, [added[playbook] for playbook in playbooks], opened]
        statement = named("append_events")
        events = _columns(list(self._event_rows(batch, playbooks, added)), len(statement.names) - 1 - len(counters))
        for playbook, waiting in await self._session.fetch(statement, [self._shard, *counters, *events]):
            if batch.opened.get(playbook, 0) > 0 and waiting > batch.room.get(playbook, waiting):
                raise Moved(f"append_events: others opened requests in playbook {playbook}, and there is no room left")

    def _event_rows(self, batch: Batch, playbooks: Sequence[int], added: Counter[int]) -> Iterator[Cells]:
        places = {playbook: place for place, playbook in enumerate(playbooks, 1)}
        behind = added.copy()
        for playbook, recorded in batch.events:
            behind[playbook] -= 1
            yield event_values(self._shard, places[playbook], behind[playbook], recorded)[1:]

    async def _many(self, name: str, rows: Sequence[Cells]) -> int:
        """Run a statement for all rows; how many it changed. A row has the values of its parameters but the shard."""
        if not rows:
            return 0
        statement = named(name)
        columns = iter(_columns(rows, len(statement.names) - 1))
        values = [self._shard if each == "shard" else next(columns) for each in statement.names]
        return await self._session.change(statement, values)


@cache
def _head_columns(name: str) -> Callable[[Head], tuple[Any, ...]]:
    """What gives a head's values in the order of a statement's parameters."""
    return attrgetter(*(each for each in named(name).names if each not in {"shard", "base"}))


def _columns(rows: Sequence[Cells], width: int) -> list[tuple[Cell, ...]]:
    """The rows by columns. One that is all null is left empty: ``unnest`` fills it up, and it costs nothing."""
    columns = zip(*rows, strict=True) if rows else [()] * width
    return [() if column.count(None) == len(column) else column for column in columns]


def _names_of(head: Head) -> tuple[int, bytes, bytes, bytes]:
    return head.playbook, head.run_id or b"", (head.digest or b"") if head.kind in KEYED else b"", head.stream
