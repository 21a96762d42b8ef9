"""Dropping a month: what goes, what stays, and what can be done with it afterwards."""

import pytest

from sayso.core.machines import MACHINES
from sayso.errors import Problem
from sayso.store.postgres.dropping import Dropped, NotDroppable
from sayso.store.postgres.months import drop_month, list_months
from tests.months.stage import DAY, JANUARY, LATELY, LONG_AGO, NOW, Stage, at

pytestmark = pytest.mark.anyio


async def test_what_ended_long_ago_goes_and_the_rest_can_be_worked_with(stage: Stage) -> None:
    async with stage.desk() as desk:
        await desk.save()
        gone = await desk.ask()
        await desk.answer(gone)
        stage.clock.at = LATELY
        ended, waits = await desk.ask(), await desk.ask()
        await desk.answer(ended)
        stage.clock.at = NOW
        assert await stage.drop() == Dropped(gone=1, kept=3, kept_events=1 + 4 + 2)
        with pytest.raises(Problem, match="no such run"):
            await desk.do("get_run", run_id=gone)
        assert (await desk.do("get_run", run_id=ended))["output"] == "yes"
        await desk.answer(waits)
        assert len((await desk.do("get_run_history", run_id=waits))["events"]) == 4
        await desk.answer(await desk.ask())
        await desk.check_rebuilt(MACHINES)
    stage.check_whole()


async def test_a_feed_is_whole_from_its_first_position(stage: Stage) -> None:
    async with stage.desk() as desk:
        await desk.save()
        await desk.answer(await desk.ask())
        stage.clock.at = LATELY
        await desk.ask()
        await stage.drop()
    assert stage.sql("select first_position, position from feeds") == [["6", "7"]]
    assert stage.sql("select position from events where position >= 6 order by position") == [["6"], ["7"]]


async def test_dropped_again_a_month_loses_what_has_ended_since(stage: Stage) -> None:
    async with stage.desk() as desk:
        await desk.save()
        stage.clock.at = LATELY
        await desk.answer(await desk.ask())
        assert (await stage.drop()).gone == 0
    await drop_month(stage.url, False, JANUARY, now=at(4, 1), rests=0)
    assert stage.number("select count(*) from heads where kind = 1") == 0
    assert stage.number("select count(*) from events_2027_01") == 1
    stage.check_whole()


async def test_a_month_without_a_table_of_its_own_loses_its_events_one_by_one(stage: Stage) -> None:
    stage.clock.at = LONG_AGO - 2557 * DAY  # in January 2020
    async with stage.desk() as desk:
        await desk.save()
        await desk.answer(await desk.ask())
        assert "2020-01" in {month.name for month in await list_months(stage.url)}
        gone = await drop_month(stage.url, False, JANUARY.replace(year=2020), now=NOW, rests=0)
        assert gone == Dropped(gone=1, kept=0, kept_events=0)
        assert stage.sql("select type from events_default") == [["20"]]
        await desk.answer(await desk.ask())
        await desk.check_rebuilt(MACHINES)
    stage.check_whole()


async def test_this_month_and_the_last_are_refused(stage: Stage) -> None:
    for now in (LONG_AGO, at(2, 28, 23), at(1, 1) - 1):
        with pytest.raises(NotDroppable, match="2027-01 is too young"):
            await drop_month(stage.url, False, JANUARY, now=now)


async def test_a_month_of_which_there_is_nothing_is_dropped_already(stage: Stage) -> None:
    never = JANUARY.replace(year=2020)
    assert await drop_month(stage.url, False, never, now=NOW) == Dropped(gone=0, kept=0, kept_events=0)


async def test_months_are_listed(stage: Stage) -> None:
    async with stage.desk() as desk:
        await desk.save()
    stage.sql("analyze events_2027_01")
    listed = {month.name: month for month in await list_months(stage.url)}
    assert listed["2027-01"].events == 1
    assert listed["2027-02"].events is None
    assert (listed["2027-01"].size or 0) > 0
