"""What waits for the writer: three lanes a shard. Callers go first; nothing costs more because more is waiting."""

import asyncio
from collections import defaultdict, deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

from sayso.app.units.unit import Unit
from sayso.core import bounds
from sayso.core.frozen import frozen
from sayso.ports import Transaction


class Lane(IntEnum):
    """Who waits for a unit: a caller, the worker, or nobody (it may be a second late, and be lost without harm)."""

    CALLER = 0
    WORKER = 1
    LAZY = 2


@frozen
class Change:
    """Work that is no unit: on reference data, or a rebuild's. It runs alone, in a transaction of its own."""

    work: Callable[[Transaction], Awaitable[object]]
    shard: int = 0


# Through it a submitter hears: of a unit its Result, of a change what that returned.
Hearing = asyncio.Future[Any]


@frozen
class Queued:
    """Work for the writer, and the future through which its submitter hears of it, on the submitter's loop."""

    work: Unit | Change
    future: Hearing
    loop: asyncio.AbstractEventLoop


@dataclass(kw_only=True)
class Lanes:
    """The three lanes of one shard."""

    waiting: tuple[deque[Queued], deque[Queued], deque[Queued]] = field(
        default_factory=lambda: (deque(), deque(), deque())
    )

    def take(self) -> list[Queued]:
        """What the next commit takes: what is queued now, at most 64 units or 256 KiB of each lane, lazy ones last.

        While callers wait the worker gets at most 50 units, so that a storm of expiries does not hold them up.
        """
        callers = _take(self.waiting[Lane.CALLER], bounds.BATCH_UNITS)
        most = bounds.WORKER_UNITS_WHILE_CALLERS_WAIT if callers else bounds.BATCH_UNITS
        return callers + _take(self.waiting[Lane.WORKER], most) + _take(self.waiting[Lane.LAZY], bounds.BATCH_UNITS)


def _take(lane: deque[Queued], most: int) -> list[Queued]:
    taken: list[Queued] = []
    room = bounds.BATCH_BYTES
    while lane and len(taken) < most and room > 0:
        queued = lane.popleft()
        room -= queued.work.size if isinstance(queued.work, Unit) else 0
        taken.append(queued)
    return taken


class Queue:
    """Work in the order in which it is taken. One thread at a time."""

    def __init__(self) -> None:
        self._changes: deque[Queued] = deque()
        self._shards: defaultdict[int, Lanes] = defaultdict(Lanes)
        self._turn = 0
        self._length = 0
        self._changed = False

    def put(self, queued: Queued, lane: Lane) -> None:
        """Queue a unit in its shard's lane, or a change."""
        self._length += 1
        if isinstance(queued.work, Unit):
            self._shards[queued.work.shard].waiting[lane].append(queued)
        else:
            self._changes.append(queued)

    def take(self) -> list[Queued]:
        """One change alone, or units of one shard; they take turns, and so do shards. Empty when nothing waits.

        Changes may come many at a time, as those of cursors do, and a caller waits for one of them at most.
        """
        first, second = (self._units, self._change) if self._changed else (self._change, self._units)
        taken = first() or second()
        self._changed = bool(taken) and isinstance(taken[0].work, Change)
        self._length -= len(taken)
        return taken

    def _change(self) -> list[Queued]:
        return [self._changes.popleft()] if self._changes else []

    def _units(self) -> list[Queued]:
        shards = list(self._shards)
        for offset in range(len(shards)):
            shard = shards[(self._turn + offset) % len(shards)]
            if taken := self._shards[shard].take():
                self._turn = (self._turn + offset + 1) % len(shards)
                return taken
        return []

    def __len__(self) -> int:
        return self._length
