"""The stage of one case: an app made as it is always made, with the clock replaced and nothing else."""

import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from sayso import compose
from sayso.app.runtime import App
from sayso.core.values import Json
from sayso.settings import Settings
from tests import stores
from tests.cases.clock import VirtualClock
from tests.cases.door import Door, HttpDoor, OperationsDoor, Reply
from tests.cases.instants import micros
from tests.cases.served import Served, serving

START = micros("2026-03-02T09:00:00Z")  # where a case begins that does not say
# What one moment may need: a worker that is never done with it is a fault, not a reason to wait.
_SWEEPS = 1_000

DoorOf = Callable[[App, Settings], Door]


class Stage:
    """An app under a virtual clock, behind one door. It can stop, and start again on the same file."""

    def __init__(self, clock: VirtualClock, settings: Settings, door_of: DoorOf) -> None:
        self.clock = clock
        self.said: list[str] = []
        self._settings = settings
        self._door_of = door_of
        self._open = AsyncExitStack()
        self._app: App | None = None
        self._door: Door | None = None

    @property
    def runs(self) -> bool:
        """Whether the app is open."""
        return self._app is not None

    async def start(self) -> None:
        """Open the app, unless it is open; on a file, what stands there is taken up."""
        if self._app is not None:
            return
        self._app = await self._open.enter_async_context(stores.running(self._settings, clock=self.clock, work=False))
        self._door = self._door_of(self._app, self._settings)

    async def stop(self) -> None:
        """Close the app. Nothing is due, asked or heard until it starts again."""
        self._app = self._door = None
        await self._open.aclose()

    async def until(self, at: int) -> None:
        """Perform all work that is due by then, in order of its time, and leave the clock there."""
        for _ in range(_SWEEPS):
            due = await self._app.worker.next_due() if self._app else None
            if self._app is None or due is None or due > at:
                self.clock.move(at)
                return
            self.clock.move(due)
            await self._app.worker.sweep()
        raise AssertionError(f"something stays due at {self.clock.now()}")

    async def ask(self, operation: str, **fields: Json) -> Reply:
        """Perform one operation now; every word of the reply is kept in ``said``."""
        assert self._door is not None, f"{operation}: the case's process has stopped"
        reply = await self._door.ask(operation, fields)
        self.said.append(reply.words)
        return reply

    async def outcome(self, operation: str, **fields: Json) -> dict[str, Json]:
        """The outcome of an operation that must not be refused."""
        reply = await self.ask(operation, **fields)
        assert reply.refusal is None, f"{operation} was refused: {reply.refusal}"
        return reply.outcome

    async def all_pages(self, operation: str, items: str, **fields: Json) -> list[dict[str, Json]]:
        """A listing, read to its end."""
        page = await self.outcome(operation, limit=100, **fields)
        rows: list[dict[str, Json]] = page[items]
        while page["next_cursor"] is not None:
            page = await self.outcome(operation, limit=100, cursor=page["next_cursor"], **fields)
            rows += page[items]
        return rows


class Stages:
    """Makes the stage of each case, all behind the same kind of door."""

    def __init__(self, door_of: DoorOf) -> None:
        self._door_of = door_of

    @asynccontextmanager
    async def stage(
        self, *, start: int = START, stops: bool = False, settings: dict[str, str] | None = None
    ) -> AsyncIterator[Stage]:
        """A started stage. ``stops`` puts it on a file, so that it may start again; ``settings`` as an environment."""
        with stores.lending(), tempfile.TemporaryDirectory() as folder:
            chosen = Settings.from_environment(settings or {}, data=Path(folder) if stops else None, local=True)
            stage = Stage(VirtualClock(start), chosen, self._door_of)
            await stage.start()
            try:
                yield stage
            finally:
                await stage.stop()


@asynccontextmanager
async def stages(over: str | None) -> AsyncIterator[Stages]:
    """Stages whose cases go through the operations, or ``over="http"`` through a real socket."""
    if over is None:
        yield Stages(lambda app, _: OperationsDoor(app))
        return
    served = Served()
    async with serving(served) as client:

        def door(app: App, settings: Settings) -> Door:
            served.app = compose.http_app(app, settings)
            return HttpDoor(client)

        yield Stages(door)
