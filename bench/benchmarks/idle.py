"""idle: the processor time of a server that nobody asks anything, with a million requests that wait and with none."""

import asyncio
from collections.abc import AsyncIterator

from bench.conditions import Conditions
from bench.filling import furnished
from bench.ground import Place, fresh
from bench.measured import Meter
from bench.rounds import Figures, turned
from bench.served import Served

WAITS = 1_000_000
SETTLE_S, IDLE_S = 3.0, 30.0
# Less than this is nothing, and no measure of anything else.
NOTHING = 0.001


async def rounds(conditions: Conditions) -> AsyncIterator[Figures]:
    """Percent of one processor, and how much more of it the waits take."""
    async with fresh(conditions.ground) as empty, fresh(conditions.ground) as full:
        await furnished(empty, 0, conditions.playbooks)
        await furnished(full, conditions.size(WAITS, 500), conditions.playbooks)
        await full.settle()
        for number in range(conditions.rounds):
            percent = {side: await _percent(conditions, side) for side in turned(number, (empty, full))}
            yield {
                "idle %, none wait": percent[empty],
                "idle %, many wait": percent[full],
                "idle, many of none": percent[full] / max(percent[empty], NOTHING),
            }


async def _percent(conditions: Conditions, place: Place) -> float:
    with Served(place) as served:
        served.until_ready()
        await asyncio.sleep(conditions.seconds(SETTLE_S))
        meter = Meter([served.pid, *conditions.ground.servers])
        await asyncio.sleep(conditions.seconds(IDLE_S))
        idled = meter.done(1)
        served.stop()
    return 100 * idled.cpu / idled.wall
