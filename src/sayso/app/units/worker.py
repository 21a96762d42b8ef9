"""The worker: looks at each stream when its time has come. Every process may run one; there is no leader.

What to do is decided from the stream's state, so a look that comes twice, or too late, decides nothing.
"""

import asyncio
import logging
from collections.abc import Sequence

from sayso.app.units.bell import Bell
from sayso.app.units.queue import Lane
from sayso.app.units.unit import PLAYBOOK_ITSELF, Done, Order, Unit
from sayso.app.units.writer import Writer
from sayso.core.commands import Look
from sayso.errors import Problem, Reason
from sayso.ports import Due, Store

log = logging.getLogger("sayso.worker")

CLAIM = 64
STALLED_S = 30
BACKOFF_S = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 60.0)


class Worker:
    """Handles what is due, and sleeps until the next is, or until something is written that is due sooner.

    The sleep is at most ``interval_ms``, since another process may write the same store: polling is the truth.
    """

    def __init__(self, store: Store, writer: Writer, bell: Bell, *, interval_ms: int) -> None:
        self._store = store
        self._writer = writer
        self._bell = bell
        self._interval = interval_ms * 1000
        self._fails: dict[bytes, int] = {}
        self._turned_at: float | None = None
        self._giving: set[asyncio.Future[None]] = set()

    @property
    def stalled(self) -> bool:
        """Whether it runs and has looked at nothing for half a minute, though there was time to look at a batch."""
        if self._turned_at is None:
            return False
        return asyncio.get_running_loop().time() - self._turned_at > STALLED_S

    def _turn(self) -> None:
        self._turned_at = asyncio.get_running_loop().time()

    async def run(self) -> None:
        """Work for ever; cancel it to stop. A store that is away is tried again at the next interval."""
        self._turn()
        while True:
            self._bell.clear()
            due_at = None
            try:
                await self.sweep()
                due_at = await self.next_due()
            except Exception:
                log.exception("the due streams could not be handled")
            now = await self._store.now()
            until = now + self._interval if due_at is None else min(now + self._interval, max(due_at, now))
            self._turn()
            await self._bell.wait(until, (until - now) / 1_000_000)

    async def sweep(self) -> int:
        """Handle everything that is due now, to completion; how many streams were looked at."""
        looked = 0
        for shard in range(self._store.shards):
            while due := await self._store.claim(shard, CLAIM):
                await asyncio.gather(*(self._look(one) for one in due))
                looked += len(due)
                if self._turned_at is not None:  # it runs; a sweep asked for by itself does not make it run
                    self._turn()
        return looked

    async def next_due(self) -> int | None:
        """When the next stream is due, in microseconds since 1970."""
        times = [await self._store.next_due(shard) for shard in range(self._store.shards)]
        return min((at for at in times if at is not None), default=None)

    async def _look(self, due: Due) -> None:
        """Look at one stream. One that fails, or stays due, backs off alone; a store that is away is no fault of it."""
        order = Order(stream=due.stream, command=Look(), by=PLAYBOOK_ITSELF)
        try:
            result = await self._writer.submit(
                Unit(shard=due.shard, playbook=due.playbook, orders=(order,)), Lane.WORKER
            )
            stuck = _still_due(result.done, due)
        except Exception as fault:
            if isinstance(fault, Problem) and fault.reason is Reason.UNAVAILABLE:
                await self._store.release(due.shard, [due])
                raise
            log.exception("stream %s could not be looked at", due.stream.hex())
            stuck = True
        if stuck:
            self._back_off(due)
        else:
            self._fails.pop(due.stream, None)
            await self._store.release(due.shard, [due])

    def _back_off(self, due: Due) -> None:
        fails = self._fails.get(due.stream, 0)
        self._fails[due.stream] = fails + 1
        wait = BACKOFF_S[min(fails, len(BACKOFF_S) - 1)]
        log.warning("stream %s stays due and is looked at again in %d s", due.stream.hex(), wait)
        asyncio.get_running_loop().call_later(wait, self._give_back, due)

    def _give_back(self, due: Due) -> None:
        giving = asyncio.ensure_future(self._store.release(due.shard, [due]))
        self._giving.add(giving)
        giving.add_done_callback(self._giving.discard)
        self._bell.ring()


def _still_due(done: Sequence[Done], due: Due) -> bool:
    return any(one.head.due_at is not None and one.head.due_at <= due.due_at for one in done)
