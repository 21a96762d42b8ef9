"""months: ten million events of a month that is over, dropped while answers go on.

What waits from that month, and the definitions that were saved in it, are there afterwards, can be worked with, and are
what their events say.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence

from bench import reading, studio
from bench.answering import Answering
from bench.conditions import Conditions, tell
from bench.ground import Place, fresh
from bench.measured import Measured, measuring
from bench.month import EVENTS, OldMonth
from bench.questions import HOUR_MS, NAME, Asked, Questions, answers
from bench.rounds import Figures, percentile
from bench.turned import AheadClock
from bench.writing import submit
from sayso import compose
from sayso.app.rebuild import Rebuild
from sayso.app.runtime import App
from sayso.app.units.unit import Unit
from sayso.core.heads import Outcome
from sayso.core.machines import MACHINES
from sayso.store.postgres.partitions import month_of

# As an agent waits that has no end of its own: longer than a document may say.
LONG_MS = 2_400 * HOUR_MS
RUNS, WAIT = 2_500_000, 20_000


async def rounds(conditions: Conditions) -> AsyncIterator[Figures]:
    """What dropping it does to answers. Each round is a store of its own, which takes minutes to fill."""
    for _ in range(conditions.rounds):
        async with fresh(conditions.ground) as place:
            yield await _round(conditions, place)


async def _round(conditions: Conditions, place: Place) -> Figures:
    month = OldMonth(place=place, begins=month_of(AheadClock().now(), -2))
    async with compose.running(place.settings(), work=False):
        await month.make()
    runs = conditions.size(RUNS, 2_000)
    functions, waits = await _filled(conditions, month, runs)
    before = await place.bytes()
    async with compose.running(place.settings()) as app:
        quiet, busy, dropped = await _dropped(conditions, app, month, functions, waits)
        await _check(app, functions, waits)
    return {
        "answers p99, dropping of quiet": percentile(busy, 99) / percentile(quiet, 99),
        "answers p99 ms, quiet": percentile(quiet, 99),
        "answers p99 ms, dropping": percentile(busy, 99),
        "answers worst ms, quiet": max(quiet),
        "answers worst ms, dropping": max(busy),
        "seconds": dropped.wall,
        "cpu us an event": dropped.cpu_us,
        "events": runs * EVENTS,
        "bytes given back": before - await place.bytes(),
    }


async def _filled(conditions: Conditions, month: OldMonth, runs: int) -> tuple[list[Asked], list[Unit]]:
    """Playbooks with their definitions, what waits there, and what has ended: all of that month."""
    clock = AheadClock()
    clock.ahead_us = month.ahead_us
    async with compose.running(month.place.settings(), clock=clock, work=False) as app:
        functions = await studio.furnish(app, conditions.playbooks)
        questions = Questions(functions, clock=clock, waits_ms=LONG_MS)
        ended = questions.asks(len(functions))
        await submit(app.writer, ended)
        await submit(app.writer, answers(ended))
        waits = questions.asks(conditions.size(WAIT, 200))
        await submit(app.writer, waits)
    await month.fill([unit.orders[0].stream for unit in ended], runs)
    await month.place.settle()
    return functions, waits


async def _dropped(
    conditions: Conditions, app: App, month: OldMonth, functions: Sequence[Asked], waits: Sequence[Unit]
) -> tuple[list[float], list[float], Measured]:
    """How long answers took before and while it was dropped; half of them answer what has waited since that month."""
    new = Questions(functions[:1]).asks(conditions.size(WAIT, 200))
    await submit(app.writer, new)
    own = [unit for unit in waits if unit.playbook == functions[0].playbook]
    answering = Answering(app, studio.playbook_name(1), _mixed(own, new))
    quiet = await answering.during(asyncio.sleep(conditions.seconds(60.0)))
    tell("dropping")
    with measuring(*conditions.ground.servers) as meter:
        busy = await answering.during(month.drop())
        meter.done(conditions.size(RUNS, 2_000) * EVENTS)
    await reading.check(app.store, answering.answered, reading.ANSWERED, Outcome.SUCCEEDED)
    return quiet, busy, meter.measured


def _mixed(some: Sequence[Unit], others: Sequence[Unit]) -> list[Unit]:
    pairs = [unit for pair in zip(some, others, strict=False) for unit in pair]
    return [*pairs, *others[len(some) :]]


async def _check(app: App, functions: Sequence[Asked], waits: Sequence[Unit]) -> None:
    """All that waited since that month can be answered, and its definitions are asked by; heads are as events say."""
    left = [unit for unit in waits if unit.playbook != functions[0].playbook]
    await reading.check(app.store, left[::10], reading.ASKED, None)
    await submit(app.writer, answers(left))
    await reading.check(app.store, left[::10], reading.ANSWERED, Outcome.SUCCEEDED)
    for number in range(1, len(functions) + 1):
        await studio.do(app, "get_definition", studio.playbook_name(number), type="interaction", name=NAME)
    pages = [page async for page in Rebuild(app.store, app.writer, MACHINES, check=True).run()]
    assert not any(page.changed or page.damaged or page.recounted for page in pages), (
        "a head is not what its events say"
    )
