"""The process's clock, and one that never goes back."""

import time

from sayso.ports import Clock


class SystemClock:
    """Microseconds since 1970, as the machine tells them; while its clock is put back, time goes on from before."""

    def __init__(self) -> None:
        self._latest = 0
        self._ticks = time.monotonic_ns()

    def now(self) -> int:
        """The machine's time, or what has passed since the latest time that was told."""
        ticks = time.monotonic_ns()
        passed, self._ticks = (ticks - self._ticks) // 1000, ticks
        self._latest = max(time.time_ns() // 1000, self._latest + passed)
        return self._latest


class ForwardClock:
    """Another clock, held where it was whenever that one steps back."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._latest = 0

    def now(self) -> int:
        """The other clock's time, or the latest it ever told."""
        self._latest = max(self._latest, self._clock.now())
        return self._latest
