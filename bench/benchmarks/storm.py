"""storm: a hundred thousand requests expire at one instant, and the worker ends them while answers go on elsewhere.

Each is ended once; none takes an answer after its instant, whether or not the worker came to it first.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence

from bench import reading, studio
from bench.answering import Answering
from bench.conditions import Conditions
from bench.ground import Place, fresh
from bench.measured import Measured, measuring
from bench.questions import HOUR_MS, Questions
from bench.rounds import Figures, against, percentile
from bench.turned import AheadClock
from bench.writing import submit
from sayso import compose
from sayso.app.runtime import App
from sayso.app.units.unit import Unit
from sayso.core.heads import Outcome
from sayso.errors import Kind, Problem

TWO_DAYS_MS = 48 * HOUR_MS
THIRTY_DAYS_MS = 15 * TWO_DAYS_MS
TOO_LATE = 32


async def rounds(conditions: Conditions) -> AsyncIterator[Figures]:
    """How fast the due are ended beside the limit, and what that does to answers."""
    for _ in range(conditions.rounds):
        async with fresh(conditions.ground) as place:
            before = await conditions.ground.limit(conditions.seconds(2.0))
            drained, quiet, stormy = await _storm(conditions, place)
            limit = before + await conditions.ground.limit(conditions.seconds(2.0))
        calm, wild = percentile(quiet, 99), percentile(stormy, 99)
        yield {
            "limit/s": limit.rate,
            **against("drained", drained, limit),
            "answers p99 ms, quiet": calm,
            "answers p99 ms, storm": wild,
            "answers p99, storm of quiet": wild / calm,
            "answers during the storm": len(stormy),
        }


async def _storm(conditions: Conditions, place: Place) -> tuple[Measured, list[float], list[float]]:
    clock = AheadClock()
    async with compose.running(place.settings(), clock=clock, work=False) as app:
        *functions, elsewhere = await studio.furnish(app, conditions.playbooks + 1)
        asks = Questions(functions, clock=clock, waits_ms=TWO_DAYS_MS).asks(conditions.size(100_000, 600))
        others = Questions([elsewhere], clock=clock, waits_ms=THIRTY_DAYS_MS).asks(conditions.size(6_000, 300))
        await submit(app.writer, [*asks, *others])
        answering = Answering(app, studio.playbook_name(conditions.playbooks + 1), others)
        quiet = await answering.during(asyncio.sleep(conditions.seconds(6.0)))
        clock.ahead_us += TWO_DAYS_MS * 1000
        drained, stormy = await _drained(app, conditions, asks, answering)
        await reading.check(app.store, asks, reading.EXPIRED, Outcome.REJECTED)
        await reading.check(app.store, answering.answered, reading.ANSWERED, Outcome.SUCCEEDED)
    return drained, quiet, stormy


async def _drained(
    app: App, conditions: Conditions, asks: Sequence[Unit], answering: Answering
) -> tuple[Measured, list[float]]:
    """Let the worker loose on what is due, until nothing is."""
    with measuring(*conditions.ground.servers) as meter:
        worker = asyncio.create_task(app.worker.run())
        milliseconds = await answering.during(_emptied(app, asks, conditions.playbooks))
        meter.done(len(asks))
    worker.cancel()
    await asyncio.wait([worker])
    return meter.measured, milliseconds


async def _emptied(app: App, asks: Sequence[Unit], playbooks: int) -> None:
    late = range(0, len(asks), len(asks) // TOO_LATE)
    await asyncio.gather(*(_too_late(app, studio.playbook_name(n % playbooks + 1), asks[n]) for n in late))
    while (due := await app.store.next_due(0)) is not None and due <= await app.store.now():
        await asyncio.sleep(0.05)
    for playbook in {unit.playbook for unit in asks}:  # what the worker holds is due no more, and may not be ended yet
        while await _open(app, playbook):
            await asyncio.sleep(0.001)


async def _open(app: App, playbook: int) -> int:
    [counted] = await app.store.query("open_count", shard=0, playbook=playbook)
    return int(counted["open"])


async def _too_late(app: App, playbook: str, asked: Unit) -> None:
    try:
        await studio.answer(app, playbook, asked)
    except Problem as problem:
        assert problem.kind == Kind.EXPIRED, problem
    else:
        raise AssertionError("an answer was taken after its request had expired")
