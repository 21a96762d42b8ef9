"""The composition root: settings become a store, a writer on its own thread, a worker, and the doors."""

import asyncio
import contextlib
import secrets
import threading
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sayso.app.assemble import assemble
from sayso.app.notices.notice import Courier
from sayso.app.runtime import App
from sayso.app.units.bell import Bell
from sayso.app.units.writer import Writer
from sayso.core.events import InteractionRequested
from sayso.core.machines import MACHINES
from sayso.http.account import Account
from sayso.http.app import HttpApp
from sayso.live import Live
from sayso.ports import Batch, Clock, Entropy, Store
from sayso.settings import Settings
from sayso.store import SqliteStore, SystemClock, open_store
from sayso.store.extra import for_postgres

if TYPE_CHECKING:
    from sayso.metrics.figures import Figures


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
    store: Store | None = None,
    clock: Clock | None = None,
    entropy: Entropy | None = None,
    faults: Callable[[str], None] | None = None,
    work: bool = True,
    on_broken: Callable[[], None] = lambda: None,
    live: Live | None = None,
    figures: "Figures | None" = None,
) -> AsyncIterator[App]:
    """A running app: its store is open, its writer writes, and with ``work`` its worker works. Drained at the end.

    ``store`` is an open one to work on, in place of the one that the settings name; it is closed at the end too.
    ``faults`` is told of every statement before and after it is executed; tests end the process there. ``live`` holds
    the settings that may change meanwhile, and ``figures`` counts what is written.
    """
    bell = Bell()
    live = live or Live(settings)
    opened = store or await _opened(settings, clock, faults, on_broken, bell.ring)
    told = _told(settings, opened, clock or SystemClock()) if work else None
    commits = _Commits(store=opened, bell=bell, told=told[1] if told else None, figures=figures)
    writer = Writer(opened, MACHINES, on_commit=commits.committed, on_batch=commits.counted, on_broken=on_broken)
    thread = threading.Thread(target=_write, args=(writer,), name="sayso-writer")
    thread.start()
    try:
        app = assemble(
            opened,
            writer,
            bell,
            clock=clock or SystemClock(),
            entropy=entropy or SystemEntropy(),
            open_limit=live.open_requests,
            interval_ms=settings.sweep_interval_ms,
            configured=live.configured,
            told=told,
            kept_ms=settings.retention_ms,
        )
        async with _working(app) if work else contextlib.nullcontext(), _noting(app):
            yield app
    finally:
        writer.stop()
        await asyncio.to_thread(thread.join)
        await opened.close()


@dataclass(frozen=True, kw_only=True)
class _Commits:
    """Who hears of a commit: the figures, and whoever sleeps until something is due, or to be told."""

    store: Store
    bell: Bell
    told: Bell | None
    figures: "Figures | None"

    def committed(self, batch: Batch) -> None:
        if self.figures is not None:
            self.figures.committed(batch)
        if self.told and any(isinstance(one.event, InteractionRequested) for _, one in batch.events):
            self.told.ring()
        due = [write.head.due_at for write in batch.heads if write.head.due_at is not None]
        if due:
            self.bell.ring(min(due))
            self.store.tell(min(due))

    def counted(self, units: int, seconds: float) -> None:
        if self.figures is not None:
            self.figures.batch(units, seconds)


def _write(writer: Writer) -> None:
    with asyncio.Runner(loop_factory=fast_loop()) as runner:
        runner.run(writer.run())


def fast_loop() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """uvloop's, where there is one: on PostgreSQL a commit takes a fifth less processor time with it."""
    try:
        import uvloop  # noqa: PLC0415  not on every platform
    except ImportError:
        return None
    return uvloop.new_event_loop


async def _opened(
    settings: Settings,
    clock: Clock | None,
    faults: Callable[[str], None] | None,
    on_broken: Callable[[], None],
    heard: Callable[[int], None],
) -> Store:
    """The store that the settings name; where they name none one in memory, for tests."""
    if settings.database is not None:
        with for_postgres():
            from sayso.store.postgres.store import open_postgres  # noqa: PLC0415  nobody else needs asyncpg
        return await open_postgres(
            settings.database,
            shards=settings.shards,
            direct=settings.database_direct,
            pooled=settings.database_pooled,
            clock=clock,
            faults=faults,
            on_broken=on_broken,
            heard=heard,
        )
    if settings.data is None:
        return SqliteStore(":memory:", shards=settings.shards, clock=clock, faults=faults)
    return open_store(settings.data, shards=settings.shards, clock=clock, faults=faults, on_broken=on_broken)


def _told(settings: Settings, store: Store, clock: Clock) -> tuple[Courier, Bell] | None:
    """Who brings notices, and what rings when there is one; None where nobody is told."""
    if settings.notify is None:
        return None
    from sayso.notify.couriers import courier  # noqa: PLC0415  who tells nobody needs no client

    return courier(settings.notify, store.secret, clock, allows_private=settings.notify_private), Bell()


@contextlib.asynccontextmanager
async def _working(app: App) -> AsyncIterator[None]:
    running = (one.run() for one in (app.worker, app.notifier, app.retention) if one is not None)
    works = [asyncio.create_task(one) for one in running]
    try:
        yield
    finally:
        for work in works:
            work.cancel()
        await asyncio.gather(*works, return_exceptions=True)


@contextlib.asynccontextmanager
async def _noting(app: App) -> AsyncIterator[None]:
    """Write now and then when keys were last used, and once more at the end."""
    noting = asyncio.create_task(app.uses.run())
    try:
        yield
    finally:
        noting.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await noting
        await app.uses.try_to_write()


def http_app(app: App, settings: Settings, observe: Callable[[Account], None] = lambda _account: None) -> HttpApp:
    """The HTTP door over an app; ``observe`` is given the account of every request."""
    return HttpApp(app, settings, observe=observe)
