"""The worker: looks at each stream when its time has come. Every process may run one; there is no leader.

What to do is decided from the stream's state, so a look that comes twice, or too late, decides nothing.
"""

import asyncio
import contextlib
import logging
from collections import deque
from collections.abc import Sequence
from typing import TypeGuard

from sayso.app.units.bell import Bell
from sayso.app.units.look import look
from sayso.app.units.unit import Result
from sayso.app.units.writer import Writer
from sayso.core import bounds
from sayso.errors import Problem, Reason
from sayso.ports import Due, Store, StoreError

log = logging.getLogger("sayso.worker")

CLAIM = 256
# Batches at once: while one is committed the next waits behind it, so that the writer never waits for a claim.
AHEAD = 2
STALLED_S = 30
BACKOFF_S = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 60.0)


class Worker:
    """Handles what is due, and sleeps until the next is, or until something is written that is due sooner.

    The sleep is at most ``interval_ms``, since another process may write the same store: polling is the truth.
    ``looks`` counts the streams that it looked at, and ``stuck`` those looks that failed or left the stream as due.
    """

    def __init__(self, store: Store, writer: Writer, bell: Bell, *, interval_ms: int) -> None:
        self._store = store
        self._writer = writer
        self._bell = bell
        self._interval = interval_ms * 1000
        self._fails: dict[bytes, int] = {}
        self._turned_at: float | None = None
        self._giving: set[asyncio.Future[None]] = set()
        self._held: dict[bytes, Due] = {}
        self._counts = False
        self.looks = 0
        self.stuck = 0

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
        try:
            while True:
                self._bell.clear()
                until, seconds = await self._round()
                self._turn()
                await self._bell.wait(until, seconds)
        finally:
            await self._leave()

    async def _round(self) -> tuple[int, float]:
        """Handle what is due; until when to sleep then, and for how many seconds."""
        try:
            await self.sweep()
            due_at, now = await self.next_due(), await self._store.now()
        except Exception as fault:
            is_away = isinstance(fault, StoreError | Problem)
            words = fault if is_away else type(fault).__name__  # those of others may repeat what a person wrote
            log.warning("the due streams could not be handled: %s", words, exc_info=not is_away)
            return 0, self._interval / 1_000_000
        until = now + self._interval if due_at is None else min(now + self._interval, max(due_at, now))
        return until, (until - now) / 1_000_000

    async def _leave(self) -> None:
        """Give back what is still claimed, so that another process need not wait for it."""
        with contextlib.suppress(StoreError):  # a claim ends by itself
            for shard in {due.shard for due in self._held.values()}:
                await self._release(shard, [due for due in self._held.values() if due.shard == shard])

    async def sweep(self) -> int:
        """Handle everything that is due now, to completion; how many streams were looked at."""
        return sum([await self._sweep(shard) for shard in range(self._store.shards)])

    async def _sweep(self, shard: int) -> int:
        looked = 0
        left: Sequence[Due] = ()
        ahead: deque[asyncio.Task[None]] = deque()
        try:
            while (left := left or await self._claimed(shard)) or ahead:
                batch, left = left[: bounds.BATCH_UNITS], left[bounds.BATCH_UNITS :]
                if batch:
                    ahead.append(asyncio.create_task(self._look(shard, batch)))
                    looked += len(batch)
                if not batch or len(ahead) == AHEAD:
                    await ahead.popleft()
        finally:
            await asyncio.gather(*ahead, return_exceptions=True)
            if left:
                await self._release(shard, left)
        return looked

    async def _claimed(self, shard: int) -> Sequence[Due]:
        """What is due, enough for several commits, so that each keeps to few playbooks: what a playbook lists, and its
        feed, lies together."""
        due = await self._store.claim(shard, CLAIM)
        self._held.update((one.stream, one) for one in due)
        return sorted(due, key=lambda one: one.playbook)

    async def next_due(self) -> int | None:
        """When the next stream is due, in microseconds since 1970."""
        times = [await self._store.next_due(shard) for shard in range(self._store.shards)]
        return min((at for at in times if at is not None), default=None)

    async def _look(self, shard: int, due: Sequence[Due]) -> None:
        """Look at a batch. One that fails, or stays due, backs off alone; that the store is away is no fault of it."""
        outcomes = await look(self._store, self._writer, due)
        stuck = [one for one, outcome in zip(due, outcomes, strict=True) if _is_stuck(one, outcome)]
        self.looks += len(due)
        self.stuck += len(stuck)
        for one in stuck:
            self._back_off(one)
        await asyncio.gather(*map(self._count, stuck))
        waiting = {one.stream for one in stuck}
        over = [one for one in due if one.stream not in waiting]
        for one in over:
            self._fails.pop(one.stream, None)
        await self._release(shard, over)
        if self._turned_at is not None:  # it runs; a sweep asked for by itself does not make it run
            self._turn()
        for outcome in outcomes:
            if _is_away(outcome):
                raise outcome

    async def _release(self, shard: int, due: Sequence[Due]) -> None:
        for one in due:
            self._held.pop(one.stream, None)
        await self._store.release(shard, due)

    async def _count(self, due: Due) -> None:
        """Count the failure in the stream's head, for whoever looks at the store. One at a time, and lost without harm:
        however many streams fail, callers hardly wait for it."""
        if self._counts:
            return
        self._counts = True
        try:
            await self._writer.change(
                lambda transaction: transaction.query("count_failure", shard=due.shard, stream=due.stream),
                shard=due.shard,
            )
        except (StoreError, Problem) as fault:
            log.info("stream %s failed, which could not be counted: %s", due.stream.hex(), fault)
        finally:
            self._counts = False

    def _back_off(self, due: Due) -> None:
        fails = self._fails.get(due.stream, 0)
        self._fails[due.stream] = fails + 1
        wait = BACKOFF_S[min(fails, len(BACKOFF_S) - 1)]
        log.warning("stream %s stays due and is looked at again in %d s", due.stream.hex(), wait)
        asyncio.get_running_loop().call_later(wait, self._give_back, due)

    def _give_back(self, due: Due) -> None:
        giving = asyncio.ensure_future(self._given_back(due))
        self._giving.add(giving)
        giving.add_done_callback(self._giving.discard)

    async def _given_back(self, due: Due) -> None:
        with contextlib.suppress(StoreError):  # a claim ends by itself
            await self._release(due.shard, [due])
        self._bell.ring()


def _is_away(outcome: Result | Exception) -> TypeGuard[Problem]:
    return isinstance(outcome, Problem) and outcome.reason is Reason.UNAVAILABLE


def _is_stuck(due: Due, outcome: Result | Exception) -> bool:
    """Whether the look failed, or left the stream as due as it was."""
    if isinstance(outcome, Result):
        return any(one.head.due_at is not None and one.head.due_at <= due.due_at for one in outcome.done)
    if _is_away(outcome):
        return False
    log.error("stream %s could not be looked at", due.stream.hex(), exc_info=outcome)
    return True
