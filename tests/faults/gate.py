"""The gate before the servers of a load: it knows which of them are up."""

import random
import threading
from typing import NamedTuple


class Way(NamedTuple):
    """The way to a server: its port, and how often it had been started when the way was open."""

    port: int
    start: int


class Gate:
    """Holds a client back while no server is up but one that it lost, and lets it go at the end."""

    def __init__(self, *ports: int) -> None:
        self._moved = threading.Condition()
        self._up: set[int] = set()
        self._starts = dict.fromkeys(ports, 0)
        self._is_over = False

    def open(self, port: int) -> None:
        """A server is up."""
        with self._moved:
            self._up.add(port)
            self._starts[port] += 1
            self._moved.notify_all()

    def shut(self, port: int) -> None:
        """A server is down."""
        with self._moved:
            self._up.discard(port)

    def end(self) -> None:
        """No client goes on."""
        with self._moved:
            self._is_over = True
            self._moved.notify_all()

    def way(self, chance: random.Random, last: Way | None, *, is_lost: bool = False) -> Way | None:
        """Where to go, most often as the last time; None if the client shall end."""
        lost = last if is_lost else None
        with self._moved:
            self._moved.wait_for(lambda: self._is_over or self._ways(lost))
            ways = self._ways(lost)
        if self._is_over:
            return None
        return last if last in ways and chance.random() < 0.95 else chance.choice(ways)

    def _ways(self, lost: Way | None) -> list[Way]:
        ways = [Way(port, self._starts[port]) for port in sorted(self._up)]
        return [way for way in ways if way != lost]
