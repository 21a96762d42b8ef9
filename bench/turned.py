"""A clock that a benchmark turns: it goes with the machine's, ahead of it by so much."""

from sayso.store import SystemClock


class AheadClock:
    """The machine's time, put ahead."""

    def __init__(self) -> None:
        self.ahead_us = 0
        self._clock = SystemClock()

    def now(self) -> int:
        """Microseconds since 1970, and what the clock was put ahead by."""
        return self._clock.now() + self.ahead_us
