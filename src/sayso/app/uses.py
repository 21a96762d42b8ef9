"""Uses: when each key was last used. Noted in memory, and written behind everybody's back.

What was noted and not yet written when a process ends otherwise than it should is lost, and does no harm.
"""

import asyncio
import logging
from collections.abc import Sequence
from functools import partial

from sayso.app.units.writer import Writer
from sayso.errors import Problem
from sayso.ports import StoreError, Transaction

log = logging.getLogger("sayso.keys")

# A use is written at most once in so many seconds for a key, and the uses of all keys at once.
EVERY_S = 60.0
TOGETHER = 100


class Uses:
    """The uses that this process has seen."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer
        self._noted: dict[str, int] = {}
        self._written: dict[str, int] = {}

    def note(self, key_id: str, at: int) -> None:
        """A key was used at this time (microseconds since 1970). It costs next to nothing, and nobody waits for it."""
        if at - self._written.get(key_id, 0) >= EVERY_S * 1_000_000:
            self._noted[key_id] = at

    async def write(self) -> None:
        """Write what was noted, if anything was."""
        noted = sorted(self._noted.items())
        self._noted = {}
        for start in range(0, len(noted), TOGETHER):
            some = noted[start : start + TOGETHER]
            await self._writer.change(partial(_write, some))
            self._written.update(some)

    async def run(self, every_s: float = EVERY_S) -> None:
        """Write again and again, until cancelled."""
        while True:
            await asyncio.sleep(every_s)
            await self.try_to_write()

    async def try_to_write(self) -> None:
        """Write what was noted; where the store is away, or full, it is lost."""
        try:
            await self.write()
        except (StoreError, Problem) as fault:
            log.info("the last uses of keys could not be written: %s", fault)


async def _write(uses: Sequence[tuple[str, int]], transaction: Transaction) -> None:
    for key_id, at in uses:
        await transaction.execute("use_key", id=key_id, last_used_at=at)
