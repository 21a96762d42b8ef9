"""The database's clock, as far as this process can tell without asking for it each time."""

import time


def _ticks() -> int:
    return time.monotonic_ns() // 1000


class DatabaseClock:
    """Microseconds since 1970. Set now and then by what the database said; between, time goes on as it does here."""

    def __init__(self) -> None:
        self._ahead = 0

    def set(self, at: int) -> None:
        """The database said so just now."""
        self._ahead = at - _ticks()

    def now(self) -> int:
        """About what the database would say. From any thread."""
        return _ticks() + self._ahead
