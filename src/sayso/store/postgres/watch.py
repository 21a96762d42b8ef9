"""One connection beside the others: it looks at what moves, hears what other processes tell, and tells them.

What is told is a hint, and may be lost; what is looked at is the truth.
"""

import asyncio
import contextlib
import logging
import threading
from collections.abc import Awaitable, Callable
from typing import Any, Final

from sayso.ports import StoreBroken, StoreError
from sayso.store.migration import Meta, check_compatible
from sayso.store.postgres.clock import DatabaseClock
from sayso.store.postgres.connection import Session, fetch, part
from sayso.store.postgres.failures import ERRORS, failure
from sayso.store.postgres.partitions import ensure_months
from sayso.store.postgres.schema import migrations

log = logging.getLogger("sayso.store")

CHANNEL: Final = "sayso"
REFERENCE: Final = "reference"
LOOK_S: Final = 0.5
AGAIN_S: Final = 1.0  # until a lost connection is tried anew
TOLD_S: Final = 0.02  # what comes to be told within it is told at once
UPKEEP_S: Final = 24 * 3600.0
SOON_US: Final = 60_000_000  # nobody sleeps longer without looking, so nobody need hear of what is due later

_LOOK: Final = """
select reference_version, schema_version, compatible_from, secret,
  (extract(epoch from clock_timestamp()) * 1000000)::bigint from meta
"""


class Watch:
    """Runs on the loop that made it. ``version`` is that of reference data, as last seen or as committed here.

    ``heard`` is called with due times that other processes told of, ``on_broken`` when this program can use the store
    no more: another is at its address, or a newer sayso has made it its own.
    """

    def __init__(
        self,
        connect: Callable[[], Awaitable[Session]],
        meta: Meta,
        clock: DatabaseClock,
        *,
        listens: bool,
        heard: Callable[[int], None],
        on_broken: Callable[[], None],
    ) -> None:
        self._connect = connect
        self._meta = meta
        self._clock = clock
        self._listens = listens
        self._heard = heard
        self._on_broken = on_broken
        self._loop = asyncio.get_running_loop()
        self._woken = asyncio.Event()
        self._lock = threading.Lock()  # over what is to be told, from any thread
        self._due_at: int | None = None
        self._has_moved = False
        self._look_at = self._loop.time()
        self._upkeep_at = self._loop.time() + UPKEEP_S
        self._task: asyncio.Task[None] | None = None
        self.version = 0

    async def start(self, session: Session) -> None:
        """Look and listen from now on; the session is the watch's."""
        await self._listen(session)
        await self._look(session)
        self._task = self._loop.create_task(self._run(session), name="sayso-watch")
        await asyncio.sleep(0)  # a task that is cancelled before it began would not close the session

    def tell(self, due_at: int) -> None:
        """Let the others hear of a due time, if it is soon enough to matter. From any thread."""
        if due_at > self._clock.now() + SOON_US:
            return
        with self._lock:
            is_first = self._due_at is None
            self._due_at = due_at if self._due_at is None else min(self._due_at, due_at)
        if is_first:
            self._wake()

    def moved(self, version: int) -> None:
        """Reference data has this version now, as was just committed here; let the others look. From any thread."""
        self.version = max(self.version, version)
        self._has_moved = True
        self._wake()

    async def close(self) -> None:
        """Stop, and close the connection. Idempotent."""
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            await asyncio.wait([task])

    def _wake(self) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed
            self._loop.call_soon_threadsafe(self._woken.set)

    async def _run(self, session: Session) -> None:
        """Watch on one connection after the other."""
        while True:
            try:
                await self._watch(session)
            except StoreBroken as fault:
                log.error("the store cannot be used any more: %s", fault)
                self._on_broken()
                return
            except StoreError as fault:
                log.warning("the database is away: %s", fault)
            finally:
                await part(session)
            session = await self._connected()

    async def _connected(self) -> Session:
        while True:
            await asyncio.sleep(AGAIN_S)
            with contextlib.suppress(StoreError):
                return await self._connect()

    async def _watch(self, session: Session) -> None:
        await self._listen(session)
        while True:
            if self._loop.time() >= self._look_at:
                await self._look(session)
            if self._loop.time() >= self._upkeep_at:
                self._upkeep_at += UPKEEP_S
                await ensure_months(session)
            await self._rest()
            await self._tell(session)

    async def _rest(self) -> None:
        """Until it is time to look, or there is something to tell."""
        try:
            async with asyncio.timeout_at(self._look_at):
                await self._woken.wait()
        except TimeoutError:
            return
        self._woken.clear()
        await asyncio.sleep(TOLD_S)

    async def _look(self, session: Session) -> None:
        version, schema_version, compatible_from, secret, now = (await fetch(session, "look", _LOOK))[0]
        self._look_at = self._loop.time() + LOOK_S
        self._clock.set(now)
        self.version = max(self.version, version)
        if secret != self._meta.secret:
            raise StoreBroken("there is another store at the address of this one")
        try:
            if schema_version > len(migrations()):
                check_compatible("The database", schema_version, compatible_from, len(migrations()))
        except StoreError as refusal:
            raise StoreBroken(str(refusal)) from None

    async def _tell(self, session: Session) -> None:
        with self._lock:
            due_at, self._due_at = self._due_at, None
        has_moved, self._has_moved = self._has_moved, False
        for is_to_tell, words in ((due_at is not None, str(due_at)), (has_moved, REFERENCE)):
            if is_to_tell:
                await fetch(session, "tell", "select pg_notify($1, $2)", (CHANNEL, words))

    async def _listen(self, session: Session) -> None:
        """Hear what is told, unless nothing could be heard; it does no harm to say so twice."""
        try:
            if self._listens:
                await session.add_listener(CHANNEL, self._hear)
        except ERRORS as error:
            raise failure("listen", error) from None

    def _hear(self, session: Any, pid: int, _channel: str, words: str) -> None:
        """Anybody who may connect may tell us anything."""
        if pid == session.get_server_pid():
            return
        if words == REFERENCE:
            self._look_at = self._loop.time()
            self._woken.set()
        elif words.isascii() and words.isdigit():
            self._heard(int(words))
