"""The composition root: settings become a store, a writer on its own thread, a worker, and the doors."""

import asyncio
import contextlib
import secrets
import threading
from collections.abc import AsyncIterator, Callable

from sayso.app.assemble import assemble
from sayso.app.runtime import App
from sayso.app.units.bell import Bell
from sayso.app.units.writer import Writer
from sayso.core.machines import MACHINES
from sayso.http.app import HttpApp
from sayso.ports import Batch, Clock, Entropy
from sayso.settings import Settings
from sayso.store import SqliteStore, SystemClock, open_store


class SystemEntropy:
    """The machine's chance, fetched in larger pieces: each fetch is a call of the system."""

    def __init__(self) -> None:
        self._pool = b""

    def bits(self, count: int) -> int:
        """So many bits that nobody can guess, at most 4,096. Each is given once."""
        size = (count + 7) // 8
        if len(self._pool) < size:
            self._pool = secrets.token_bytes(512)
        taken, self._pool = self._pool[:size], self._pool[size:]
        return int.from_bytes(taken) >> (size * 8 - count)


@contextlib.asynccontextmanager
async def running(
    settings: Settings,
    *,
    clock: Clock | None = None,
    entropy: Entropy | None = None,
    faults: Callable[[str], None] | None = None,
    work: bool = True,
    on_broken: Callable[[], None] = lambda: None,
) -> AsyncIterator[App]:
    """A running app: its store is open, its writer writes, and with ``work`` its worker works. Drained at the end.

    ``faults`` is told of every statement before and after it is executed; tests end the process there.
    """
    clock = clock or SystemClock()
    store = _store(settings, clock, faults, on_broken)
    bell = Bell()

    def committed(batch: Batch) -> None:
        due = [write.head.due_at for write in batch.heads if write.head.due_at is not None]
        if due:
            bell.ring(min(due))
            store.tell(min(due))

    writer = Writer(store, MACHINES, on_commit=committed, on_broken=on_broken)
    thread = threading.Thread(target=lambda: asyncio.run(writer.run()), name="sayso-writer")
    thread.start()
    try:
        app = assemble(
            store,
            writer,
            bell,
            clock=clock,
            entropy=entropy or SystemEntropy(),
            open_limit=settings.open_requests,
            interval_ms=settings.sweep_interval_ms,
        )
        async with _working(app) if work else contextlib.nullcontext():
            yield app
    finally:
        writer.stop()
        await asyncio.to_thread(thread.join)
        await store.close()


def _store(
    settings: Settings, clock: Clock, faults: Callable[[str], None] | None, on_broken: Callable[[], None]
) -> SqliteStore:
    """The store that the settings name; without a directory one in memory, for tests."""
    if settings.data is None:
        return SqliteStore(":memory:", shards=settings.shards, clock=clock, faults=faults)
    return open_store(settings.data, shards=settings.shards, clock=clock, faults=faults, on_broken=on_broken)


@contextlib.asynccontextmanager
async def _working(app: App) -> AsyncIterator[None]:
    worker = asyncio.create_task(app.worker.run())
    try:
        yield
    finally:
        worker.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await worker


def http_app(app: App, settings: Settings) -> HttpApp:
    """The HTTP door over an app."""
    return HttpApp(app, settings)
