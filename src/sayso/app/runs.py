"""Runs: start one, read one and its input, cancel one."""

from collections.abc import Callable

from sayso.app import inputs, run_view
from sayso.app.functions import Version
from sayso.app.means import Means
from sayso.app.operations import Allowed, Outcome
from sayso.app.places import Place
from sayso.app.run_view import Run
from sayso.app.starts import Start, start
from sayso.app.units.unit import Done, Order, Unit
from sayso.core import bounds, values
from sayso.core.commands import Cancel
from sayso.core.events import RunStarted
from sayso.core.heads import Birth, Head
from sayso.core.ids import parse_uuid, uuid_text
from sayso.core.machines.start import other_run
from sayso.core.values import Json
from sayso.errors import Kind, conflict


class Runs:
    """The operations on runs. ``open_limit`` tells how many requests of a playbook may be open now."""

    def __init__(self, means: Means, *, open_limit: Callable[[], int]) -> None:
        self._writer = means.writer
        self._places = means.places
        self._reference = means.reference
        self._functions = means.functions
        self._find = means.find
        self._mint = means.mint
        self._clock = means.clock
        self._open_limit = open_limit

    async def run_definition(self, allowed: Allowed, fields: inputs.RunDefinition) -> Outcome:
        """Start a run, or under a run id that was used before find the run as it stands (AUTO: Retrying under a run
        id). A run that ended without an output is raised as its problem."""
        inputs.bound("input", fields.input, bounds.INPUT_BYTES)
        place = await self._places.to_change_in(allowed, "definition")
        run_id = parse_uuid(fields.run_id) if fields.run_id else None
        latest = await self._functions.latest(place, fields.type, fields.name)
        if latest.is_retired:
            return await self._started(await self._recorded(place, latest, run_id, fields.input))
        function = await self._functions.function(place, latest)
        begins = start(function, _begun(fields, latest), self._clock.now() // 1000, self._open_limit())
        order = await self._order(place, run_id, begins)
        unit = Unit(shard=place.shard, playbook=place.playbook, orders=(order,), size=begins.size)
        result = await self._writer.submit(unit)
        return await self._started(await self._run_of(place, result.done[0]))

    async def _order(self, place: Place, run_id: bytes | None, begins: Start) -> Order:
        """The order for a run under this id, whether a caller chose it or a run without one was told it."""
        minted = await self._find.minted(place, run_id) if run_id else None
        if minted is not None:
            return Order(stream=minted, command=begins.command, by=place.by)
        birth = Birth(kind=begins.kind, org=place.org, playbook=place.playbook, run_id=run_id)
        return Order(stream=self._mint.stream(place.shard), command=begins.command, by=place.by, birth=birth)

    async def _recorded(self, place: Place, latest: Version, run_id: bytes | None, given: Json) -> Run:
        """A run of a retired definition, as it was recorded: it stands, whatever became of the definition since."""
        head = await self._find.known(place, run_id) if run_id else None
        if head is None:
            raise conflict("The definition is retired: it is not run any more.", Kind.RETIRED)
        run = await self._standing(place, head)
        _, started = run.started()
        if head.definition != latest.stream or started.input_sha256 != values.digest(given):
            raise other_run()
        return run

    async def _run_of(self, place: Place, done: Done) -> Run:
        """A run after its unit: from the unit itself if that began it, else read."""
        if done.recorded:
            return Run(head=done.head, events=done.recorded, playbook=place.name)
        return await self._standing(place, done.head)

    async def _standing(self, place: Place, head: Head) -> Run:
        """A run that was there before; one that is not there for who acts has taken its id all the same."""
        if not place.shows(head):
            raise other_run()
        return await self._find.run_of(place, head)

    async def _started(self, run: Run) -> Outcome:
        problem = run_view.as_problem(run)
        if problem is not None:
            raise problem
        return run_view.shown(run, await self._reference.naming(run.callers))

    async def get_run(self, allowed: Allowed, fields: inputs.GetRun) -> Outcome:
        """A run as it stands, with its record."""
        place = await self._places.to_find(allowed, "run")
        run = await self._find.run(place, fields.run_id)
        snapshot = await self._reference.naming(run.callers)
        return run_view.shown(run, snapshot) | {"record": run_view.record(run, snapshot)}

    async def get_run_input(self, allowed: Allowed, fields: inputs.GetRunInput) -> Outcome:
        """What a run was started over. By itself, for a run is read again and again while it waits, and its input may
        be 256 KiB."""
        place = await self._places.to_find(allowed, "run")
        run = await self._find.run(place, fields.run_id)
        _, started = run.started()
        return {"run_id": run.run_id, "input": started.input, "input_bytes": started.input_bytes}

    async def cancel_run(self, allowed: Allowed, fields: inputs.CancelRun) -> Outcome:
        """End a run that waits, without an answer; the run as it then stands."""
        place = await self._places.to_change_in(allowed, "run")
        head = await self._find.head(place, fields.run_id)
        reason = fields.reason or f"Cancelled by {allowed.principal.caller_id}."
        order = Order(stream=head.stream, command=Cancel(kind=Kind.REQUESTED, reason=reason), by=place.by)
        unit = Unit(shard=place.shard, playbook=place.playbook, orders=(order,), size=len(reason))
        result = await self._writer.submit(unit)
        run = await self._find.run_of(place, result.done[0].head)
        return run_view.shown(run, await self._reference.naming(run.callers))


def _begun(fields: inputs.RunDefinition, version: Version) -> RunStarted:
    given = fields.input
    return RunStarted(
        type=fields.type,
        name=fields.name,
        definition=uuid_text(version.stream),
        version=version.number,
        input_sha256=values.digest(given),
        input_bytes=values.size(given),
        input=given,
    )
