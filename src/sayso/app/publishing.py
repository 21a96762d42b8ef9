"""Publishing: events of somebody's own, CloudEvents, put into a feed or sent to a run that waits for them."""

import hashlib

from sayso.app import inputs
from sayso.app.means import Means
from sayso.app.operations import Allowed, Outcome
from sayso.app.places import Place
from sayso.app.units.unit import Done, Order, Unit
from sayso.core import bounds, rows, values
from sayso.core.commands import Publish
from sayso.core.events import EventPublished, Recorded
from sayso.core.heads import Birth, StreamKind
from sayso.core.ids import event_id, uuid_text
from sayso.core.instants import NotAnInstant, iso, microseconds
from sayso.core.values import Json
from sayso.errors import invalid_input, not_found

SPEC_VERSION = "1.0"
# What is ours to say. Whose word an event is comes from the credential: a caller's name is its own alone.
OUR_TYPES = "dev.sayso."
CALLERS = "/callers/"
OUR_SOURCES = (CALLERS, "/playbooks/", "/runs/")


class Publishing:
    """The operations ``publish_event`` and ``send_run_event``."""

    def __init__(self, means: Means) -> None:
        self._store = means.store
        self._writer = means.writer
        self._places = means.places
        self._mint = means.mint

    async def publish_event(self, allowed: Allowed, fields: inputs.PublishEvent) -> Outcome:
        """Record an event in the playbook's feed. The same event of the same source and id again is found as it was
        recorded; another one under them is 409 ``taken``."""
        source = _checked(fields.event, allowed)
        _check_time(fields.event.time)
        place = await self._places.to_change(allowed)
        stream = self._mint.stream(place.shard)
        event = _event(fields.event, source, uuid_text(stream)) | values.stated(time=fields.event.time)
        size = values.size(event)
        published = EventPublished(event_sha256=values.digest(event), event_bytes=size, event=event)
        name = name_of(source, event["id"])
        birth = Birth(kind=StreamKind.PUBLISH, org=place.org, playbook=place.playbook, run_id=name)
        order = Order(stream=stream, command=Publish(published=published), by=place.by, birth=birth, what="event")
        unit = Unit(shard=place.shard, playbook=place.playbook, orders=(order,), size=size)
        return _shown(await self._recorded(place, (await self._writer.submit(unit)).done[0]), event)

    async def _recorded(self, place: Place, done: Done) -> Recorded:
        """The one fact of a published event's stream, recorded just now or before."""
        if done.recorded:
            return done.recorded[0]
        found = await self._store.query("event", shard=place.shard, stream=done.head.stream, seq=1)
        return rows.recorded(done.head.stream, found[0])

    async def send_run_event(self, allowed: Allowed, fields: inputs.SendRunEvent) -> Outcome:
        """Send an event to a workflow that waits for it. Nothing runs workflows yet, so that no run takes one: it is
        404 for every id, once the event itself is sound."""
        _checked(fields.event, allowed)
        await self._places.to_change_in(allowed, "running workflow")
        raise not_found("running workflow")


def _checked(event: inputs.SentEvent, allowed: Allowed) -> str:
    """The source of an event whose type and source are not reserved, and that is no larger than an event may be."""
    inputs.bound("event", {name: getattr(event, name) for name in event.model_fields_set}, bounds.PUBLISHED_BYTES)
    if values.depth(event.data) > bounds.PUBLISHED_DEPTH:
        raise invalid_input(f"The data nests past {bounds.PUBLISHED_DEPTH} levels.", "/event/data")
    if event.type.startswith(OUR_TYPES):
        raise invalid_input(f"Types that begin with {OUR_TYPES} are sayso's own: choose another.", "/event/type")
    own = CALLERS + allowed.principal.caller_id
    if event.source is not None and event.source != own and event.source.startswith(OUR_SOURCES):
        raise invalid_input(f"This source is not yours: leave it out to be {own}, or name another.", "/event/source")
    return event.source or own


def _event(sent: inputs.SentEvent, source: str, fallback_id: str) -> dict[str, Json]:
    """The event with its attributes filled in; ``data`` is there if it was given, be it null."""
    event: dict[str, Json] = {"type": sent.type, "id": sent.id or fallback_id, "source": source}
    event |= values.stated(subject=sent.subject)
    return event | {"data": sent.data} if "data" in sent.model_fields_set else event


def name_of(source: str, id_: str) -> bytes:
    """What a published event is known by in its playbook: as long as a run's id, and never one by chance."""
    return hashlib.sha256(f"published\0{source}\0{id_}".encode()).digest()[:16]


def _shown(recorded: Recorded, event: dict[str, Json]) -> Outcome:
    return {
        "event_id": uuid_text(event_id(recorded.stream, recorded.seq)),
        "event": {"specversion": SPEC_VERSION, **event, "time": event.get("time", iso(recorded.at))},
        "recorded_at": iso(recorded.at),
    }


def _check_time(time: str | None) -> None:
    try:
        microseconds(time or "1970-01-01T00:00:00Z")
    except NotAnInstant as fault:
        raise invalid_input(f"event/time {fault}.", "/event/time") from None
