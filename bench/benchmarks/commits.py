"""commits: how many durable commits an operation takes over HTTP, alone and with sixty-four callers at once.

The writer's own count; beside it the flushes to the disk: PostgreSQL's own count, or on SQLite, where strace is
installed, what the system saw.
"""

import asyncio
import itertools
import shutil
import tempfile
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from pathlib import Path

from bench.client import Client, clients
from bench.conditions import Conditions, tell
from bench.counting import COUNTING, PATH
from bench.filling import furnished
from bench.ground import fresh
from bench.load import Journal, answering, asking
from bench.rounds import Figures
from bench.served import SERVE, Served

CONNECTIONS = {"alone": 1, "at 64": 64}
TRACER = ("strace", "-f", "-e", "trace=fsync,fdatasync", "-o")

Count = Callable[[], Coroutine[None, None, int]]


async def rounds(conditions: Conditions) -> AsyncIterator[Figures]:
    """Commits an operation, and flushes."""
    own = not conditions.ground.servers
    traces = own and shutil.which(TRACER[0]) is not None
    if own and not traces:
        tell("flushes are not counted: strace is not installed")
    for _ in range(conditions.rounds):
        figures = await _counted(conditions)
        yield figures | (await _traced(conditions) if traces else {})


async def _counted(conditions: Conditions) -> dict[str, float]:
    async with fresh(conditions.ground) as place:
        made = await furnished(place, 0, conditions.playbooks)
        with Served(place, program=COUNTING) as served:
            served.until_ready()

            async def count() -> int:
                async with Client(served.port, made.key) as client:  # a server hangs up on one that is silent for long
                    return int((await client.send("GET", PATH))[1]["commits"])

            counts = {"commits": count}
            if conditions.ground.servers:
                counts["flushes"] = conditions.ground.flushes
            return await _operations(conditions, served, made.key, counts)


async def _traced(conditions: Conditions) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        trace = Path(folder) / "trace"

        async def count() -> int:
            return sum("sync(" in line for line in trace.read_text().splitlines())

        async with fresh(conditions.ground) as place:
            made = await furnished(place, 0, conditions.playbooks)
            with Served(place, program=SERVE, before=(*TRACER, str(trace))) as served:
                served.until_ready()
                return await _operations(conditions, served, made.key, {"flushes": count})


async def _operations(
    conditions: Conditions, served: Served, key: str, counts: Mapping[str, Count]
) -> dict[str, float]:
    """Operations of both kinds, alone and together, each with how much it raised each count."""
    figures: dict[str, float] = {}
    numbers = itertools.count()
    for name, connections in CONNECTIONS.items():
        operations = conditions.size(1_000 if connections == 1 else 6_400, 3 * connections)
        async with clients(served.port, key, connections) as connected:
            journal = Journal(playbooks=conditions.playbooks)
            await journal.ask(connected[0], next(numbers))  # a new caller is given a number, in a commit of its own
            before = await _all(counts)
            left = itertools.islice(numbers, operations)
            await asyncio.gather(*(asking(journal, client, left) for client in connected))
            between = await _all(counts)
            runs = iter(journal.asked[1:])
            await asyncio.gather(*(answering(journal, client, runs) for client in connected))
            after = await _all(counts)
        for what in counts:
            figures[f"{what} a create, {name}"] = (between[what] - before[what]) / operations
            figures[f"{what} an answer, {name}"] = (after[what] - between[what]) / operations
    return figures


async def _all(counts: Mapping[str, Count]) -> dict[str, int]:
    return {what: await count() for what, count in counts.items()}
