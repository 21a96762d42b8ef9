"""What a batch needs, read in one statement a table."""

from collections.abc import Iterable, Sequence

from sayso.core.heads import KEPT, Head
from sayso.core.rows import Columns, head_of
from sayso.ports import Loaded, Wanted
from sayso.store.rows import grouped, inbox_of, recorded_of, state_of
from sayso.store.sql import Query
from sayso.store.sqlite.connection import Connection

# Heads looked for in one statement, by each way. SQLite 3.40 takes a table of 200 rows for one of 2^20 and, before it
# looks for any of them, walks through all heads to make a filter.
LOOKED_FOR = 128


class Loading:
    """Loads from one shard, within the transaction that is open on the connection."""

    def __init__(self, connection: Connection, queries: dict[str, Query], shard: int) -> None:
        self._connection = connection
        self._queries = queries
        self._shard = shard

    def load(self, wanted: Wanted, now: int) -> Loaded:
        """What is wanted, with the parents and the conversations of its streams."""
        heads = self._heads(wanted)
        folded = [head.stream for head in heads if head.kind not in KEPT]
        kept = [head.stream for head in heads if head.kind in KEPT]
        states = [state_of(row) for row in self._rows("load_states", streams=kept)] if kept else []
        inbox = [inbox_of(row) for row in self._rows("load_inbox", streams=kept)] if kept else []
        events = recorded_of(self._rows("load_events", streams=folded)) if folded else []
        return Loaded(
            now=now,
            heads=heads,
            events=grouped(events, lambda recorded: recorded.stream),
            states={state.stream: state for state in states},
            inbox=grouped(inbox, lambda row: row.stream),
            open_requests=self._open(wanted),
        )

    def _heads(self, wanted: Wanted) -> list[Head]:
        if not (wanted.streams or wanted.run_ids or wanted.keys):
            return []
        found = self._found(streams=wanted.streams, run_ids=wanted.run_ids, keys=wanted.keys)
        related = {head.parent for head in found.values() if head.parent}
        related.update(row[0] for row in self._rows("load_conversations", streams=list(found)))
        if more := related - found.keys():
            found |= self._found(streams=more, run_ids=(), keys=())
        return [head for _, head in sorted(found.items())]

    def _found(self, **wanted: Iterable[object]) -> dict[bytes, Head]:
        left = {name: list(each) for name, each in wanted.items()}
        found: dict[bytes, Head] = {}
        while any(left.values()):
            rows = self._rows("load_heads", **{name: each[:LOOKED_FOR] for name, each in left.items()})
            found |= {head.stream: head for head in map(head_of, rows)}
            left = {name: each[LOOKED_FOR:] for name, each in left.items()}
        return found

    def _open(self, wanted: Wanted) -> dict[int, int]:
        if not wanted.playbooks:
            return {}
        rows = self._rows("load_open", playbooks=list(wanted.playbooks))
        return dict.fromkeys(wanted.playbooks, 0) | {row[0]: row[1] for row in rows}

    def _rows(self, name: str, **lists: Sequence[object]) -> Sequence[Columns]:
        return self._connection.fetch(name, *self._queries[name].bind({"shard": self._shard, **lists}))
