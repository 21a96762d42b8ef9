"""The write path of a store, driven without a door: batch by batch, or as a server's many callers drive it."""

import asyncio
from collections.abc import Sequence

from bench.questions import groups
from sayso.app.units.handle import handle
from sayso.app.units.unit import Unit, wanted
from sayso.app.units.writer import Writer
from sayso.core.machines import MACHINES
from sayso.ports import Store

TASKS = 64


async def commit(store: Store, units: Sequence[Unit], size: int) -> None:
    """Load, decide, write and commit units, so many a transaction. A unit that is refused is an error here."""
    for group in groups(units, size):
        async with store.transaction(0) as transaction:
            results, batch = handle(MACHINES, group, await transaction.load(wanted(group)))
            await transaction.write(batch)
        for result in results:
            assert not isinstance(result, Exception) and result.problem is None, result


async def submit(writer: Writer, units: Sequence[Unit], tasks: int = TASKS) -> None:
    """Hand units to a writer from so many tasks at once, each waiting for its own."""
    waiting = iter(units)

    async def one() -> None:
        for unit in waiting:
            await writer.submit(unit)

    await asyncio.gather(*(one() for _ in range(tasks)))
