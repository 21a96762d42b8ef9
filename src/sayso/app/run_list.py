"""The list of a playbook's runs: its feed walked backwards, so that it needs no index of its own."""

from sayso.app import inputs, run_view
from sayso.app.means import Means
from sayso.app.operations import Allowed, Outcome
from sayso.app.pages import Walked, page, walked
from sayso.app.places import Place
from sayso.core.rows import head
from sayso.core.values import Json

LISTING = "runs"


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

    async def _find(self, place: Place, fields: inputs.ListRuns, before: int | None) -> Walked:
        """One page: rows that fit the filters among those that one walk back through the feed finds."""
        rows = await self._store.query(
            "runs_page",
            shard=place.shard,
            playbook=place.playbook,
            before_position=before,
            **run_view.wanted(fields),
        )
        return walked(rows, fields.limit, "started_position")
