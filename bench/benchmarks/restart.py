"""restart: a server is killed while its writer writes; how long until the next one has taken an answer.

Over a store in which a million requests wait, and over one in which almost nothing does. What the clients were told
before the kill is there afterwards, once.
"""

import asyncio
import itertools
import time
import uuid
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass

from bench import reading
from bench.client import Client, clients
from bench.conditions import Conditions
from bench.filling import Furnished, furnished
from bench.ground import Place, fresh
from bench.load import OK, Journal, Run, working
from bench.rounds import Figures, turned
from bench.served import Served

FEW, MANY = 500, 1_000_000
CONNECTIONS = 16
LOAD_S = 3.0
PATIENCE_S = 120.0


@dataclass(kw_only=True)
class Killed:
    """A store whose server is killed again and again, and the requests that still wait there for an answer."""

    place: Place
    made: Furnished
    waiting: Iterator[Run]
    numbers: Iterator[int]


async def rounds(conditions: Conditions) -> AsyncIterator[Figures]:
    """Seconds from the start of the process to the first answer taken."""
    async with fresh(conditions.ground) as few, fresh(conditions.ground) as many:
        empty = await _killed(conditions, few, conditions.size(FEW, 100))
        full = await _killed(conditions, many, conditions.size(MANY, 400))
        for number in range(conditions.rounds):
            seconds = {id(side): await _seconds(conditions, side) for side in turned(number, (empty, full))}
            yield {
                "first answer s, almost none wait": seconds[id(empty)],
                "first answer s, many wait": seconds[id(full)],
                "first answer, many of none": seconds[id(full)] / seconds[id(empty)],
            }


async def _killed(conditions: Conditions, place: Place, waits: int) -> Killed:
    made = await furnished(place, waits, conditions.playbooks)
    return Killed(place=place, made=made, waiting=iter(made.runs), numbers=itertools.count())


async def _seconds(conditions: Conditions, side: Killed) -> float:
    journal = Journal(playbooks=conditions.playbooks)
    with Served(side.place) as served:
        served.until_ready()
        await _killed_under_load(served, side, journal, conditions.seconds(LOAD_S))
        began = time.perf_counter()
        served.start()
        await _first_answer(served, side.made.key, next(side.waiting))
        seconds = time.perf_counter() - began
        served.stop()
    await _check(side, journal)
    return seconds


async def _killed_under_load(served: Served, side: Killed, journal: Journal, seconds: float) -> None:
    """Ask and answer over many connections, and kill the server in the midst of it."""
    async with clients(served.port, side.made.key, CONNECTIONS) as connected:
        load = asyncio.gather(*(working(journal, client, side.numbers) for client in connected))
        while not (load.done() or journal.answered):
            await asyncio.sleep(0.01)
        await asyncio.sleep(seconds)
        served.kill()
        await load


async def _first_answer(served: Served, key: str, run: Run) -> None:
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until:
        try:
            async with Client(served.port, key) as client:
                status, told = await client.answer(run.playbook, run.run_id)
        except ConnectionError:
            await asyncio.sleep(0.001)
        else:
            assert status == OK, told
            return
    raise AssertionError("the server did not come back")


async def _check(side: Killed, journal: Journal) -> None:
    """What was acknowledged is there. Of an answer that was sent and not acknowledged, either is right."""
    store = await side.place.open()
    try:
        for run in journal.asked:
            history = await reading.history(store, side.made.playbook(run), uuid.UUID(run.run_id).bytes)
            right = [reading.ANSWERED] if run in journal.answered else [reading.ASKED, reading.ANSWERED]
            assert history in (right if run in journal.sent else [reading.ASKED]), f"a run's history is {history}"
    finally:
        await store.close()
