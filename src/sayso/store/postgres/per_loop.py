"""What belongs to an event loop: connections do, and a store is used from several."""

import asyncio
import contextlib
import threading
from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

from sayso.ports import StoreError


class Closable(Protocol):
    """What is closed on the loop that it was used on."""

    async def close(self) -> None:
        """Let go of everything."""


T = TypeVar("T", bound=Closable)


class PerLoop(Generic[T]):
    """One thing for each loop that asks, closed when its loop ends or with the store, whichever comes first."""

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self._lock = threading.Lock()
        self._things: dict[asyncio.AbstractEventLoop, tuple[T, asyncio.Task[None]]] = {}
        self._closed = False

    def here(self) -> T:
        """The running loop's."""
        loop = asyncio.get_running_loop()
        found = self._things.get(loop)
        return found[0] if found else self._made(loop)

    def _made(self, loop: asyncio.AbstractEventLoop) -> T:
        with self._lock:
            if self._closed:
                raise StoreError("the store is closed")
            thing = self._make()
            # A loop that ends cancels what still runs there.
            self._things[loop] = (thing, loop.create_task(self._kept(loop, thing), name="sayso-connections"))
            return thing

    async def _kept(self, loop: asyncio.AbstractEventLoop, thing: T) -> None:
        try:
            await loop.create_future()
        finally:
            del self._things[loop]
            await thing.close()

    async def close(self) -> None:
        """Close those of all loops. Idempotent."""
        with self._lock:
            self._closed = True
            kept = [(loop, task) for loop, (_, task) in self._things.items()]
        for loop, task in kept:
            if loop is asyncio.get_running_loop():
                task.cancel()
                await asyncio.wait([task])
            else:
                with contextlib.suppress(RuntimeError):  # it is closed: what it had is gone with it
                    loop.call_soon_threadsafe(task.cancel)
