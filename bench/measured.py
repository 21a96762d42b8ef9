"""What something cost: how often it was done, how long that took, and the processor time of every process it needed.

Processor time is read to the nanosecond from each process's own clock, so that idling can be measured too.
"""

import contextlib
import gc
import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import psutil


@dataclass(frozen=True, kw_only=True)
class Measured:
    """So many operations, in so many seconds of the wall's clock and of processors."""

    count: int
    wall: float
    cpu: float

    def __add__(self, other: "Measured") -> "Measured":
        return Measured(count=self.count + other.count, wall=self.wall + other.wall, cpu=self.cpu + other.cpu)

    @property
    def rate(self) -> float:
        """Operations a second."""
        return self.count / self.wall

    @property
    def cpu_us(self) -> float:
        """Microseconds of processor time an operation."""
        return self.cpu / self.count * 1e6


class Meter:
    """Measures from when it is made until ``done``, with the processor time of these processes and their children."""

    def __init__(self, roots: Sequence[int]) -> None:
        self._roots = roots
        self._measured: Measured | None = None
        self._cpu = spent(roots)
        self._wall = time.perf_counter()

    def done(self, count: int) -> Measured:
        """The end: so many operations were done since the beginning."""
        wall = time.perf_counter() - self._wall
        self._measured = Measured(count=count, wall=wall, cpu=spent(self._roots) - self._cpu)
        return self._measured

    @property
    def measured(self) -> Measured:
        """What it came to."""
        assert self._measured is not None, "what is measured says that it is done"
        return self._measured


@contextlib.contextmanager
def measuring(*roots: int) -> Iterator[Meter]:
    """Measure what is done inside, with the processor time of this process, of ``roots`` and of all their children.

    What the benchmark itself has prepared is kept out of the way of the garbage collector, since no server has it.
    """
    gc.collect()
    gc.freeze()
    try:
        yield Meter([os.getpid(), *roots])
    finally:
        gc.unfreeze()


def family(roots: Sequence[int]) -> list[psutil.Process]:
    """The processes and all their children that live now."""
    found: dict[int, psutil.Process] = {}
    for root in roots:
        with contextlib.suppress(psutil.NoSuchProcess):
            process = psutil.Process(root)
            found |= {one.pid: one for one in [process, *process.children(recursive=True)]}
    return list(found.values())


def spent(roots: Sequence[int]) -> float:
    """Seconds of processor time of these processes and their children so far, ended children included."""
    total = 0.0
    for process in family(roots):
        with contextlib.suppress(psutil.NoSuchProcess, OSError):
            ended = process.cpu_times()
            total += _clock(process.pid) + ended.children_user + ended.children_system
    return total


def _clock(pid: int) -> float:
    """The processor time of a process, all its threads together: Linux has a clock of it, named by the inverted pid."""
    return time.clock_gettime(~pid << 3 | 2)


def memory_mib(roots: Sequence[int]) -> float:
    """The memory of these processes and their children; what they share counts once (PSS)."""
    return float(sum(process.memory_full_info().pss for process in family(roots))) / (1 << 20)
