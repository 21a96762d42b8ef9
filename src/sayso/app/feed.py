"""The feed: what happened in a playbook, in the order in which it was committed, without gaps."""

import logging
from collections.abc import Mapping, Sequence

from sayso.app import event_view, inputs, run_view
from sayso.app.event_view import Where
from sayso.app.find import RUNS, is_shown
from sayso.app.means import Means
from sayso.app.operations import Allowed, Outcome
from sayso.app.pages import Walked, cut, page, walked
from sayso.app.places import Place
from sayso.app.snapshot import Snapshot
from sayso.core import events, rows
from sayso.core.ids import parse_uuid, uuid_text
from sayso.core.instants import NotAnInstant, microseconds
from sayso.core.rows import Cell, Row
from sayso.core.values import Json
from sayso.errors import invalid_input

log = logging.getLogger("sayso.feed")

LISTING = "events"
# By how much a store's clock may have been put back between two events of a feed, in microseconds.
ASTRAY_US = 120_000_000


class Feed:
    """The operation ``list_playbook_events``."""

    def __init__(self, means: Means) -> None:
        self._store = means.store
        self._places = means.places
        self._reference = means.reference
        self._find = means.find
        self._cursors = means.cursors

    async def list_playbook_events(self, allowed: Allowed, fields: inputs.ListPlaybookEvents) -> Outcome:
        """A page of the playbook's events, newest first unless asked otherwise, as histories show them.

        With ``has_more`` even a page of few events, or none, is not the last: it looks at no more than 1,000.
        """
        since = _instant(fields.since)
        place = await self._places.to_read(allowed)
        if place is None:
            return page(LISTING, [], None)
        if fields.run_id is not None:
            return await self._of_run(place, fields, since)
        listing, where = f"{LISTING} {fields.order}", f"{place.playbook}"
        start = int.from_bytes(self._cursors.read(listing, where, fields.cursor)) if fields.cursor else None
        found = await self._page(place, fields, since, start)
        cursor = None if found.next is None else self._cursors.write(listing, where, found.next.to_bytes(8))
        shown = [row for row in found.rows if is_shown(place, row)]
        return page(LISTING, await self._shown(place, shown), cursor)

    async def _page(
        self, place: Place, fields: inputs.ListPlaybookEvents, since: int | None, start: int | None
    ) -> Walked:
        """One page of one walk through the feed, from either end."""
        asked = events.SHOWN[fields.type] if fields.type else None
        is_asc = fields.order == "asc"
        found = await self._store.query(
            "feed_page_asc" if is_asc else "feed_page_desc",
            **_of(place),
            **{"after_position" if is_asc else "before_position": start},
            floor=0 if since is None else await self._floor(place, since),
            since=since,
            code=asked.code if asked else None,
            is_first=asked.is_first if asked else None,
            limit=fields.limit + 1,
        )
        return walked(found, fields.limit, "position")

    async def _floor(self, place: Place, since: int) -> int:
        """A position below which no event is of that time or later, found by halves: times rise with positions, but
        for a clock that was put back."""
        ends = await self._store.query("feed_end", **_of(place))
        low, high = 0, ends[0]["position"] + 1 if ends else 0
        while low < high:
            middle = (low + high) // 2
            at = await self._store.query("feed_at", **_of(place), position=middle)
            if at and at[0]["at"] < since - ASTRAY_US:
                low = at[0]["position"] + 1
            else:
                high = middle
        return low

    async def _of_run(self, place: Place, fields: inputs.ListPlaybookEvents, since: int | None) -> Outcome:
        """A page of one run's events: its stream is read, and not the whole feed. Of no run there are none."""
        assert fields.run_id is not None, "asked of one run"
        identifier = parse_uuid(fields.run_id)
        assert identifier is not None, "inputs let only ids through"
        head = await self._find.known(place, identifier)
        if head is None or not place.shows(head):
            return page(LISTING, [], None)
        listing, where = f"{LISTING} {fields.order}", f"{place.playbook} {run_view.run_id(head)}"
        start = int.from_bytes(self._cursors.read(listing, where, fields.cursor)) if fields.cursor else None
        found, last = cut(await self._find.events(head, fields.order, start, fields.limit), fields.limit)
        kept = [row for row in found if _fits(row, fields, since)]
        cursor = None if last is None else self._cursors.write(listing, where, last["seq"].to_bytes(4))
        of_head = {"stream": head.stream, "kind": head.kind, "run_id": head.run_id}
        return page(LISTING, await self._shown(place, [{**row, **of_head} for row in kept]), cursor)

    async def _shown(self, place: Place, found: Sequence[Row]) -> list[Json]:
        snapshot = await self._reference.naming(row["by"] for row in found)
        return [await self._event(place, row, snapshot) for row in found]

    async def _event(self, place: Place, row: Row, snapshot: Snapshot) -> dict[str, Json]:
        """An event as a list shows it. One that cannot be read is marked in its place, and takes no other with it."""
        stream = row["stream"]
        run_id = uuid_text(row["run_id"] or stream) if row["kind"] in RUNS else None
        where = Where(position=row["position"], playbook=place.name, run_id=run_id)
        try:
            recorded = rows.recorded(stream, row)
            return event_view.row(
                recorded, where, snapshot, answer=await self._find.answer_before(place.shard, recorded)
            )
        except (ValueError, TypeError) as fault:
            log.error("the event %s of %s cannot be read: %s", row["seq"], stream.hex(), fault)
            return event_view.unreadable(stream, row, where, snapshot)


def _of(place: Place) -> Mapping[str, Cell]:
    return {"shard": place.shard, "playbook": place.playbook}


def _instant(since: str | None) -> int | None:
    if since is None:
        return None
    try:
        return microseconds(since)
    except NotAnInstant as fault:
        raise invalid_input(f"since {fault}.", "/since") from None


def _fits(row: Row, fields: inputs.ListPlaybookEvents, since: int | None) -> bool:
    if since is not None and row["at"] < since:
        return False
    asked = events.SHOWN[fields.type] if fields.type else None
    return asked is None or (row["type"] == asked.code and asked.is_first in {None, row["seq"] == 1})
