"""Claims of one serving process: a set in memory, gone with the process, as the claims then should be."""

import threading
from collections.abc import Callable, Sequence

from sayso.ports import Due


class Claims:
    """The streams that somebody in this process looks after.

    ``due(shard, now, limit)`` reads what is due, the longest due first. It is asked for as many more as are held, so
    that held streams never hide others.
    """

    def __init__(self, due: Callable[[int, int, int], Sequence[Due]]) -> None:
        self._due = due
        self._held: dict[int, set[bytes]] = {}
        self._lock = threading.Lock()  # over the read too: what is given back meanwhile was read before it was handled

    def claim(self, shard: int, now: int, limit: int) -> Sequence[Due]:
        """At most ``limit`` due streams that nobody held."""
        with self._lock:
            free = self._free(shard, now, limit)
            self._held.setdefault(shard, set()).update(due.stream for due in free)
            return free

    def release(self, shard: int, streams: Sequence[bytes]) -> None:
        """Give streams back. One that nobody holds may be among them."""
        with self._lock:
            self._held.get(shard, set()).difference_update(streams)

    def next_due(self, shard: int) -> int | None:
        """When the first stream that nobody holds is due."""
        with self._lock:
            free = self._free(shard, (1 << 63) - 1, 1)
            return free[0].due_at if free else None

    def _free(self, shard: int, now: int, limit: int) -> Sequence[Due]:
        held = self._held.get(shard, set())
        return [due for due in self._due(shard, now, limit + len(held)) if due.stream not in held][:limit]
