"""History: what happened in a run, in order, and one event whole."""

from sayso.app import event_view, inputs, run_view
from sayso.app.event_view import Where
from sayso.app.find import RUNS, is_shown
from sayso.app.means import Means
from sayso.app.operations import Allowed, Outcome
from sayso.app.pages import cut, page
from sayso.app.places import Place
from sayso.core import rows
from sayso.core.events import InteractionRequested, Recorded
from sayso.core.heads import Head
from sayso.core.ids import parse_uuid, shard_of, split_event_id, uuid_text
from sayso.core.rows import Row
from sayso.core.values import Json
from sayso.errors import not_found

LISTING = "history"


class History:
    """The operations ``get_run_history`` and ``get_event``."""

    def __init__(self, means: Means) -> None:
        self._store = means.store
        self._places = means.places
        self._reference = means.reference
        self._find = means.find
        self._functions = means.functions
        self._cursors = means.cursors

    async def get_run_history(self, allowed: Allowed, fields: inputs.GetRunHistory) -> Outcome:
        """A page of the run's events, oldest first unless asked otherwise."""
        place = await self._places.to_find(allowed, "run")
        head = await self._find.head(place, fields.run_id)
        listing, where = f"{LISTING} {fields.order}", f"{place.playbook} {run_view.run_id(head)}"
        start = int.from_bytes(self._cursors.read(listing, where, fields.cursor)) if fields.cursor else None
        found, last = cut(await self._find.events(head, fields.order, start, fields.limit), fields.limit)
        shown: list[Json] = [await self._row(place, head, row) for row in found]
        cursor = None if last is None else self._cursors.write(listing, where, last["seq"].to_bytes(4))
        return page("events", shown, cursor)

    async def _row(self, place: Place, head: Head, row: Row) -> dict[str, Json]:
        recorded = rows.recorded(head.stream, row)
        where = Where(position=row["position"], playbook=place.name, run_id=run_view.run_id(head))
        answer = await self._find.answer_before(place.shard, recorded)
        return event_view.row(recorded, where, await self._reference.naming([recorded.by]), answer=answer)

    async def get_event(self, allowed: Allowed, fields: inputs.GetEvent) -> Outcome:
        """One event of the playbook with every field whole."""
        place = await self._places.to_find(allowed, "event")
        identifier = parse_uuid(fields.event_id)
        assert identifier is not None, "inputs let only ids through"
        stream, seq = split_event_id(identifier)
        found = await self._store.query("event", shard=place.shard, stream=stream, seq=seq)
        if (
            not found
            or shard_of(stream) != place.shard
            or found[0]["playbook"] != place.playbook
            or not is_shown(place, found[0])
        ):
            raise not_found("event")
        return await self._whole(place, stream, found[0])

    async def _whole(self, place: Place, stream: bytes, row: Row) -> Outcome:
        recorded = rows.recorded(stream, row)
        run_id = uuid_text(row["run_id"] or stream) if row["kind"] in RUNS else None
        where = Where(position=row["position"], playbook=place.name, run_id=run_id)
        answer, answer_schema = await self._of_run(place, recorded)
        snapshot = await self._reference.naming([recorded.by])
        return event_view.whole(recorded, where, snapshot, answer=answer, answer_schema=answer_schema)

    async def _of_run(self, place: Place, recorded: Recorded) -> tuple[Json, Json]:
        """What an event of a run shows and its row does not hold: the answer, the schema that it is checked by."""
        if not isinstance(recorded.event, InteractionRequested):
            return await self._find.answer_before(place.shard, recorded), None
        found = await self._store.query("head", shard=place.shard, playbook=place.playbook, stream=recorded.stream)
        schema = await self._functions.answer_schema(rows.head(found[0]))
        return None, schema.source if schema else None
