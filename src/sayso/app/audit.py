"""The audit trail: every event of a store, who did it and when, playbook after playbook in the order of its feed."""

from collections.abc import AsyncIterator
from typing import Final

from sayso.app import event_view
from sayso.app.event_view import Where
from sayso.app.find import RUNS
from sayso.app.reference import Reference
from sayso.app.snapshot import PlaybookRow, Snapshot
from sayso.core import rows
from sayso.core.events import Recorded, RequestAnswered
from sayso.core.ids import uuid_text
from sayso.core.instants import iso
from sayso.core.rows import Row
from sayso.core.values import Json
from sayso.ports import Store

PAGE: Final = 500


class Audit:
    """Reads a store as last committed; what comes while it reads may or may not be there."""

    def __init__(self, store: Store, reference: Reference) -> None:
        self._store = store
        self._reference = reference

    async def lines(self, org: str | None = None, since: int = 0) -> AsyncIterator[dict[str, Json]]:
        """The events since a time (microseconds), of one org or of all, then its keys, made and revoked.

        An event is as its history shows it: what is longer than 2 KiB by its size, what was erased as null.
        """
        snapshot = await self._reference.snapshot(fresh=True)
        for row in sorted(snapshot.playbooks.values(), key=lambda row: row.playbook):
            if org in {None, snapshot.org_names[row.org]}:
                async for line in self._playbook(row, snapshot.org_names[row.org], since):
                    yield line
        for line in _keys(snapshot, org, since):
            yield line

    async def _playbook(self, playbook: PlaybookRow, org: str, since: int) -> AsyncIterator[dict[str, Json]]:
        place: dict[str, Json] = {"org": org, "playbook": playbook.name}
        after, more = 0, True
        before: Recorded | None = None
        while more:
            found = await self._store.query(
                "audit_page", shard=playbook.shard, playbook=playbook.playbook, after=after, limit=PAGE
            )
            snapshot = await self._reference.naming(row["by"] for row in found)
            for row in found:
                where = Where(position=row["position"], playbook=playbook.name, run_id=_run_id(row))
                try:
                    recorded = rows.recorded(row["stream"], row)
                    line = event_view.row(recorded, where, snapshot, answer=_answer(before, recorded))
                    before = recorded
                except (ValueError, TypeError) as fault:
                    line = {"stream": uuid_text(row["stream"]), "position": row["position"], "damaged": str(fault)}
                if row["at"] >= since:
                    yield place | line
            more = len(found) == PAGE
            after = found[-1]["position"] if found else after


def _run_id(row: Row) -> str | None:
    return uuid_text(row["run_id"] or row["stream"]) if row["kind"] in RUNS else None


def _answer(before: Recorded | None, ending: Recorded) -> Json:
    """The answer that an ending repeats: the event just before it, in its stream and so in its feed."""
    if before is None or (before.stream, before.seq) != (ending.stream, ending.seq - 1):
        return None
    return before.event.answer if isinstance(before.event, RequestAnswered) else None


def _keys(snapshot: Snapshot, org: str | None, since: int) -> list[dict[str, Json]]:
    lines: list[tuple[int, dict[str, Json]]] = []
    for row in snapshot.keys.values():
        if org not in {None, snapshot.org_names[row.org]}:
            continue
        for kind, at in (("key_created", row.at), ("key_revoked", row.revoked_at)):
            if at is not None and at >= since:
                line: dict[str, Json] = {"org": snapshot.org_names[row.org], "type": kind, "key": row.id, "at": iso(at)}
                lines.append((at, line))
    return [line for _, line in sorted(lines, key=lambda pair: pair[0])]
