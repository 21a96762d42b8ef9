"""Reads: only states that a commit had, and callers by name, whichever process made them."""

from dataclasses import replace
from pathlib import Path

import pytest

from sayso.app import run_view
from sayso.app.access import OPERATOR
from sayso.app.find import Finder
from sayso.app.places import Place
from sayso.errors import Problem, Reason
from sayso.settings import Settings
from tests.app.studio import INPUT, Studio, studio
from tests.app.world import TurnedClock
from tests.stores import DEFAULT_SHARD, running

pytestmark = pytest.mark.anyio
RUN_ID = "0199a3c4-7d2e-7c1a-9b3f-0000000000ab"
YES = {"verdict": "yes"}
HERE = Place(org=1, playbook=1, name="default", shard=DEFAULT_SHARD, by=0, principal=OPERATOR)


async def test_a_torn_read_never_shows_started_with_an_answer(here: Studio) -> None:
    run_id = (await here.run())["run_id"]
    finder = Finder(here.app.store)
    head = await finder.head(HERE, run_id)
    await here.do("answer_interaction", run_id=run_id, answer=YES)  # lands between the two reads
    run = await finder.run_of(HERE, head)
    status = run_view.STATUS[run.head.outcome]
    assert (status, run.answered() is not None) == ("succeeded", True)


async def test_a_torn_read_of_a_run_that_began_again_is_of_its_latest_start(here: Studio) -> None:
    await here.save("later", "---\nto: '{{ input.lead }}'\nexpires: PT1H\n---\nIt went out.\n")
    with pytest.raises(Problem):
        await here.run("later", input={"lead": " "}, run_id=RUN_ID)
    finder = Finder(here.app.store)
    head = await finder.head(HERE, RUN_ID)
    await here.do("update_definition", type="interaction", name="later", source="---\nto: x\nexpires: PT1H\n---\nHi\n")
    await here.run("later", input={"lead": " "}, run_id=RUN_ID)
    run = await finder.run_of(HERE, head)
    assert [one.seq for one in run.events] == [3, 4, 5]
    assert run_view.as_problem(run) is None


async def test_what_an_unknown_process_did_is_read_at_once(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path)
    clock = TurnedClock()
    async with running(settings, clock=clock, work=False) as app, running(settings, clock=clock, work=False) as other:
        served, beside = Studio(app=app, clock=clock), Studio(app=other, clock=clock)
        await served.save("ship-it")
        run_id = (await served.run())["run_id"]
        newcomer = replace(beside, principal=replace(OPERATOR, caller_id="newcomer"))
        await newcomer.do("answer_interaction", run_id=run_id, answer=YES)
        run = await served.do("get_run", run_id=run_id)
        history = await served.do("get_run_history", run_id=run_id, order="desc")
        assert run["record"]["answered_by"] == history["events"][0]["metadata"]["by"] == "newcomer"


async def test_a_list_names_a_caller_of_an_unknown_process(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path)
    clock = TurnedClock()
    async with running(settings, clock=clock, work=False) as app, running(settings, clock=clock, work=False) as other:
        served, beside = Studio(app=app, clock=clock), Studio(app=other, clock=clock)
        await served.save("ship-it")
        newcomer = replace(beside, principal=replace(OPERATOR, caller_id="newcomer"))
        await newcomer.save("their-own")
        await served.do("list_runs")
        await newcomer.run("their-own")
        assert [run["started_by"] for run in (await served.do("list_runs"))["runs"]] == ["newcomer"]
        listed = (await served.do("list_definitions", type="interaction"))["definitions"]
        assert [one["created_by"] for one in listed] == ["operator", "newcomer"]


async def test_erased_content_leaves_every_read_working(here: Studio) -> None:
    run_id = (await here.run())["run_id"]
    fact = await here.do("answer_interaction", run_id=run_id, answer=YES, claimed_for="the desk")
    cancelled = (await here.run())["run_id"]
    await here.do("cancel_run", run_id=cancelled)
    with pytest.raises(Problem):
        await here.run(input={}, run_id=RUN_ID)
    for one in (run_id, cancelled, RUN_ID):
        await here.do("erase_run", run_id=one)
    for one in (run_id, cancelled, RUN_ID):
        assert (await here.do("get_run", run_id=one))["status"] in {"succeeded", "rejected"}
        for event in (await here.do("get_run_history", run_id=one))["events"]:
            await here.do("get_event", event_id=event["id"])
    assert len((await here.do("list_runs"))["runs"]) == 3
    again = await here.do("answer_interaction", run_id=run_id, answer=YES)
    assert (again["answer_id"], again["answer"]) == (fact["answer_id"], None)
    with pytest.raises(Problem) as caught:
        await here.run(input={}, run_id=RUN_ID)
    assert caught.value.reason is Reason.INVALID_INPUT


async def test_a_history_cursor_of_another_playbook_is_foreign(here: Studio) -> None:
    await here.do("create_playbook", playbook="other", name="Other")
    other = here.elsewhere(playbook="other")
    await other.save("ship-it")
    for place in (here, other):
        await place.run(run_id=RUN_ID)
    cursor = (await here.do("get_run_history", run_id=RUN_ID, limit=1))["next_cursor"]
    with pytest.raises(Problem) as caught:
        await other.do("get_run_history", run_id=RUN_ID, limit=1, cursor=cursor)
    assert [issue.pointer for issue in caught.value.issues] == ["/cursor"]


@pytest.mark.parametrize(
    ("operation", "fields"),
    [
        ("answer_interaction", {"run_id": RUN_ID, "answer": YES}),
        ("cancel_run", {"run_id": RUN_ID}),
        ("run_definition", {"type": "interaction", "name": "ship-it", "input": INPUT}),
        ("retire_definition", {"type": "interaction", "name": "ship-it"}),
        (
            "update_definition",
            {"type": "interaction", "name": "ship-it", "source": "---\nto: x\nexpires: PT1H\n---\nHi"},
        ),
    ],
)
async def test_a_command_that_finds_nothing_makes_no_default(operation: str, fields: dict[str, object]) -> None:
    async with studio() as here:
        with pytest.raises(Problem) as caught:
            await here.do(operation, **fields)
        assert caught.value.reason is Reason.NOT_FOUND
        assert (await here.do("list_playbooks"))["playbooks"] == []
