"""Finding what a caller names: a run by its id, within one playbook."""

from collections.abc import Sequence

from sayso.app import access
from sayso.app.places import Place
from sayso.app.run_view import Run
from sayso.core import rows
from sayso.core.events import Recorded, RequestAnswered, RunSucceeded
from sayso.core.heads import Head, Status, StreamKind
from sayso.core.ids import parse_uuid, split_event_id
from sayso.core.rows import Cell, Row
from sayso.core.values import Json
from sayso.errors import not_found
from sayso.ports import Store

# The kinds of streams that are runs.
RUNS = frozenset({StreamKind.REQUEST, StreamKind.CALL, StreamKind.WORKFLOW, StreamKind.AGENT})


class Finder:
    """Reads runs. Whatever is not a run of the place, or not one that it shows to who acts there, is not there."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def known(self, place: Place, run_id: bytes) -> Head | None:
        """The head of the run that is known by this id: the caller's own, or the one that was minted."""
        found = await self._store.query("head_of_run", shard=place.shard, playbook=place.playbook, run_id=run_id)
        return rows.head(found[0]) if found and found[0]["kind"] in RUNS else None

    async def minted(self, place: Place, run_id: bytes) -> bytes | None:
        """The stream of a run that was given no id and so is known by its stream's. Most ids cannot be one: no read."""
        if split_event_id(run_id)[1]:
            return None
        head = await self.known(place, run_id)
        return head.stream if head is not None and head.run_id is None else None

    async def head(self, place: Place, run_id: str, what: str = "run") -> Head:
        """The head of a run by the id that it is known by; 404 in the words of what is looked for if the playbook has,
        or shows, no such run."""
        identifier = parse_uuid(run_id)
        assert identifier is not None, "inputs let only ids through"
        head = await self.known(place, identifier)
        if head is None or not place.shows(head):
            raise not_found(what)
        return head

    async def waits(self, head: Head) -> bool:
        """Whether the run's request still takes an answer, as far as a look can tell; a unit decides."""
        if head.outcome is not None or head.status is not Status.WAITING or head.expires_at is None:
            return False
        return await self._store.now() < head.expires_at

    async def events(self, head: Head, order: str, start: int | None, limit: int) -> Sequence[Row]:
        """A run's events from after ``start`` on, or from before it back, and one more than ``limit`` if there is."""
        name, bound = ("events_page_asc", "after") if order == "asc" else ("events_page_desc", "before")
        return await self._store.query(name, shard=head.shard, stream=head.stream, limit=limit + 1, **{bound: start})

    async def open_requests(self, shard: int, streams: Sequence[bytes]) -> Sequence[Row]:
        """These requests, newest first, but for those that ended since they were found."""
        return await self._store.query("open_requests_named", shard=shard, streams=streams) if streams else []

    async def answer_before(self, shard: int, ending: Recorded) -> Json:
        """The answer that an ending repeats as its output: the fact that was recorded with it, just before."""
        if not (isinstance(ending.event, RunSucceeded) and ending.event.is_answer):
            return None
        before = await self._store.query("event", shard=shard, stream=ending.stream, seq=ending.seq - 1)
        answered = rows.recorded(ending.stream, before[0]).event if before else None
        return answered.answer if isinstance(answered, RequestAnswered) else None

    async def run(self, place: Place, run_id: str) -> Run:
        """A run with its events since its latest start."""
        return await self.run_of(place, await self.head(place, run_id))

    async def run_of(self, place: Place, head: Head) -> Run:
        """The run of a head, as last committed. A commit may fall between the reads of head and events, so the head is
        read again until both are of one commit."""
        while True:
            at: dict[str, Cell] = {"shard": head.shard, "stream": head.stream}
            found = await self._store.query("events_since", **at, from_seq=head.from_seq)
            if found and found[-1]["seq"] == head.seq:
                events = [rows.recorded(head.stream, row) for row in found]
                return Run(head=head, events=events, playbook=place.name)
            head = rows.head((await self._store.query("head", **at, playbook=place.playbook))[0])


def is_shown(place: Place, row: Row) -> bool:
    """Whether an event, with what its head has of parties, is of something that is there for who acts."""
    return row["kind"] not in RUNS or access.sees(place.principal, row["party"], row["answerer"])
