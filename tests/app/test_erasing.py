"""Erasing: the words of a run are nowhere any more, and all else about it stays."""

import asyncio
from dataclasses import replace

import pytest

from sayso.errors import Problem, Reason
from tests.app.studio import INPUT, Studio, refused, studio
from tests.beside import rows

pytestmark = pytest.mark.anyio

RUN_ID = "0199a3c4-7d2e-7c1a-9b3f-0000000000ab"
YES = {"verdict": "yes"}


async def answered(here: Studio) -> dict[str, object]:
    await here.run(run_id=RUN_ID)
    return await here.do("answer_interaction", run_id=RUN_ID, answer=YES, claimed_for="the desk")


async def test_an_answered_run_is_erased_and_its_history_reads(here: Studio) -> None:
    await answered(here)
    before = await here.do("get_run_history", run_id=RUN_ID)
    erased = await here.do("erase_run", run_id=RUN_ID)
    assert (erased["status"], erased["output"]) == ("succeeded", None)
    after = await here.do("get_run_history", run_id=RUN_ID)
    assert [event["metadata"] for event in after["events"][:-1]] == [event["metadata"] for event in before["events"]]
    assert after["events"][-1]["type"] == "run_erased"
    assert after["events"][-1]["metadata"]["at"] == erased["erased_at"]
    words = await rows(here.app.store, "select content from events where content is not null")
    assert not any("the editor" in row[0] or "Shall it" in row[0] or "the desk" in row[0] for row in words)
    assert await rows(here.app.store, "select party from heads where kind = 1") == [(None,)]


async def ended_and_erased_at_once(here: Studio, run_id: str) -> bool:
    """Whether both were taken together: an erasure that came first is refused, and made after the ending."""
    ending = here.do("cancel_run", run_id=run_id, reason="the secret")
    _, erased = await asyncio.gather(ending, here.do("erase_run", run_id=run_id), return_exceptions=True)
    if isinstance(erased, dict):
        return True
    assert isinstance(erased, Problem) and erased.reason is Reason.CONFLICT
    await here.do("erase_run", run_id=run_id)
    return False


async def test_an_ending_in_the_same_batch_is_written_without_its_words(here: Studio) -> None:
    runs = [str((await here.run())["run_id"]) for _ in range(20)]
    assert any([await ended_and_erased_at_once(here, run_id) for run_id in runs])
    words = await rows(here.app.store, "select content from events where content is not null")
    assert not any("the secret" in row[0] or "the editor" in row[0] for row in words)


async def test_erasing_again_changes_nothing(here: Studio) -> None:
    await answered(here)
    erased = await here.do("erase_run", run_id=RUN_ID)
    here.clock.at += 1_000_000
    assert await here.do("erase_run", run_id=RUN_ID) == erased


async def test_what_waits_is_refused_and_loses_nothing(here: Studio) -> None:
    await here.run(run_id=RUN_ID)
    assert (await refused(here, "erase_run", run_id=RUN_ID)).reason is Reason.CONFLICT
    assert (await here.do("list_interactions"))["interactions"][0]["to"] == INPUT["lead"]


async def test_a_list_still_says_why_an_erased_run_was_rejected(here: Studio) -> None:
    await here.run(run_id=RUN_ID)
    await here.do("cancel_run", run_id=RUN_ID, reason="Nobody needs it.")
    before = (await here.do("list_runs"))["runs"]
    await here.do("erase_run", run_id=RUN_ID)
    assert (await here.do("list_runs"))["runs"] == before
    shown = await here.do("get_run", run_id=RUN_ID)
    assert shown["rejection"] == {"reason": "cancelled", "detail": None, "kind": "requested"}


async def test_the_same_input_and_answer_are_known_after_it_and_others_refused(here: Studio) -> None:
    fact = await answered(here)
    await here.do("erase_run", run_id=RUN_ID)
    assert (await here.run(run_id=RUN_ID))["status"] == "succeeded"
    again = await here.do("answer_interaction", run_id=RUN_ID, answer=YES)
    assert (again["answer_id"], again["answer"], again["answered_at"]) == (fact["answer_id"], None, fact["answered_at"])
    other = {"type": "interaction", "name": "ship-it", "input": {"lead": "another"}, "run_id": RUN_ID}
    assert (await refused(here, "run_definition", **other)).reason is Reason.CONFLICT
    assert (await refused(here, "answer_interaction", run_id=RUN_ID, answer={"verdict": "no"})).kind == "answered"


async def test_it_needs_the_permission_to_write_to_the_org(here: Studio) -> None:
    made = await here.app.keys.create("studio", ["playbook:read", "playbook:write"], key_id="desk")
    desk = replace(here, principal=await here.app.keys.authenticate(str(made["key"])))
    assert (await refused(desk, "erase_run", run_id=RUN_ID)).reason is Reason.FORBIDDEN


async def test_what_is_not_there_is_not_found() -> None:
    async with studio() as nothing:
        assert (await refused(nothing, "erase_run", run_id=RUN_ID)).reason is Reason.NOT_FOUND
        sales = nothing.elsewhere(playbook="sales")
        assert (await refused(sales, "erase_run", run_id=RUN_ID)).reason is Reason.NOT_FOUND
