"""Corners of the operations that no ordinary use reaches, each with the reason why it exists."""

from dataclasses import replace
from pathlib import Path

import pytest

from sayso.app.event_view import Where, row
from sayso.app.functions import CACHED, Cache, key
from sayso.app.reference import Reference
from sayso.app.run_view import Run, as_problem, shown
from sayso.app.units.unit import Order, Unit
from sayso.core import rows
from sayso.core.commands import Cancel, Command, CreateDefinition, Look, RetireDefinition, Text
from sayso.core.events import DefinitionRetired, DefinitionSaved, Event, Recorded, RunCancelRequested, RunFailed
from sayso.core.heads import Birth, Outcome, StreamKind
from sayso.core.ids import stream_id
from sayso.core.instants import iso
from sayso.core.machines import MACHINES
from sayso.core.machines.machine import Moment
from sayso.core.machines.request import Request, RequestMachine
from sayso.errors import Kind, Problem, Reason
from sayso.settings import Settings
from tests.app.studio import INPUT, NOTICE, QUESTION, Studio
from tests.app.world import START, TurnedClock
from tests.beside import spoil
from tests.stores import DEFAULT_SHARD, running

pytestmark = pytest.mark.anyio
RUN_ID = "0199a3c4-7d2e-7c1a-9b3f-0000000000ab"


async def order(here: Studio, command: Command, name: str, *, birth: Birth | None = None) -> None:
    stream = stream_id(START, DEFAULT_SHARD, 7) if birth else (await here.stored(name))["stream"]
    one = Order(stream=stream, command=command, by=1, birth=birth)
    await here.app.writer.submit(Unit(shard=DEFAULT_SHARD, playbook=1, orders=(one,)))


async def refused(here: Studio, **fields: object) -> Problem:
    with pytest.raises(Problem) as caught:
        await here.do("run_definition", type="interaction", **fields)
    return caught.value


async def test_a_retired_definition_is_not_run_and_its_runs_stand(here: Studio) -> None:
    run = await here.run(run_id=RUN_ID)
    await here.do("retire_definition", type="interaction", name="ship-it")
    assert (await refused(here, name="ship-it", input=INPUT)).kind is Kind.RETIRED
    assert await here.run(run_id=RUN_ID) == run
    assert (await refused(here, name="ship-it", input={"lead": "b"}, run_id=RUN_ID)).reason is Reason.CONFLICT
    shown = await here.do("get_definition", type="interaction", name="ship-it")
    assert (shown["status"], "retired_at" in shown) == ("retired", True)
    listed = await here.do("list_definitions", type="interaction")
    kept = await here.do("list_definitions", type="interaction", include_retired=True)
    assert (len(listed["definitions"]), len(kept["definitions"])) == (0, 1)


async def test_a_stored_document_that_is_no_longer_read_is_unworkable(here: Studio) -> None:
    saved = DefinitionSaved(type="interaction", name="old", version=1, source_bytes=3, source_sha256="aa", warnings=0)
    text = Text(source="---", description=None, input_schema=None, output_schema=None)
    birth = Birth(kind=StreamKind.DEFINITION, org=1, playbook=1, key=key("interaction", "old"))
    await order(here, CreateDefinition(saved=saved, text=text), "old", birth=birth)
    problem = await refused(here, name="old", input={}, run_id=RUN_ID)
    assert (problem.reason, problem.kind) == (Reason.CONFLICT, Kind.UNWORKABLE)
    assert (await here.do("list_runs"))["runs"] == []


async def test_warnings_are_shown_to_whoever_saves(here: Studio) -> None:
    source = QUESTION.replace("Shall it go out?", "x" * 8193)
    assert (await here.save("too-long", source))["warnings"]


def recorded(event: Event) -> Recorded:
    return Recorded(stream=bytes(16), seq=1, at=START, by=0, event=event)


async def test_an_event_that_no_operation_makes_yet_is_shown_as_it_is(here: Studio) -> None:
    where = Where(position=1, playbook="default", run_id=None)
    now = await Reference(here.app.store, here.app.writer).snapshot()
    cancel = row(recorded(RunCancelRequested(kind="requested", reason="r")), where, now)
    assert cancel["data"] == {"kind": "requested", "reason": "r"}
    assert row(recorded(DefinitionRetired(version=2)), where, now)["data"] == {"version": 2}
    assert row(recorded(RunFailed()), where, now)["summary"] == "The run failed."


async def test_data_past_four_kibibytes_goes_largest_first(here: Studio) -> None:
    now = await Reference(here.app.store, here.app.writer).snapshot()
    where = Where(position=1, playbook="default", run_id=None)
    event = RunCancelRequested(kind="requested", reason="x" * 5000)
    assert row(recorded(event), where, now)["data"] == {"kind": "requested", "reason_bytes": 5002}


