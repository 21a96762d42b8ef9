"""Interactions: the open requests of a playbook, which are its inbox, and one request whatever became of it."""

from collections.abc import Sequence

from sayso.app import inputs, interaction_view
from sayso.app.functions import key
from sayso.app.means import Means
from sayso.app.operations import Allowed, Outcome
from sayso.app.pages import cut, page
from sayso.app.places import Place
from sayso.core.heads import StreamKind
from sayso.core.rows import Cell, Row, head
from sayso.errors import not_found

LISTING = "interactions"


class Interactions:
    """The operations ``list_interactions`` and ``get_interaction``."""

    def __init__(self, means: Means) -> None:
        self._store = means.store
        self._places = means.places
        self._reference = means.reference
        self._functions = means.functions
        self._find = means.find
        self._cursors = means.cursors

    async def list_interactions(self, allowed: Allowed, fields: inputs.ListInteractions) -> Outcome:
        """The open requests, newest first; filters hold together (AUTO: Listing requests)."""
        place = await self._places.to_read(allowed)
        if place is None:
            return page(LISTING, [], None)
        where = f"{place.playbook}"
        before = self._cursors.read(LISTING, where, fields.cursor) if fields.cursor else None
        found, last = await self._found(place, fields, before)
        cursor = None if last is None else self._cursors.write(LISTING, where, last)
        return page(LISTING, [interaction_view.listed(row) for row in found], cursor)

    async def _found(
        self, place: Place, fields: inputs.ListInteractions, before: bytes | None
    ) -> tuple[Sequence[Row], bytes | None]:
        """A page, and the stream that it ends with where more follow."""
        function = await self._function(place, fields.function) if fields.function else None
        if fields.function and function is None:
            return [], None
        where: dict[str, Cell] = {"shard": place.shard, "playbook": place.playbook, "before": before}
        where |= {"function": function, "limit": fields.limit + 1}
        parties = place.principal.parties
        if parties is None and fields.to is not None:
            parties = frozenset({fields.to})
        if parties is None:
            found, last = cut(await self._store.query("open_requests", **where), fields.limit)
            return found, None if last is None else last["stream"]
        streams = await self._streams_for(parties, where | {"to": fields.to})
        shown = streams[: fields.limit]
        return await self._named(place, shown), shown[-1] if len(streams) > fields.limit else None

    async def _streams_for(self, parties: frozenset[str], where: dict[str, Cell]) -> list[bytes]:
        """What is put to some parties, or is theirs to answer: the newest of each, merged. Of what waits for others no
        more than an entry of an index is read."""
        each = [await self._store.query("open_to_party", party=party, **where) for party in sorted(parties)]
        return sorted({row["stream"] for found in each for row in found}, reverse=True)

    async def _named(self, place: Place, streams: Sequence[bytes]) -> Sequence[Row]:
        """These requests, but for those that ended, or were given to somebody else, since they were found."""
        found = await self._find.open_requests(place.shard, streams)
        return [row for row in found if place.shows(head(row))]

    async def _function(self, place: Place, name: str) -> bytes | None:
        """The stream of the function of this name; interactions are asked by functions alone so far."""
        found = await self._store.query(
            "head_keyed",
            shard=place.shard,
            playbook=place.playbook,
            kind=int(StreamKind.DEFINITION),
            key=key("interaction", name),
        )
        return found[0]["stream"] if found else None

    async def get_interaction(self, allowed: Allowed, fields: inputs.GetInteraction) -> Outcome:
        """One request by its run's id, open or over, and once it is over how it ended; 404 for a run that put none."""
        place = await self._places.to_find(allowed, "interaction")
        run = await self._find.run_of(place, await self._find.head(place, fields.run_id, "interaction"))
        is_request = run.head.kind is StreamKind.REQUEST
        schema = await self._functions.answer_schema(run.head) if is_request else None
        snapshot = await self._reference.naming(run.callers)
        shown = interaction_view.whole(run, schema.source if schema else None, snapshot)
        if shown is None:
            raise not_found("interaction")
        return shown
