"""Interactions: the open requests of a playbook, which are its inbox."""

import json
import logging
from collections.abc import Sequence

from sayso.app import inputs
from sayso.app.functions import key
from sayso.app.means import Means
from sayso.app.operations import Allowed, Outcome
from sayso.app.pages import cut, page
from sayso.app.places import Place
from sayso.core import rows
from sayso.core.events import InteractionRequested
from sayso.core.heads import StreamKind
from sayso.core.ids import uuid_text
from sayso.core.instants import iso
from sayso.core.rows import Cell, Row
from sayso.core.values import Json

log = logging.getLogger("sayso.interactions")

LISTING = "interactions"


class Interactions:
    """The operation ``list_interactions``."""

    def __init__(self, means: Means) -> None:
        self._store = means.store
        self._places = means.places
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
        return page(LISTING, [_shown_or_marked(row) for row in found], cursor)

    async def _found(
        self, place: Place, fields: inputs.ListInteractions, before: bytes | None
    ) -> tuple[Sequence[Row], bytes | None]:
        """A page, and the stream that it ends with where more follow."""
        function = await self._function(place, fields.function) if fields.function else None
        if fields.function and function is None:
            return [], None
        where: dict[str, Cell] = {"shard": place.shard, "playbook": place.playbook, "before": before}
        where |= {"function": function, "limit": fields.limit + 1}
        if place.principal.parties is None:
            found, last = cut(await self._store.query("open_requests", party=fields.to, **where), fields.limit)
            return found, None if last is None else last["stream"]
        streams = await self._streams_for(place.principal.parties, where | {"to": fields.to})
        shown = streams[: fields.limit]
        return await self._named(place, shown), shown[-1] if len(streams) > fields.limit else None

    async def _streams_for(self, parties: frozenset[str], where: dict[str, Cell]) -> list[bytes]:
        """What is put to some parties, or is theirs to answer: the newest of each, merged. It costs as much as a page
        and the parties are many, however much waits for them or for others."""
        each = [await self._store.query("open_to_party", party=party, **where) for party in sorted(parties)]
        return sorted({row["stream"] for found in each for row in found}, reverse=True)

    async def _named(self, place: Place, streams: Sequence[bytes]) -> Sequence[Row]:
        """These requests, but for those that ended, or were given to somebody else, since they were found."""
        if not streams:
            return []
        found = await self._store.query("open_requests_named", shard=place.shard, streams=streams)
        return [row for row in found if place.shows(rows.head(row))]

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


def _shown_or_marked(row: Row) -> dict[str, Json]:
    """A request as it was put. Every member is always there. One whose rows are damaged is marked in its place: it must
    not take the rest of the list with it."""
    try:
        return _shown(row, _asked(row))
    except (ValueError, TypeError) as fault:
        log.error("the request %s cannot be read: %s", row["stream"].hex(), fault)
        damaged = InteractionRequested(
            message_bytes=0, takes_answer=False, expires_at=row["expires_at"], to=row["party"] or "", message=""
        )
        return _shown({**row, "output_schema": None}, damaged) | {"standing": "unreadable"}


def _shown(row: Row, asked: InteractionRequested) -> dict[str, Json]:
    return {
        "run_id": uuid_text(row["run_id"] or row["stream"]),
        "type": row["type"],
        "function": row["name"],
        "version": row["function_version"],
        "to": asked.to if row["party"] is None else row["party"],  # it may have been given to another since
        "delivery": asked.delivery,
        "message": asked.message,
        "takes_answer": asked.takes_answer,
        "answer_schema": None if row["output_schema"] is None else json.loads(row["output_schema"]),
        "requested_at": iso(row["asked_at"]),
        "expires_at": iso(asked.expires_at),
        "attempts": 0,
        "standing": "in_inbox",
        "conversation": None,
        "answerer": None,
        "reply_refusals": 0,
    }


def _asked(row: Row) -> InteractionRequested:
    """The fact that put the request; ``to`` is the party, in the head too, where an erasure clears both."""
    event = rows.event(row["asked_type"], row["asked_v"], row["data"], row["content"])
    if not isinstance(event, InteractionRequested):
        raise TypeError("what follows its start is not the request")
    return event
