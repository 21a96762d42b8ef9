"""The list of a playbook's runs: its feed walked backwards, so that it needs no index of its own."""

from collections.abc import Sequence
from dataclasses import dataclass

from sayso.app import inputs, run_view
from sayso.app.means import Means
from sayso.app.operations import Allowed, Outcome
from sayso.app.pages import page
from sayso.app.places import Place
from sayso.core.rows import Row, head
from sayso.core.values import Json

LISTING = "runs"


@dataclass(frozen=True, kw_only=True)
class Found:
    """The runs of a page, and the position in the feed below which the next page begins; None at the end."""

    rows: Sequence[Row]
    next: int | None


class RunList:
    """The operation ``list_runs``."""

    def __init__(self, means: Means) -> None:
        self._store = means.store
        self._places = means.places
        self._reference = means.reference
        self._cursors = means.cursors

    async def list_runs(self, allowed: Allowed, fields: inputs.ListRuns) -> Outcome:
        """The runs by their first start, newest first, without outputs and without the words of rejections.

        With ``has_more`` even a page of few runs, or none, is not the last: it looks at no more than 1,000 events, and
        leaves out what is not there for who asks.
        """
        place = await self._places.to_read(allowed)
        if place is None:
            return page(LISTING, [], None)
        where = f"{place.playbook}"
        before = int.from_bytes(self._cursors.read(LISTING, where, fields.cursor)) if fields.cursor else None
        found = await self._find(place, fields, before)
        snapshot = await self._reference.naming(row["by"] for row in found.rows)
        shown: list[Json] = [run_view.listed(row, place.name, snapshot) for row in found.rows if place.shows(head(row))]
        cursor = None if found.next is None else self._cursors.write(LISTING, where, found.next.to_bytes(8))
        return page(LISTING, shown, cursor)

    async def _find(self, place: Place, fields: inputs.ListRuns, before: int | None) -> Found:
        """One page: rows that fit the filters among those that one walk back through the feed finds."""
        walked = await self._store.query(
            "runs_page",
            shard=place.shard,
            playbook=place.playbook,
            before_position=before,
            type=fields.type,
            name=fields.name,
            outcome=None if fields.status is None else run_view.OUTCOMES[fields.status],
            limit=fields.limit + 1,
        )
        runs = [row for row in walked if row["stream"] is not None]
        if len(runs) > fields.limit:
            return Found(rows=runs[: fields.limit], next=runs[fields.limit - 1]["started_position"])
        return Found(rows=runs, next=walked[0]["examined"] if walked[0]["more"] else None)