def test_a_run_that_failed_is_an_internal_problem() -> None:
    head = None
    problem = as_problem(Run(head=head, events=[recorded(RunFailed())], playbook="p"))  # type: ignore[arg-type]
    assert problem is not None
    assert problem.reason is Reason.INTERNAL


def test_a_failed_run_may_start_again() -> None:
    machine = RequestMachine()
    state = machine.evolve(Request(), recorded(RunFailed()))
    assert state.ended is not None
    assert state.ended.rejection is None


@pytest.mark.parametrize("kind", MACHINES.folded)
def test_a_machine_takes_no_event_and_no_command_of_another(kind: StreamKind) -> None:
    machine = MACHINES.folded[kind]
    foreign = RunFailed() if kind is StreamKind.DEFINITION else DefinitionRetired(version=1)
    with pytest.raises(TypeError):
        machine.evolve(machine.initial(), recorded(foreign))
    command: Command = Cancel(kind="requested", reason="r") if kind is StreamKind.DEFINITION else RetireDefinition()
    with pytest.raises(TypeError):
        machine.decide(machine.initial(), command, Moment(now=1, open_requests=0))


async def test_a_look_at_a_definition_leaves_it(here: Studio) -> None:
    before = await here.do("get_definition", type="interaction", name="ship-it")
    await order(here, Look(), "ship-it")
    assert await here.do("get_definition", type="interaction", name="ship-it") == before


async def test_a_key_that_another_process_made_is_known_at_once(tmp_path: Path) -> None:
    settings, clock = Settings(data=tmp_path), TurnedClock()
    async with running(settings, clock=clock, work=False) as app, running(settings, clock=clock, work=False) as other:
        assert not await app.keys.any()
        made = await other.keys.create("acme", key_id="one")
        assert (await app.keys.authenticate(made["key"])).caller_id == "one"


async def test_a_run_that_failed_shows_when_and_no_words(here: Studio) -> None:
    run = await here.run()
    found = await here.app.store.query(
        "head_of_run", shard=DEFAULT_SHARD, playbook=1, run_id=bytes.fromhex(run["run_id"].replace("-", ""))
    )
    events = await here.app.store.query("events_since", shard=DEFAULT_SHARD, stream=found[0]["stream"], from_seq=1)
    started = rows.recorded(found[0]["stream"], events[0])
    snapshot = await Reference(here.app.store, here.app.writer).snapshot()
    broken = Run(
        head=replace(rows.head(found[0]), outcome=Outcome.FAILED), events=[started, recorded(RunFailed())], playbook="p"
    )
    body = shown(broken, snapshot)
    assert (body["status"], "rejection" in body, "output" in body, body["finished_at"]) == (
        "failed",
        False,
        False,
        iso(START),
    )


async def test_a_notification_says_whom_it_told(here: Studio) -> None:
    await here.save("tell-desk", NOTICE)
    run_id = (await here.run("tell-desk", input={}))["run_id"]
    events = (await here.do("get_run_history", run_id=run_id))["events"]
    assert events[1]["summary"] == "The run notified the desk."


async def test_a_retired_playbook_is_read_and_changes_no_more(tmp_path: Path) -> None:
    """No door retires one yet; a store may hold one all the same."""
    async with running(Settings(data=tmp_path), clock=TurnedClock(), work=False) as app:
        here = Studio(app=app, clock=TurnedClock())
        await here.save("ship-it")
        await spoil(app.store, "update playbooks set retired_at = 1")
        await spoil(app.store, "update meta set reference_version = reference_version + 1")
        shown_now = await here.elsewhere().do("get_playbook", playbook="default")
        assert (shown_now["status"], shown_now["retired_at"]) == ("retired", "1970-01-01T00:00:00.000Z")
        assert (await refused(here, name="ship-it", input=INPUT)).kind is Kind.RETIRED


def test_a_cache_keeps_so_many_versions_and_the_newest() -> None:
    cache = Cache[int]()
    for version in range(CACHED + 1):
        cache.keep((b"stream", version), version)
    assert (b"stream", 0) not in cache
    assert cache.get((b"stream", CACHED)) == CACHED


async def test_two_definitions_of_one_name_in_one_unit_are_one_too_many(here: Studio) -> None:
    saved = DefinitionSaved(type="interaction", name="twin", version=1, source_bytes=3, source_sha256="aa", warnings=0)
    command = CreateDefinition(
        saved=saved, text=Text(source=QUESTION, description=None, input_schema=None, output_schema=None)
    )
    birth = Birth(kind=StreamKind.DEFINITION, org=1, playbook=1, key=key("interaction", "twin"))
    orders = tuple(Order(stream=stream_id(START, DEFAULT_SHARD, n), command=command, by=1, birth=birth) for n in (8, 9))
    with pytest.raises(Problem) as caught:
        await here.app.writer.submit(Unit(shard=DEFAULT_SHARD, playbook=1, orders=orders))
    assert caught.value.kind is Kind.TAKEN
    assert (await refused(here, name="twin", input=INPUT)).reason is Reason.NOT_FOUND
