"""Every row of "Retrying under a run id" that a request of the inbox can reach, one test a row.

AUTO: a run id belongs for good to one function and one input; what ended for good is told again, and what sent nothing
may run again.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Any

import pytest

from sayso.core.rows import Cell, Row
from sayso.errors import Kind, Problem, Reason
from sayso.ports import Wanted
from tests.app.studio import CALL, INPUT, NOTICE, QUESTION, Studio, studio
from tests.app.world import HOUR
from tests.stores import DEFAULT_SHARD

pytestmark = pytest.mark.anyio
RUN_ID = "0199a3c4-7d2e-7c1a-9b3f-0000000000ab"
NEWER = QUESTION.replace("Shall it go out?", "Shall it go out, then?")
EMPTY_PARTY = {"lead": " "}


@pytest.fixture
async def here() -> AsyncIterator[Studio]:
    async with studio() as made:
        await made.save("ship-it")
        await made.save("tell-desk", NOTICE)
        yield made


async def refused(here: Studio, name: str = "ship-it", given: Any = INPUT) -> Problem:
    with pytest.raises(Problem) as caught:
        await here.run(name, input=given, run_id=RUN_ID)
    return caught.value


async def update(here: Studio, source: str, name: str = "ship-it") -> None:
    await here.do("update_definition", type="interaction", name=name, source=source)


async def retire(here: Studio, name: str) -> None:
    await here.do("retire_definition", type="interaction", name=name)


async def history(here: Studio) -> list[str]:
    return [event["type"] for event in (await here.do("get_run_history", run_id=RUN_ID))["events"]]


async def test_a_new_id_starts_a_run(here: Studio) -> None:
    assert (await here.run(run_id=RUN_ID))["run_id"] == RUN_ID
    assert await history(here) == ["run_started", "interaction_requested"]


@pytest.mark.parametrize(("name", "given"), [("ship-it", {"lead": "b"}), ("tell-desk", INPUT)])
async def test_an_id_of_another_function_or_input_runs_nothing(here: Studio, name: str, given: Any) -> None:
    await here.run(run_id=RUN_ID)
    problem = await refused(here, name, given)
    assert (problem.reason, problem.kind) == (Reason.CONFLICT, None)
    assert "another" in problem.detail
    assert len((await here.do("list_runs"))["runs"]) == 1


async def test_calls_at_one_instant_start_one_run_and_all_get_it(here: Studio) -> None:
    runs = await asyncio.gather(*(here.run(run_id=RUN_ID) for _ in range(8)))
    assert all(run == runs[0] for run in runs)
    assert len((await here.do("list_interactions"))["interactions"]) == 1


async def test_calls_at_one_instant_with_another_input_are_refused(here: Studio) -> None:
    calls = (here.run(run_id=RUN_ID, input={"lead": lead}) for lead in ("a", "b", "a"))
    first, other, again = await asyncio.gather(*calls, return_exceptions=True)
    assert first == again
    assert isinstance(other, Problem)
    assert other.reason is Reason.CONFLICT


async def test_one_that_waits_is_given_as_it_stands_after_an_update_too(here: Studio) -> None:
    first = await here.run(run_id=RUN_ID)
    await update(here, NEWER)
    assert await here.run(run_id=RUN_ID) == first
    assert len((await here.do("list_interactions"))["interactions"]) == 1


@pytest.mark.parametrize("after", [NOTICE.replace("It went out.", "It did."), None])
async def test_one_that_succeeded_is_the_same_after_an_update_and_a_retirement(here: Studio, after: str | None) -> None:
    first = await here.run("tell-desk", input={}, run_id=RUN_ID)
    await (update(here, after, "tell-desk") if after else retire(here, "tell-desk"))
    here.clock.at += HOUR
    assert await here.run("tell-desk", input={}, run_id=RUN_ID) == first


async def test_one_that_was_answered_is_found_with_its_answer(here: Studio) -> None:
    await here.run(run_id=RUN_ID)
    await here.do("answer_interaction", run_id=RUN_ID, answer={"verdict": "no"})
    run = await here.run(run_id=RUN_ID)
    assert (run["status"], run["output"]) == ("succeeded", {"verdict": "no"})


async def test_a_wrong_input_stays_wrong_whatever_became_of_the_function(here: Studio) -> None:
    first = await refused(here, given={})
    await update(here, QUESTION.replace("required: [lead], ", ""))
    again = await refused(here, given={})
    assert (again.status, again.issues) == (422, first.issues)
    assert await history(here) == ["run_started", "run_rejected"]


async def test_one_that_was_cancelled_stays_so(here: Studio) -> None:
    await here.run(run_id=RUN_ID)
    await here.do("cancel_run", run_id=RUN_ID, reason="Not needed.")
    problem = await refused(here)
    assert (problem.status, problem.reason, problem.kind) == (409, Reason.CANCELLED, Kind.REQUESTED)
    assert problem.detail == "Not needed."


async def test_one_that_nobody_answered_stays_so(here: Studio) -> None:
    await here.run(run_id=RUN_ID)
    here.clock.at += HOUR
    await here.app.worker.sweep()
    problem = await refused(here)
    assert (problem.status, problem.reason, problem.kind) == (410, Reason.UNANSWERED, Kind.EXPIRED)


async def test_an_unworkable_one_runs_again_with_the_latest_version(here: Studio) -> None:
    assert (await refused(here, given=EMPTY_PARTY)).kind is Kind.UNWORKABLE
    await update(here, NEWER.replace("'{{ input.lead }}'", "the desk"))
    run = await here.run(input=EMPTY_PARTY, run_id=RUN_ID)
    assert (run["status"], run["definition_version"]) == ("started", 2)
    (listed,) = (await here.do("list_runs"))["runs"]
    assert listed["definition_version"] == 2
    assert await history(here) == ["run_started", "run_rejected", "run_started", "interaction_requested"]


async def test_an_unworkable_one_tells_what_is_wrong_with_the_newer_version(here: Studio) -> None:
    """Once within a minute it told the author of a corrected function what had been wrong with the older one."""
    first = await refused(here, given=EMPTY_PARTY)
    await update(here, QUESTION.replace("'{{ input.lead }}'", "x" * 300))
    again = await refused(here, given=EMPTY_PARTY)
    assert again.kind is Kind.UNWORKABLE
    assert again.detail != first.detail
    assert "256 bytes" in again.detail


async def test_the_same_refusal_within_a_minute_adds_nothing(here: Studio) -> None:
    for _ in range(3):
        await refused(here, given=EMPTY_PARTY)
        here.clock.at += 29_000_000
    assert await history(here) == ["run_started", "run_rejected"]
    here.clock.at += 29_000_000
    await refused(here, given=EMPTY_PARTY)
    assert len(await history(here)) == 4


async def test_one_that_found_no_room_runs_again_and_is_told_when() -> None:
    async with studio(open_requests=1) as here:
        await here.save("ship-it")
        waiting = (await here.run())["run_id"]
        problem = await refused(here)
        assert (problem.status, problem.kind, problem.retry_after) == (503, Kind.REQUESTS_FULL, 5)
        await here.do("cancel_run", run_id=waiting)
        assert (await here.run(run_id=RUN_ID))["status"] == "started"


async def test_the_id_that_a_run_was_told_is_its_run_id_too(here: Studio) -> None:
    first = await here.run()
    assert await here.run(run_id=first["run_id"].upper()) == first
    with pytest.raises(Problem) as caught:
        await here.run(run_id=first["run_id"], input={"lead": "b"})
    assert caught.value.reason is Reason.CONFLICT
    assert len((await here.do("list_runs"))["runs"]) == 1


async def starts(here: Studio, times: int) -> None:
    """Starts of a run that ends at once, since nobody offers its tool; a minute lies between two."""
    for _ in range(times):
        assert (await refused(here, "read-incidents")).kind is Kind.TOOL_NOT_OFFERED
        here.clock.at += HOUR


async def rows_read(here: Studio, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """How many rows each statement reads while the run is started again, read, listed and cancelled."""
    store, read = here.app.store, list[tuple[str, int]]()

    async def query(name: str, /, **parameters: Cell) -> Sequence[Row]:
        rows = await type(store).query(store, name, **parameters)
        if "shard" in parameters:  # run data: callers and playbooks are looked at now and then
            read.append((name, len(rows)))
        return rows

    with monkeypatch.context() as patch:
        patch.setattr(store, "query", query)
        await starts(here, 1)
        await here.do("get_run", run_id=RUN_ID)
        await here.do("get_run_history", run_id=RUN_ID, limit=2)
        await here.do("list_runs", limit=2)
        with pytest.raises(Problem, match="nothing to cancel"):
            await here.do("cancel_run", run_id=RUN_ID)
    async with store.transaction(DEFAULT_SHARD) as transaction:
        loaded = await transaction.load(Wanted(run_ids=frozenset({(1, bytes.fromhex(RUN_ID.replace("-", "")))})))
    return [*read, ("load_events", sum(map(len, loaded.events.values())))]


async def test_a_start_reads_no_more_however_often_the_run_started_before(
    here: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    await here.save("read-incidents", CALL)
    await starts(here, 3)
    early = await rows_read(here, monkeypatch)
    await starts(here, 60)
    assert await rows_read(here, monkeypatch) == early
    assert early[-1] == ("load_events", 2)
