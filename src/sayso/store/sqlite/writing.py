"""What a batch decided, written in one statement a table."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from sayso.core.events import Recorded
from sayso.core.values import compact
from sayso.ports import Batch, HeadWrite, StatementFailed
from sayso.store.fences import ConstraintFailed
from sayso.store.rows import (
    Cells,
    definition_values,
    event_values,
    head_values,
    inbox_values,
    member_values,
    state_values,
)
from sayso.store.sql import Query
from sayso.store.sqlite.connection import Connection


class Writing:
    """Writes to one shard, within the transaction that is open on the connection."""

    def __init__(self, connection: Connection, queries: dict[str, Query], shard: int) -> None:
        self._connection = connection
        self._queries = queries
        self._shard = shard

    def write(self, batch: Batch) -> None:
        """All of the batch. What no row can hold is a StatementFailed, like a statement that SQLite refuses."""
        try:
            self._heads(batch.heads)
            self._many("insert_definitions", [definition_values(self._shard, row) for row in batch.definitions])
            self._many("put_states", [state_values(self._shard, state) for state in batch.states])
            self._many("insert_inbox", [inbox_values(self._shard, row) for row in batch.inbox])
            self._many("delete_inbox", [(self._shard, *taken) for taken in batch.taken])
            self._many("put_members", [member_values(self._shard, row) for row in batch.joined])
            self._many("leave_members", [(at, self._shard, stream) for stream, at in batch.left])
            self._many("erase_events", [(self._shard, stream) for stream in batch.erased])
            positions = self._feeds(batch)
            self._many("insert_events", list(self._event_rows(batch.events, positions)))
        except (ValueError, TypeError, RecursionError) as error:  # not JSON, or nested deeper than JSON is written
            raise StatementFailed(f"a row could not be written: {error}") from error

    def _heads(self, heads: Sequence[HeadWrite]) -> None:
        self._fenced("insert_heads", [write for write in heads if write.base == 0])
        self._fenced("update_heads", [write for write in heads if write.base != 0])

    def _fenced(self, name: str, heads: Sequence[HeadWrite]) -> None:
        values = head_values(self._queries[name])
        if heads and self._many(name, [values(write) for write in heads]) != len(heads):
            raise ConstraintFailed(f"fence: {name} met a stream that had moved on since it was loaded")

    def _feeds(self, batch: Batch) -> dict[int, int]:
        """Add to the counters; for each playbook, the position before its first event of this batch."""
        appended = Counter(playbook for playbook, _ in batch.events)
        playbooks = sorted(appended.keys() | {playbook for playbook, opened in batch.opened.items() if opened})
        if not playbooks:
            return {}
        moved = compact([[playbook, appended[playbook], batch.opened.get(playbook, 0)] for playbook in playbooks])
        statement = self._queries["move_feeds"].bind({"shard": self._shard, "moved": moved})
        rows = self._connection.fetch("move_feeds", *statement)
        return {playbook: position - appended[playbook] for playbook, position in rows}

    def _event_rows(self, events: Iterable[tuple[int, Recorded]], positions: dict[int, int]) -> Iterator[Cells]:
        for playbook, recorded in events:
            positions[playbook] += 1
            yield event_values(self._shard, playbook, positions[playbook], recorded)

    def _many(self, name: str, rows: Sequence[Cells]) -> int:
        return self._connection.many(name, self._queries[name].text(), rows) if rows else 0
