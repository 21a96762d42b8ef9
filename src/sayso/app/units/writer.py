"""The writer: whatever is written, for a door or for the worker, is written here, a batch a commit.

A batch is what is queued when the last commit ends: its streams are loaded, its units decided, their rows written, and
only after the commit is anybody answered. Where a statement fails, halves of the batch are tried until the unit at
fault is alone.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from sayso.app.units.handle import handle
from sayso.app.units.mailbox import Mailbox, settle
from sayso.app.units.queue import Change, Hearing, Lane, Queued
from sayso.app.units.unit import Result, Unit, wanted
from sayso.core.machines.machine import Machines
from sayso.errors import RETRY_AFTER_S, Problem, unavailable
from sayso.ports import Batch, CommitUnknown, Moved, Store, StoreBroken, Transaction

# Between two tries of a batch that met another process: that one commits meanwhile.
MOVED_WAITS_S = (0.0, 0.001, 0.002, 0.004, 0.008, 0.016, 0.032, 0.064)

log = logging.getLogger("sayso.writer")
T = TypeVar("T")


class Writer:
    """One a process. ``submit`` may be called from any thread's loop; ``run`` belongs to one.

    ``on_commit`` is told of each committed batch, ``on_batch`` of how many units it had and how many seconds it took
    from its start to its commit, ``on_broken`` that the store can no longer be trusted and the process must end.
    """

    def __init__(
        self,
        store: Store,
        machines: Machines,
        *,
        on_commit: Callable[[Batch], None] = lambda _: None,
        on_batch: Callable[[int, float], None] = lambda _units, _seconds: None,
        on_broken: Callable[[], None] = lambda: None,
    ) -> None:
        self._store = store
        self._machines = machines
        self._on_commit = on_commit
        self._on_batch = on_batch
        self._on_broken = on_broken
        self._mailbox = Mailbox()
        self._failed_at = float("-inf")

    @property
    def failing(self) -> bool:
        """Whether a commit failed so lately that whoever was told to come back has not been served yet."""
        return asyncio.get_running_loop().time() - self._failed_at < RETRY_AFTER_S

    async def submit(self, unit: Unit, lane: Lane = Lane.CALLER) -> Result:
        """What became of the unit, once it is durable. Raises the problem it decided, or that it is not known.

        A caller that gives up waiting does not take its unit back.
        """
        [heard] = self._mailbox.post([unit], lane)
        result: Result = await heard
        if result.problem is not None:
            raise result.problem
        return result

    async def submit_each(self, units: Sequence[Unit], lane: Lane) -> list[Result | Exception]:
        """What became of each of several units, once that is durable: its problem too, or why it is not known."""
        try:
            heard = self._mailbox.post(units, lane)
        except Problem as refusal:
            return [refusal] * len(units)
        try:
            return [await _outcome(one) for one in heard]
        finally:
            for one in heard:
                one.cancel()

    async def change(self, work: Callable[[Transaction], Awaitable[T]], *, shard: int = 0) -> T:
        """Change what no unit does, in a transaction of its own; what ``work`` returns, once it is durable."""
        [heard] = self._mailbox.post([Change(work=work, shard=shard)], Lane.CALLER)
        changed: T = await heard
        return changed

    def stop(self) -> None:
        """Take nothing more, finish what is queued, and let ``run`` end. From any thread."""
        self._mailbox.close()

    async def run(self) -> None:
        """Commit batch after batch until stopped and drained, or until the store breaks. Nobody is left waiting."""
        try:
            while batch := await self._mailbox.collect():
                await self._serve(batch)
        finally:
            self._mailbox.end()

    async def _serve(self, batch: Sequence[Queued]) -> None:
        if isinstance(batch[0].work, Unit):
            await self._commit(batch)
        else:
            await self._change(batch[0])

    async def _change(self, queued: Queued) -> None:
        change = queued.work
        assert isinstance(change, Change), "units are committed"
        try:
            outcome = await self._attempted(lambda: self._made(change))
        except Exception as fault:
            self._fail([queued], fault)
        else:
            settle([(queued, outcome)])

    async def _made(self, change: Change) -> object:
        async with self._store.transaction(change.shard) as transaction:
            return await change.work(transaction)

    async def _commit(self, batch: Sequence[Queued]) -> None:
        """Commit a batch; one that a unit spoils is run again in halves."""
        if self._mailbox.ended:  # the store broke under the half before this one
            settle([(queued, unavailable()) for queued in batch])
            return
        units = [queued.work for queued in batch if isinstance(queued.work, Unit)]
        clock = asyncio.get_running_loop().time
        began_at = clock()
        try:
            results, written = await self._attempted(lambda: self._attempt(units))
        except (CommitUnknown, Moved, StoreBroken) as fault:
            self._fail(batch, fault)
        except Exception as fault:
            if len(batch) == 1:
                self._fail(batch, fault)
                return
            middle = len(batch) // 2
            await self._commit(batch[:middle])
            await self._commit(batch[middle:])
        else:
            self._tell_of(written, len(units), clock() - began_at)
            settle(list(zip(batch, results, strict=True)))

    def _tell_of(self, written: Batch, units: int, seconds: float) -> None:
        """It is durable already: a hook that fails changes nothing for whoever waits."""
        try:
            self._on_commit(written)
            self._on_batch(units, seconds)
        except Exception:
            log.exception("a commit could not be told of")

    async def _attempted(self, attempt: Callable[[], Awaitable[T]]) -> T:
        """Decide a batch, or make a change, anew as often as another process was there first."""
        for wait in MOVED_WAITS_S:
            try:
                return await attempt()
            except Moved as fault:
                log.info("a batch is decided anew: %s", fault)
            await asyncio.sleep(wait)
        return await attempt()

    async def _attempt(self, units: Sequence[Unit]) -> tuple[list[Result | Exception], Batch]:
        async with self._store.transaction(units[0].shard) as transaction:
            loaded = await transaction.load(wanted(units))
            results, batch = handle(self._machines, units, loaded)
            if batch:
                await transaction.write(batch)
        return results, batch

    def _fail(self, batch: Sequence[Queued], fault: Exception) -> None:
        if isinstance(fault, CommitUnknown | Moved | StoreBroken):
            self._failed_at = asyncio.get_running_loop().time()
            log.error("a batch of %d was not committed: %s", len(batch), fault)
            settle([(queued, unavailable()) for queued in batch])
        else:
            settle([(queued, fault) for queued in batch])
        if isinstance(fault, StoreBroken):
            # What was written before may be lost with it, so nothing more is written or told on top of it.
            self._mailbox.end()
            self._on_broken()


async def _outcome(heard: Hearing) -> Result | Exception:
    try:
        result: Result = await heard
    except Exception as fault:
        return fault
    return result.problem or result
