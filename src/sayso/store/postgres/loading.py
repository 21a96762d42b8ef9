"""What a batch needs: the heads, locked, and then in one statement all the rest."""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace

from sayso.core.heads import KEPT, Head
from sayso.core.rows import Columns, head_of
from sayso.ports import InboxRow, KeptState, Loaded, Moved, Wanted
from sayso.store.postgres.session import WriterSession
from sayso.store.postgres.statements import named
from sayso.store.rows import grouped, inbox_of, recorded_of, state_of

# What a row of `load_rest` tells of.
_CLOCK, _OPEN, _EVENT, _STATE, _INBOX, _JOINED = range(1, 7)


class Loading:
    """Loads from one shard, within the session's transaction.

    ``claimed`` tells of a due time in a head what it was before a claim of this process put it off.
    """

    def __init__(self, session: WriterSession, shard: int, claimed: Callable[[bytes, int], int]) -> None:
        self._session = session
        self._shard = shard
        self._claimed = claimed

    async def load(self, wanted: Wanted) -> Loaded:
        """What is wanted, with the parents and the conversations of its streams. ``now`` is the database's."""
        heads = await self._heads(wanted)
        rest = await self._rest(heads, wanted)
        if rest[_JOINED]:
            raise Moved("load_heads: a stream was sent into a conversation while its head was waited for")
        return Loaded(
            now=rest[_CLOCK][0][3],
            heads=heads,
            events=grouped(recorded_of([row[1:] for row in rest[_EVENT]]), lambda recorded: recorded.stream),
            states={state.stream: state for state in map(_state, rest[_STATE])},
            inbox=grouped(map(_inbox, rest[_INBOX]), lambda row: row.stream),
            open_requests=dict.fromkeys(wanted.playbooks, 0) | {row[2]: row[3] for row in rest[_OPEN]},
        )

    async def _heads(self, wanted: Wanted) -> list[Head]:
        if not (wanted.streams or wanted.run_ids or wanted.keys):
            return []
        lists = {"streams": list(wanted.streams), "run_ids": list(wanted.run_ids), "keys": list(wanted.keys)}
        statement = named("load_heads")
        rows = await self._session.fetch(statement, statement.bind({"shard": self._shard, **lists}))
        return [self._as_it_was(head_of(row)) for row in rows]

    def _as_it_was(self, head: Head) -> Head:
        if head.due_at is None or (due_at := self._claimed(head.stream, head.due_at)) == head.due_at:
            return head
        return replace(head, due_at=due_at)

    async def _rest(self, heads: list[Head], wanted: Wanted) -> dict[int, list[Columns]]:
        lists = {
            "playbooks": list(wanted.playbooks),
            "streams": [head.stream for head in heads],
            "folded": [head.stream for head in heads if head.kind not in KEPT],
            "from_seqs": [head.from_seq for head in heads if head.kind not in KEPT],
            "kept": [head.stream for head in heads if head.kind in KEPT],
        }
        statement = named("load_rest")
        parts: dict[int, list[Columns]] = defaultdict(list)
        for row in await self._session.fetch(statement, statement.bind({"shard": self._shard, **lists})):
            parts[row[0]].append(row)
        return parts


def _state(row: Columns) -> KeptState:
    return state_of((row[1], row[2], row[7]))


def _inbox(row: Columns) -> InboxRow:
    return inbox_of((row[1], row[2], row[8], row[7]))
