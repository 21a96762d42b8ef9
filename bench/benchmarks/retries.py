"""retries: ten thousand starts under one run id. The last may cost hardly more than the first.

The function calls a system whose tool nobody offers, so each start ends at once and the run may start again. The clock
is turned by a minute between two, since the same refusal within a minute records nothing.
"""

import uuid
from collections.abc import AsyncIterator

from bench import studio
from bench.conditions import Conditions
from bench.ground import fresh
from bench.measured import Measured, measuring
from bench.questions import NAME
from bench.rounds import Figures
from bench.turned import AheadClock
from sayso import compose
from sayso.app.runtime import App
from sayso.core import events
from sayso.core.rows import recorded
from sayso.errors import Kind, Problem

CALL = """---
description: Reads the open incidents
call: { server: pager, tool: open_incidents, with: { team: '{{ input.team }}' } }
output: { schema: { type: array } }
---
"""
MINUTE_US = 61_000_000
STARTS, WINDOW = 10_000, 400


async def rounds(conditions: Conditions) -> AsyncIterator[Figures]:
    """What the first and the last hundreds of starts cost, each round under a new run id."""
    clock = AheadClock()
    async with fresh(conditions.ground) as place, compose.running(place.settings(), clock=clock, work=False) as app:
        await studio.furnish(app, 1, source=CALL)
        await _started(app, clock, conditions, str(uuid.uuid4()), conditions.size(WINDOW, 20))
        for _ in range(conditions.rounds):
            yield await _round(app, clock, conditions)


async def _round(app: App, clock: AheadClock, conditions: Conditions) -> Figures:
    run_id, starts = str(uuid.uuid4()), conditions.size(STARTS, 100)
    window = conditions.size(WINDOW, 20)
    first = await _started(app, clock, conditions, run_id, window)
    await _started(app, clock, conditions, run_id, starts - 2 * window)
    last = await _started(app, clock, conditions, run_id, window)
    await _check(app, run_id, starts)
    return {
        "first cpu us": first.cpu_us,
        "last cpu us": last.cpu_us,
        "first ms": 1000 / first.rate,
        "last ms": 1000 / last.rate,
        "last of first, cpu": last.cpu_us / first.cpu_us,
        "last of first, wall": first.rate / last.rate,
    }


async def _started(app: App, clock: AheadClock, conditions: Conditions, run_id: str, times: int) -> Measured:
    with measuring(*conditions.ground.servers) as meter:
        for _ in range(times):
            await _start(app, run_id)
            clock.ahead_us += MINUTE_US
        meter.done(times)
    return meter.measured


async def _start(app: App, run_id: str) -> None:
    where, fields = studio.playbook_name(1), {"type": "interaction", "name": NAME, "input": {"team": "web"}}
    try:
        await studio.do(app, "run_definition", where, **fields, run_id=run_id)
    except Problem as problem:
        assert problem.kind == Kind.TOOL_NOT_OFFERED, problem
    else:
        raise AssertionError("a tool was called that nobody offers")


async def _check(app: App, run_id: str, starts: int) -> None:
    """Every start is in the history, and its ending after it."""
    (head,) = await app.store.query("head_of_run", shard=0, playbook=1, run_id=uuid.UUID(run_id).bytes)
    rows = await app.store.query("events_since", shard=0, stream=head["stream"], from_seq=1)
    names = [events.name(recorded(head["stream"], row).event) for row in rows]
    assert names == ["run_started", "run_rejected"] * starts, f"{len(names)} events of {starts} starts"
