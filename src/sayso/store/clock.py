"""The process's clock, and one that never goes back."""

import time

from sayso.ports import Clock


class SystemClock:
    """Microseconds since 1970, as the machine tells them."""

    def now(self) -> int:
        """The machine's time."""
        return time.time_ns() // 1000


class ForwardClock:
    """Another clock, held where it was whenever that one steps back."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._latest = 0

    def now(self) -> int:
        """The other clock's time, or the latest it ever told."""
        self._latest = max(self._latest, self._clock.now())
        return self._latest
