"""handle: asking and answering through the store path alone, beside the database's own limit.

By batches of fifty, as the limit does it; and as a server's sixty-four callers do it, through the writer in its own
thread. Over a hundred playbooks, and over one, whose feed every commit then moves. All wait for two days, as those of
the limit do; shown beside it is what a hundred playbooks cost whose requests end at times spread over two days.
"""

from collections.abc import AsyncIterator, Awaitable, Sequence
from functools import partial

from bench import reading
from bench.conditions import Conditions
from bench.ground import fresh
from bench.limits.sqlite import GROUP
from bench.measured import Measured, measuring
from bench.questions import HOUR_MS, Asked, Questions, answers
from bench.rounds import Figures, Side, against, beside
from bench.writing import commit, submit
from sayso import compose
from sayso.app.units.unit import Unit
from sayso.core.heads import Outcome

PLAYBOOKS = (100, 1)
TWO_DAYS_MS = 48 * HOUR_MS
Pair = tuple[Measured, Measured]


async def rounds(conditions: Conditions) -> AsyncIterator[Figures]:
    """Rates and costs of asks and answers, each also as a multiple of the limit's."""
    sides: dict[str, Side[Pair]] = {}
    for playbooks in PLAYBOOKS:
        sides[f"batches, {playbooks}"] = partial(_batches, conditions, playbooks, TWO_DAYS_MS)
        sides[f"callers, {playbooks}"] = partial(_callers, conditions, playbooks)
    sides[f"batches, {PLAYBOOKS[0]} spread"] = partial(_batches, conditions, PLAYBOOKS[0], None)
    for number in range(conditions.rounds):
        figures = dict(await conditions.ground.other_limits(conditions.seconds(1.0)))
        async for name, (asked, answered), limit in beside(lambda: _limit(conditions), sides, number):
            figures |= {"limit/s": limit.rate, "limit cpu us": limit.cpu_us}
            figures |= against(f"ask, {name}", asked, limit) | against(f"answer, {name}", answered, limit)
        yield figures


async def _limit(conditions: Conditions) -> Measured:
    return await conditions.ground.limit(conditions.seconds(1.0))


def _asks(conditions: Conditions, playbooks: int, waits_ms: int | None) -> list[Unit]:
    asked = [Asked(playbook=number) for number in range(1, playbooks + 1)]
    return Questions(asked, waits_ms=waits_ms).asks(conditions.size(16_000, 200))


async def _batches(conditions: Conditions, playbooks: int, waits_ms: int | None) -> Pair:
    asks = _asks(conditions, playbooks, waits_ms)
    async with fresh(conditions.ground) as place:
        store = await place.open()
        try:
            pair = [await _measured(conditions, units, commit(store, units, GROUP)) for units in (asks, answers(asks))]
            await reading.check(store, asks, reading.ANSWERED, Outcome.SUCCEEDED)
        finally:
            await store.close()
    return pair[0], pair[1]


async def _callers(conditions: Conditions, playbooks: int) -> Pair:
    asks = _asks(conditions, playbooks, TWO_DAYS_MS)
    async with fresh(conditions.ground) as place, compose.running(place.settings(), work=False) as app:
        pair = [await _measured(conditions, units, submit(app.writer, units)) for units in (asks, answers(asks))]
        await reading.check(app.store, asks, reading.ANSWERED, Outcome.SUCCEEDED)
    return pair[0], pair[1]


async def _measured(conditions: Conditions, units: Sequence[Unit], work: Awaitable[None]) -> Measured:
    with measuring(*conditions.ground.servers) as meter:
        await work
        meter.done(len(units))
    return meter.measured
