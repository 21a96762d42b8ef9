"""Retention: what ended long enough ago is erased by itself, once, and nothing else is."""

import asyncio
from uuid import UUID

import pytest

from sayso.app.retention import Retention
from sayso.errors import Problem, unavailable
from tests.app.studio import Studio
from tests.app.world import HOUR
from tests.beside import spoil

pytestmark = pytest.mark.anyio

DAY = 24 * HOUR
RUN_ID = "0199a3c4-7d2e-7c1a-9b3f-0000000000ab"


def kept_for_a_day(here: Studio) -> Retention:
    return Retention(here.app.store, here.app.writer, here.app.reference, kept_us=DAY)


async def erased(here: Studio) -> set[str]:
    runs = [await here.do("get_run", run_id=run["run_id"]) for run in (await here.do("list_runs"))["runs"]]
    return {run["run_id"] for run in runs if "erased_at" in run}


async def test_what_ended_long_enough_ago_is_erased_and_what_waits_is_not(here: Studio) -> None:
    retention = kept_for_a_day(here)
    ended, waits = (await here.run())["run_id"], (await here.run())["run_id"]
    await here.do("cancel_run", run_id=ended)
    here.clock.at += DAY // 2
    late = (await here.run())["run_id"]
    await here.do("cancel_run", run_id=late)
    assert await retention.sweep() == 0
    here.clock.at += DAY // 2 + 1
    assert (await retention.sweep(), await erased(here)) == (1, {ended})
    here.clock.at += DAY // 2
    assert (await retention.sweep(), await erased(here)) == (1, {ended, late})
    assert "erased_at" not in await here.do("get_run", run_id=waits)


async def test_it_goes_on_where_another_process_stopped(here: Studio) -> None:
    for _ in range(3):
        await here.do("cancel_run", run_id=(await here.run())["run_id"])
    here.clock.at += DAY + 1
    assert await kept_for_a_day(here).sweep() == 3
    assert await kept_for_a_day(here).sweep() == 0


async def test_a_run_that_runs_again_is_erased_once_that_has_ended(here: Studio) -> None:
    with pytest.raises(Problem):
        await here.run(input={"lead": " "}, run_id=RUN_ID)
    here.clock.at += DAY - HOUR
    source = (await here.stored())["source"].replace("'{{ input.lead }}'", "desk")
    await here.do("update_definition", type="interaction", name="ship-it", source=source)
    await here.run(input={"lead": " "}, run_id=RUN_ID)
    here.clock.at += HOUR // 2 + HOUR
    retention = kept_for_a_day(here)
    assert (await retention.sweep(), await erased(here)) == (0, set())
    with pytest.raises(Problem):
        await here.do("answer_interaction", run_id=RUN_ID, answer={"verdict": "yes"})  # it expires
    here.clock.at += DAY + 1
    assert (await retention.sweep(), await erased(here)) == (1, {RUN_ID})


async def test_many_are_erased_in_pages(here: Studio) -> None:
    for _ in range(60):
        await here.do("cancel_run", run_id=(await here.run())["run_id"])
    here.clock.at += DAY + 1
    assert await kept_for_a_day(here).sweep() == 60


async def test_playbooks_with_something_young_hide_no_others(here: Studio) -> None:
    many = [here.elsewhere(playbook=f"shop-{n}") for n in range(70)]
    for its in many:
        await its.do("create_playbook", playbook=its.playbook, name="One of many")
        await its.save("ship-it")
        await its.do("cancel_run", run_id=(await its.run())["run_id"])
    here.clock.at += DAY + 1
    for its in many:
        await its.run()
    assert await kept_for_a_day(here).sweep() == 70


async def test_a_damaged_run_is_named_and_holds_up_no_other(here: Studio, caplog: pytest.LogCaptureFixture) -> None:
    ids = [str((await here.run())["run_id"]) for _ in range(3)]
    for run_id in ids:
        await here.do("cancel_run", run_id=run_id)
    damaged = UUID(ids[1]).bytes
    await spoil(here.app.store, "update events set data = 'x' where stream = ? and seq = 1", damaged)
    here.clock.at += DAY + 1
    assert (await kept_for_a_day(here).sweep(), await kept_for_a_day(here).sweep()) == (2, 0)
    assert f"the run {damaged.hex()} is not erased" in caplog.text


async def test_it_works_by_itself_and_goes_on_after_a_fault(
    here: Studio, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("sayso.app.retention.LOOK_EVERY_S", 0.005)
    await here.do("cancel_run", run_id=(await here.run())["run_id"])
    here.clock.at += DAY + 1
    retention = kept_for_a_day(here)
    faults = iter([unavailable()])

    async def sweep() -> int:
        for fault in faults:
            raise fault
        return await Retention.sweep(retention)

    monkeypatch.setattr(retention, "sweep", sweep)
    working = asyncio.create_task(retention.run())
    async with asyncio.timeout(10):
        while not await erased(here):
            await asyncio.sleep(0.005)
    working.cancel()
    assert "what is old is erased later" in caplog.text


async def test_a_store_that_is_away_is_no_end_of_an_ending(here: Studio) -> None:
    await here.do("cancel_run", run_id=(await here.run())["run_id"])
    here.clock.at += DAY + 1
    here.app.writer.stop()
    with pytest.raises(Problem):
        await kept_for_a_day(here).sweep()


async def test_what_cannot_be_erased_now_is_left_for_another_look(
    here: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    await here.do("cancel_run", run_id=(await here.run())["run_id"])
    here.clock.at += DAY + 1
    retention = kept_for_a_day(here)

    async def away(units: list[object], lane: object) -> list[Exception]:
        return [unavailable() for _ in units]

    with monkeypatch.context() as patched:
        patched.setattr(here.app.writer, "submit_each", away)
        with pytest.raises(Problem):
            await retention.sweep()
    here.clock.at += HOUR
    assert await retention.sweep() == 1
