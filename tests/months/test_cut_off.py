"""A drop that is cut off, held up, or done by two at once: nothing is lost, and it can be begun again."""

import asyncio
import itertools

import pytest

from sayso.core.machines import MACHINES
from sayso.ports import StoreError
from sayso.store.postgres import dropping
from sayso.store.postgres.connection import Address, part
from sayso.store.postgres.dropping import NotDroppable
from tests.months.stage import HEADS_ALONE, LATELY, NOW, Desk, Stage
from tests.postgres.fixtures import binaries
from tests.postgres.servers import PostgresServer

pytestmark = pytest.mark.anyio


class CutOff(Exception):
    """What a process meets that is killed."""


async def filled(stage: Stage, desk: Desk) -> list[str]:
    """Three runs of January that are to go; the ids of two that wait."""
    await desk.save()
    for _ in range(3):
        await desk.answer(await desk.ask())
    stage.clock.at = LATELY
    waits = [await desk.ask(), await desk.ask()]
    stage.clock.at = NOW
    return waits


async def cut_off(stage: Stage, number: int) -> str | None:
    """Drop up to the numbered statement: its name, or None when the drop was done before. What one did stands."""
    passed: list[str] = []

    def fault(point: str) -> None:
        if point.startswith("before "):
            passed.append(point.removeprefix("before "))
        if len(passed) > number:
            raise CutOff

    try:
        await stage.drop(faults=fault)
    except CutOff:
        return passed[-1]
    return None


async def test_a_drop_can_be_cut_off_anywhere(postgres18: PostgresServer) -> None:
    first = await Stage.set(postgres18)
    async with first.desk() as desk:
        await filled(first, desk)
    points = []
    for number in itertools.count():
        stage = first.copied()
        points.append(await cut_off(stage, number))
        assert stage.number(HEADS_ALONE) == 0
        assert stage.number("select count(*) from events join heads using (shard, stream) where outcome is null") == 5
        await stage.drop()
        assert stage.number("select count(*) from heads") == 3
        stage.check_whole()
        postgres18.drop(stage.name)
        if points[-1] is None:
            break
    assert {"let_go", "keep_events", "detach", "attach", "drop_dropped"} < set(points)


async def test_a_database_that_is_killed_loses_nothing_of_a_drop() -> None:
    with PostgresServer(binaries("postgres15")) as server:
        stage = await Stage.set(server)
        async with stage.desk() as desk:
            waits = await filled(stage, desk)
        for deadly in ("after let_go", "after keep_events", "after attach", "before drop_dropped"):

            def kill(point: str, deadly: str = deadly) -> None:
                if point == deadly:
                    server.kill()

            with pytest.raises(StoreError):
                await stage.drop(faults=kill)
            server.start()
            assert stage.number(HEADS_ALONE) == 0
        await stage.drop()
        async with stage.desk() as desk:
            for run_id in waits:
                await desk.answer(run_id)
        stage.check_whole()


async def test_a_drop_that_was_cut_off_holds_nobody_up(stage: Stage) -> None:
    async with stage.desk() as desk:
        waits = await filled(stage, desk)
        for number in range(0, 16, 2):
            await cut_off(stage, number)
            await desk.answer(await desk.ask())
        for run_id in waits:
            await desk.answer(run_id)
        await desk.check_rebuilt(MACHINES)
    await stage.drop()
    stage.check_whole()


async def test_whoever_reads_for_long_holds_up_the_drop_and_nobody_else(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dropping, "_LOCK_TRIES", 3)
    monkeypatch.setattr(dropping, "_LOCK_REST_S", 0)
    backup = await Address(stage.url).connect()
    async with stage.desk() as desk:
        waits = await filled(stage, desk)
        async with backup.transaction():
            await backup.execute("select 1 from events")
            with pytest.raises(NotDroppable, match="Somebody reads events all the time"):
                await stage.drop()
            await desk.answer(waits[0])
        await part(backup)
        assert (await stage.drop()).kept == 3
        await desk.answer(waits[1])
    stage.check_whole()


async def test_of_two_who_drop_the_same_month_one_gives_way(stage: Stage) -> None:
    async with stage.desk() as desk:
        waits = await filled(stage, desk)
    table = "events_2027_01_kept"

    def another(point: str) -> None:
        if point == "before hold_events":
            stage.sql(f"drop table {table}; create table {table} (like events including all)")

    with pytest.raises(NotDroppable, match="2027-01 is being dropped by somebody else"):
        await stage.drop(faults=another)
    await stage.drop()
    async with stage.desk() as desk:
        for run_id in waits:
            await desk.answer(run_id)
    stage.check_whole()


async def test_answering_goes_on_while_a_month_is_dropped(stage: Stage) -> None:
    async with stage.desk() as desk:
        await desk.save()
        for _ in range(30):
            await desk.answer(await desk.ask())
        stage.clock.at = LATELY
        waits = [await desk.ask() for _ in range(30)]
        stage.clock.at = NOW
        dropped = asyncio.create_task(stage.drop())
        while waits or not dropped.done():
            await desk.answer(waits.pop() if waits else await desk.ask())
        assert (await dropped).gone == 30
        await desk.check_rebuilt(MACHINES)
    stage.check_whole()
