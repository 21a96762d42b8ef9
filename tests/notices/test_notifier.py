"""The notifier by itself: it works until it is cancelled, whatever fails meanwhile."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from sayso.app.feeds.cursor import WAITS_S
from sayso.app.notices import notifier as notifying
from sayso.app.notices.notice import Notice
from sayso.app.notices.notifier import Notifier
from sayso.app.units.bell import Bell
from sayso.errors import unavailable
from sayso.settings import Settings
from tests.app.studio import Studio
from tests.app.world import TurnedClock
from tests.beside import spoil
from tests.stores import running

pytestmark = pytest.mark.anyio


class Carrier:
    """Brings notices to a list."""

    target = "a list"

    def __init__(self) -> None:
        self.brought: list[str] = []
        self.is_closed = False
        self.fails_at = ""

    async def bring(self, notice: Notice) -> None:
        await asyncio.sleep(0.002)
        if notice.run_id == self.fails_at:
            raise RuntimeError("a fault of the program")
        self.brought.append(notice.run_id)

    async def close(self) -> None:
        self.is_closed = True


@asynccontextmanager
async def told() -> AsyncIterator[tuple[Studio, Notifier, Carrier]]:
    clock, carrier = TurnedClock(), Carrier()
    async with running(Settings(), clock=clock, work=False) as app:
        notifier = Notifier(app.store, app.writer, app.reference, carrier, Bell(), interval_ms=10)
        await notifier.sweep()  # from now on it is told
        clock.at += 1
        here = Studio(app=app, clock=clock)
        await here.save("ship-it")
        yield here, notifier, carrier


async def test_it_works_by_itself_and_goes_on_after_a_fault(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with told() as (here, notifier, carrier):
        faults = iter([unavailable()])

        async def sweep() -> None:
            for fault in faults:
                raise fault
            await Notifier.sweep(notifier)

        monkeypatch.setattr(notifier, "sweep", sweep)
        run = await here.run()
        working = asyncio.create_task(notifier.run())
        async with asyncio.timeout(10):
            while not carrier.brought:
                await asyncio.sleep(0.005)
        working.cancel()
        await asyncio.gather(working, return_exceptions=True)
    assert carrier.brought == [run["run_id"]]
    assert "notices wait" in caplog.text
    assert carrier.is_closed


async def test_what_takes_long_is_noted_in_between(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notifying, "NOTED_AFTER_S", 0.001)
    async with told() as (here, notifier, carrier):
        runs = [(await here.run())["run_id"] for _ in range(3)]
        await notifier.sweep()
    assert carrier.brought == runs


@pytest.mark.parametrize("data", ["x", "{}", '{"unknown": 1}'])
async def test_a_request_that_cannot_be_read_holds_others_up_for_five_tries_only(data: str) -> None:
    async with told() as (here, notifier, carrier):
        await here.run()
        await spoil(here.app.store, f"update events set data = '{data}' where type = 2")
        other = await here.run()
        await notifier.sweep()
        for wait in WAITS_S[:4]:
            assert carrier.brought == []
            here.clock.at += wait * 1_000_000
            await notifier.sweep()
    assert carrier.brought == [other["run_id"]]


async def test_what_was_brought_is_noted_though_another_playbook_fails_unforeseen() -> None:
    async with told() as (here, notifier, carrier):
        await here.do("create_playbook", playbook="another", name="Another")
        there = here.elsewhere(playbook="another")
        await there.save("ship-it")
        fails, told_of = [await one.run() for one in (here, there)]
        carrier.fails_at = str(fails["run_id"])
        for _ in range(3):
            with pytest.raises(RuntimeError, match="a fault of the program"):
                await notifier.sweep()
            here.clock.at += 41_000_000
        assert carrier.brought == [told_of["run_id"]]
