"""The writer's mailbox: where every thread leaves work, and through which it hears what became of it.

Whoever leaves work is always told: of its outcome, or that the writer has ended.
"""

import asyncio
import contextlib
import threading
from collections import defaultdict
from collections.abc import Sequence
from enum import Enum, auto

from sayso.app.units.queue import Change, Hearing, Lane, Queue, Queued
from sayso.app.units.unit import Unit
from sayso.core import bounds
from sayso.errors import unavailable


class Phase(Enum):
    """``OPEN`` takes work; ``CLOSED`` takes no more, and what waits is still collected; ``ENDED`` refuses that too."""

    OPEN = auto()
    CLOSED = auto()
    ENDED = auto()


class Mailbox:
    """Work on its way to the writer. Any thread's loop may post; the writer's alone collects."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._queue = Queue()
        self._phase = Phase.OPEN
        self._collector: asyncio.AbstractEventLoop | None = None
        self._bell = asyncio.Event()
        self._resting = False

    @property
    def ended(self) -> bool:
        """Whether nothing is collected any more."""
        return self._phase is Phase.ENDED

    def post(self, works: Sequence[Unit | Change], lane: Lane) -> list[Hearing]:
        """Leave work; a future for each, on the running loop, hears of it, unless it was cancelled.

        Raises ``unavailable`` once closed, and while so much waits that its turn would come too late for anybody.
        """
        loop = asyncio.get_running_loop()
        queued = [Queued(work=work, future=loop.create_future(), loop=loop) for work in works]
        with self._lock:
            if self._phase is not Phase.OPEN or len(self._queue) >= bounds.QUEUE_UNITS:
                raise unavailable()
            for one in queued:
                self._queue.put(one, lane)
            self._wake()
        return [one.future for one in queued]

    async def collect(self) -> Sequence[Queued]:
        """The next batch, as soon as there is one; empty once closed with nothing left, or ended."""
        self._collector = asyncio.get_running_loop()
        while True:
            with self._lock:
                batch = self._queue.take()
                if batch or self._phase is not Phase.OPEN:
                    return batch
                self._bell.clear()
                self._resting = True
            await self._bell.wait()

    def close(self) -> None:
        """Take no more work. From any thread."""
        with self._lock:
            self._phase = Phase.CLOSED if self._phase is Phase.OPEN else self._phase
            self._wake()

    def end(self) -> None:
        """Take no more, and refuse what waits. From any thread."""
        with self._lock:
            self._phase = Phase.ENDED
            while batch := self._queue.take():
                settle([(queued, unavailable()) for queued in batch])
            self._wake()

    def _wake(self) -> None:
        """Only a collector that rests needs to be woken, which costs a call of the system."""
        if self._resting and self._collector is not None:
            self._resting = False
            with contextlib.suppress(RuntimeError):  # its loop is closed: it rests no more
                self._collector.call_soon_threadsafe(self._bell.set)


def settle(outcomes: Sequence[tuple[Queued, object]]) -> None:
    """Tell every submitter, with one call a loop. An outcome that is an exception is raised there."""
    by_loop: dict[asyncio.AbstractEventLoop, list[tuple[Queued, object]]] = defaultdict(list)
    for queued, outcome in outcomes:
        by_loop[queued.loop].append((queued, outcome))
    for loop, told in by_loop.items():
        with contextlib.suppress(RuntimeError):  # a loop that is closed has nobody waiting on it
            loop.call_soon_threadsafe(_tell, told)


def _tell(told: Sequence[tuple[Queued, object]]) -> None:
    for queued, outcome in told:
        if queued.future.done():
            continue
        if isinstance(outcome, Exception):
            queued.future.set_exception(outcome)
        else:
            queued.future.set_result(outcome)
