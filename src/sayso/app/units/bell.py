"""The bell: wakes the worker early, when something was written that is due sooner than it sleeps.

A ring is a hint; polling is the truth.
"""

import asyncio

# While nobody waits every ring counts.
FAR = 1 << 62


class Bell:
    """Rung from any thread, waited for on the loop that made it."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._event = asyncio.Event()
        self._until = FAR

    def ring(self, due_at: int = 0) -> None:
        """Wake whoever waits, unless it wakes by ``due_at`` (microseconds) anyway. From any thread."""
        if due_at < self._until and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._event.set)

    @property
    def rung(self) -> bool:
        """Whether a ring counts that nobody has cleared yet."""
        return self._event.is_set()

    def clear(self) -> None:
        """Forget the rings so far; what they told of will be found by looking."""
        self._until = FAR
        self._event.clear()

    async def wait(self, until: int, seconds: float) -> None:
        """Until the bell rings, or ``until`` has come, which is so many seconds from now."""
        self._until = until
        try:
            async with asyncio.timeout(seconds):
                await self._event.wait()
        except TimeoutError:
            return
