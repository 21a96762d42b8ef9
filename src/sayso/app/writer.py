"""The writer: every write of every door and of the worker goes through it, in batches, one commit each.

It takes what is queued and never waits for more; loads all streams, decides every unit, writes, commits, and only then
answers. A statement that fails makes the batch run again in halves, until the bad unit stands alone.
"""

import asyncio
import contextlib
import logging
import threading
from collections import defaultdict
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeVar

from sayso.app.handle import handle
from sayso.app.queue import Lane, Queue, Queued
from sayso.app.unit import Result, Unit, wanted
from sayso.core.machines.machine import Machines
from sayso.errors import Problem, Reason
from sayso.ports import Batch, CommitUnknown, Store, StoreBroken, Transaction

log = logging.getLogger("sayso.writer")
T = TypeVar("T")

# Seconds after which a caller that was told 503 may try again.
RETRY_AFTER = 5


def unavailable() -> Problem:
    """What a caller hears whose unit may or may not stand: never a conflict, always "try again"."""
    detail = "The store cannot be written just now. Send the same request again in a moment."
    return Problem(Reason.UNAVAILABLE, detail, retry_after=RETRY_AFTER)


class Writer:
    """One a process. ``submit`` may be called from any thread's loop; ``run`` belongs to one.

    ``on_commit`` is told of each committed batch, ``on_broken`` that the store can no longer be trusted and the process
    must end.
    """

    def __init__(
        self,
        store: Store,
        machines: Machines,
        *,
        on_commit: Callable[[Batch], None] = lambda _: None,
        on_broken: Callable[[], None] = lambda: None,
    ) -> None:
        self._store = store
        self._machines = machines
        self._on_commit = on_commit
        self._on_broken = on_broken
        self._queue = Queue()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._bell = asyncio.Event()
        self._idle = False
        self._stopping = False
        self._broken = False
        self._ended = False
        self._refusing = threading.Lock()

    async def submit(self, unit: Unit, lane: Lane = Lane.CALLER) -> Result:
        """What became of the unit, once it is durable. Raises the problem it decided, or that it is not known.

        A caller that gives up waiting does not take its unit back.
        """
        result: Result = await self._put(unit, lane)
        if result.problem is not None:
            raise result.problem
        return result

    async def change(self, work: Callable[[Transaction], Awaitable[T]]) -> T:
        """Change reference data in a transaction of its own; what ``work`` returns, once it is durable."""
        changed: T = await self._put(work, Lane.CALLER)
        return changed

    async def _put(self, work: Any, lane: Lane) -> Any:
        if self._stopping:
            raise unavailable()
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Any] = loop.create_future()
        self._queue.put(Queued(work=work, future=future, loop=loop), lane)
        if self._ended:  # since the look above: nobody will take it any more
            self._refuse_waiting()
        elif self._idle:
            self._wake()
        return await asyncio.shield(future)

    def stop(self) -> None:
        """Take nothing more, finish what is queued, and let ``run`` end. From any thread."""
        self._stopping = True
        self._wake()

    def _wake(self) -> None:
        self._idle = False
        if self._loop is not None:
            with contextlib.suppress(RuntimeError):  # it has ended and is closed
                self._loop.call_soon_threadsafe(self._bell.set)

    async def run(self) -> None:
        """Commit batch after batch until stopped and drained, or until the store breaks. Nobody is left waiting."""
        self._loop = asyncio.get_running_loop()
        try:
            while not self._broken:
                if batch := self._queue.take():
                    await self._serve(batch)
                elif self._stopping:
                    return
                else:
                    await self._rest()
        finally:
            self._stopping = self._ended = True
            self._refuse_waiting()

    def _refuse_waiting(self) -> None:
        with self._refusing:  # the writer's thread as it ends, and whoever queued a moment too late
            while batch := self._queue.take():
                _settle([(queued, unavailable()) for queued in batch])

    async def _rest(self) -> None:
        """Wait for work. Who queues some wakes the writer only if it rests; so it looks once more before it does."""
        self._bell.clear()
        self._idle = True
        if not self._queue and not self._stopping:
            await self._bell.wait()
        self._idle = False

    async def _serve(self, batch: Sequence[Queued]) -> None:
        if isinstance(batch[0].work, Unit):
            await self._commit(batch)
        else:
            await self._change(batch[0])

    async def _change(self, queued: Queued) -> None:
        assert not isinstance(queued.work, Unit), "units are committed"
        try:
            async with self._store.transaction(0) as transaction:
                outcome = await queued.work(transaction)
        except Exception as fault:
            self._fail([queued], fault)
        else:
            _settle([(queued, outcome)])

    async def _commit(self, batch: Sequence[Queued]) -> None:
        """Commit a batch; one that a unit spoils is run again in halves."""
        if self._broken:  # by the half before this one
            _settle([(queued, unavailable()) for queued in batch])
            return
        units = [queued.work for queued in batch if isinstance(queued.work, Unit)]
        try:
            results, written = await self._attempt(units)
        except (CommitUnknown, StoreBroken) as fault:
            self._fail(batch, fault)
        except Exception as fault:
            if len(batch) == 1:
                self._fail(batch, fault)
                return
            middle = len(batch) // 2
            await self._commit(batch[:middle])
            await self._commit(batch[middle:])
        else:
            self._tell_of(written)
            _settle(list(zip(batch, results, strict=True)))

    def _tell_of(self, written: Batch) -> None:
        """It is durable already: a hook that fails changes nothing for whoever waits."""
        try:
            self._on_commit(written)
        except Exception:
            log.exception("a commit could not be told of")

    async def _attempt(self, units: Sequence[Unit]) -> tuple[list[Result | Exception], Batch]:
        async with self._store.transaction(units[0].shard) as transaction:
            loaded = await transaction.load(wanted(units))
            results, batch = handle(self._machines, units, loaded, await transaction.now())
            if batch:
                await transaction.write(batch)
        return results, batch

    def _fail(self, batch: Sequence[Queued], fault: Exception) -> None:
        if isinstance(fault, CommitUnknown | StoreBroken):
            log.error("a batch of %d was not committed: %s", len(batch), fault)
            _settle([(queued, unavailable()) for queued in batch])
        else:
            _settle([(queued, fault) for queued in batch])
        if isinstance(fault, StoreBroken):
            # What was written before may be lost with it, so nothing more is written or told on top of it.
            self._stopping = self._broken = True
            self._on_broken()


def _settle(outcomes: Sequence[tuple[Queued, Any]]) -> None:
    """Tell every submitter, with one call a loop."""
    by_loop: dict[asyncio.AbstractEventLoop, list[tuple[Queued, Any]]] = defaultdict(list)
    for queued, outcome in outcomes:
        by_loop[queued.loop].append((queued, outcome))
    for loop, told in by_loop.items():
        with contextlib.suppress(RuntimeError):  # a loop that is closed has nobody waiting on it
            loop.call_soon_threadsafe(_tell, told)


def _tell(told: Sequence[tuple[Queued, Any]]) -> None:
    for queued, outcome in told:
        if queued.future.done():
            continue
        if isinstance(outcome, Exception):
            queued.future.set_exception(outcome)
        else:
            queued.future.set_result(outcome)
