"""feed: a million events by eight writers, read by four followers that know nothing but where they stand.

Nobody skips, repeats or swaps an event, and all see the same order. On PostgreSQL the writers are eight processes; a
file has one, whose callers all write through it.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator

from bench.children import Children, Gate
from bench.conditions import Conditions
from bench.following import follow
from bench.ground import Place, fresh
from bench.measured import measuring
from bench.questions import Asked, Questions, answers
from bench.rounds import Figures, percentile
from bench.writing import TASKS
from sayso import compose
from sayso.app.units.writer import Writer

WRITERS, FOLLOWERS = 8, 4
PLAYBOOKS = (1, 2, 3, 4)
EVENTS = 1_024_000  # as many for each writer in each playbook
EVENTS_A_PAIR = 4


async def rounds(conditions: Conditions) -> AsyncIterator[Figures]:
    """Events a second, and how late followers see them."""
    for _ in range(conditions.rounds):
        async with fresh(conditions.ground) as place:
            await (await place.open()).close()
            yield await _round(conditions, place)


async def _round(conditions: Conditions, place: Place) -> Figures:
    events = conditions.size(EVENTS, 2_048)
    writers = 1 if conditions.ground.name == "sqlite" else WRITERS
    pairs = events // EVENTS_A_PAIR // writers
    async with (
        Children(follow, [(place, PLAYBOOKS, events // len(PLAYBOOKS))] * FOLLOWERS) as followers,
        Children(write, [(place, pairs)] * writers) as writing,
    ):
        with measuring(*conditions.ground.servers) as meter:
            followers.go()
            writing.go()
            await writing.results()
            written = meter.done(events)
        seen = await followers.results()
        behind = meter.done(events).wall - written.wall
    assert len({one.digest for one in seen}) == 1, "followers saw different orders"
    lags = [lag / 1000 for one in seen for lag in one.lags]
    assert len(lags) == events * FOLLOWERS
    return {
        "events/s": written.rate,
        "cpu us an event": written.cpu_us,
        "lag p50 ms": percentile(lags, 50),
        "lag p99 ms": percentile(lags, 99),
        "last seen s after last written": behind,
    }


async def write(gate: Gate, place: Place, pairs: int) -> None:
    """Ask and answer so many times, for a server's many callers."""
    async with compose.running(place.settings(), work=False) as app:
        questions = Questions([Asked(playbook=playbook) for playbook in PLAYBOOKS])
        await gate.ready()
        left = iter(range(pairs))
        await asyncio.gather(*(_pairs(app.writer, questions, left) for _ in range(TASKS)))


async def _pairs(writer: Writer, questions: Questions, left: Iterator[int]) -> None:
    for _ in left:
        ask = questions.ask()
        await writer.submit(ask)
        await writer.submit(answers([ask])[0])
