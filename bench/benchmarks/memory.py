"""memory: what a server takes (PSS) with a thousand requests that wait and with a million, after the same work."""

import asyncio
import itertools
from collections.abc import AsyncIterator

from bench import studio
from bench.client import clients
from bench.conditions import Conditions
from bench.filling import Furnished, furnished
from bench.ground import Place, fresh
from bench.load import Journal, answering, asking, looking
from bench.measured import memory_mib
from bench.rounds import Figures, turned
from bench.served import Served

FEW, MANY = 1_000, 1_000_000
CONNECTIONS = 16
OPERATIONS = 4_000


async def rounds(conditions: Conditions) -> AsyncIterator[Figures]:
    """MiB of the serving process; PostgreSQL's own memory is set by its settings, whatever waits."""
    async with fresh(conditions.ground) as few, fresh(conditions.ground) as many:
        made = {
            few: await furnished(few, conditions.size(FEW, 200), conditions.playbooks),
            many: await furnished(many, conditions.size(MANY, 600), conditions.playbooks),
        }
        for number in range(conditions.rounds):
            mib = {side: await _mib(conditions, side, made[side]) for side in turned(number, (few, many))}
            growth = mib[many] - mib[few]
            yield {
                "MiB, few wait": mib[few],
                "MiB, many wait": mib[many],
                "growth MiB": growth,
                "growth over page cache MiB": growth - conditions.ground.cache_mib,
            }


async def _mib(conditions: Conditions, place: Place, made: Furnished) -> float:
    """What a server takes once it has asked, answered, shown runs from all over the store, and listed every inbox."""
    with Served(place) as served:
        served.until_ready()
        async with clients(served.port, made.key, CONNECTIONS) as connected:
            journal, operations = Journal(playbooks=conditions.playbooks), conditions.size(OPERATIONS, 100)
            numbers = iter(range(operations))
            await asyncio.gather(*(asking(journal, client, numbers) for client in connected))
            runs = iter(journal.asked)
            await asyncio.gather(*(answering(journal, client, runs) for client in connected))
            looked = itertools.islice(itertools.cycle(made.runs), operations)
            await asyncio.gather(*(looking(client, looked) for client in connected))
            for number in range(1, conditions.playbooks + 1):
                await connected[0].inbox(studio.playbook_name(number))
        mib = memory_mib([served.pid])
        served.stop()
    return mib
