"""``sayso serve``: one process that serves one store, until it is told to stop."""

import asyncio
import contextlib
import dataclasses
import logging
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Annotated, TextIO

import typer

from sayso.cli import discovery, listening, lock, places, store
from sayso.cli.commands import Data, refusals_shown
from sayso.cli.refusals import Refused, not_possible
from sayso.cli.screen import Screen
from sayso.cli.usage import whole

if TYPE_CHECKING:
    import uvicorn
    from starlette.types import ASGIApp

    from sayso.app.runtime import App
    from sayso.settings import Settings

# How long requests under way may take to end once the server was told to stop.
DRAIN_SECONDS = 20

# The names that the Host header of a request in local mode may have.
LOCAL_HOSTS = ("127.0.0.1", "localhost", "::1")

LOCAL_MISSING = (
    "LOCAL MODE, for this machine only: no keys (every program here may do everything), no TLS.",
    "This release has no inbox page: requests are answered by `sayso answer` or over HTTP.",
)

_Local = Annotated[bool, typer.Option("--local", help="For this machine only: loopback, without keys.")]
_Host = Annotated[str | None, typer.Option("--host", metavar="H", help="The address to listen at: 127.0.0.1, or HOST.")]
_Port = Annotated[
    int | None,
    typer.Option("--port", metavar="N", parser=whole(0, 65_535), help="The port: 8080, or PORT; 0 takes a free one."),
]


def serve(local: _Local = False, host: _Host = None, port: _Port = None, data: Data = None) -> None:
    """Serve a store over HTTP, until SIGTERM or Ctrl-C.

    With --local it needs nothing else: its store lies in your data folder, and a taken port gives way to the next free
    one. Without, it needs --data DIR (or SAYSO_DATA), and callers need keys: see `sayso keys create`.
    """
    screen = Screen()
    with refusals_shown(screen):
        settings = _settled(local, host, port, data)
        assert settings.data is not None, "settled"
        # The port first: where none is free, no folder is made.
        with listening.listening(settings.host, settings.port, next_free=settings.local) as sock:
            store.make(settings.data)
            store.check(settings.data)
            with lock.held(settings.data):
                code = _Serving(settings, sock, screen).run()
    raise typer.Exit(code)


def _settled(local: bool, host: str | None, port: int | None, data: Path | None) -> "Settings":
    """The settings, with a folder for the store; refused where they could lose or open up what is kept there."""
    from sayso.settings import BadSetting, Settings

    try:
        settings = Settings.from_environment(local=local or None, host=host, port=port, data=data)
    except BadSetting as fault:
        advice = "To try sayso on this machine: sayso serve --local" if fault.setting == "SAYSO_DATA" else None
        raise not_possible(str(fault), advice) from None
    if settings.local:
        if settings.host not in LOCAL_HOSTS:
            raise not_possible(f"Local mode listens at a loopback address: {', '.join(LOCAL_HOSTS)}.")
        return dataclasses.replace(settings, data=settings.data or places.local_data())
    if settings.data is not None and places.is_temporary(settings.data):
        raise not_possible(
            f"{settings.data} lies among temporary files, which the system may remove: no place for a store.",
            "Name another with --data DIR (or SAYSO_DATA); --local may use it.",
        )
    return settings


class _Serving:
    """One serving process, from an open socket to a drained and closed store."""

    def __init__(self, settings: "Settings", sock: socket.socket, screen: Screen) -> None:
        self._settings = settings
        self._socket = sock
        self._screen = screen
        self._url = listening.url(settings.host, sock)
        self._server: uvicorn.Server | None = None
        self._told_to_stop = False
        self._broken = False

    def run(self) -> int:
        """Serve until told to stop; the exit code: 0 after a clean stop, 1 after the store broke."""
        _log_to(sys.stderr)
        # uvicorn raises the signals it took once more when it has drained: the store is still open then.
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._stop)
        with store.refusing(self._settings), asyncio.Runner(loop_factory=_fast_loop()) as runner:
            runner.run(self._serve())
        if self._broken:
            self._screen.note(
                "sayso: the store could not be written, so this process ends. See the log above.", "bold red"
            )
        elif self._told_to_stop:
            self._screen.note("Stopped.")
        return 1 if self._broken else 0

    def _stop(self, _number: int = 0, _frame: FrameType | None = None) -> None:
        self._told_to_stop = True
        if self._server is not None:
            self._server.should_exit = True

    def _break(self) -> None:
        # Called from the writer's thread: what was not committed was answered so, and no more can be.
        self._broken = True
        self._stop()

    async def _serve(self) -> None:
        from sayso import compose

        async with compose.running(self._settings, on_broken=self._break) as app:
            await self._warn(app)
            door = compose.http_app(app, self._settings)
            server = http_server(door, door.close)
            self._server = server
            if self._told_to_stop:  # before there was a server to tell
                server.should_exit = True
            with self._announced():
                self._screen.note(f"sayso serves {self._settings.data} at {self._url} (Ctrl-C stops it)", "bold")
                await server.serve(sockets=[self._socket])

    @contextlib.contextmanager
    def _announced(self) -> Iterator[None]:
        """In local mode, let other commands find this server; a server with keys is named to them instead."""
        if not self._settings.local:
            yield
            return
        with discovery.announced(self._url) as is_found:
            if not is_found:
                self._screen.note("No folder could be written to announce this server: other commands need --url.", "")
            yield

    async def _warn(self, app: "App") -> None:
        """Say what is missing; in local mode a store that holds keys is refused, since nobody would need them."""
        has_keys = await app.keys.any()
        if not self._settings.local:
            if not has_keys:
                self._screen.note(
                    "This store holds no key: everybody is refused. Make one: "
                    f"sayso keys create --org ORG --data {self._settings.data}",
                    "bold yellow",
                )
            return
        if has_keys:
            raise _has_keys(self._settings.data)
        for line in LOCAL_MISSING:
            self._screen.note(line, "bold yellow")


def _log_to(stream: TextIO) -> None:
    """Each line of the log with its moment in UTC and its level."""
    form = logging.Formatter("%(asctime)s.%(msecs)03dZ %(levelname)s %(name)s: %(message)s", "%Y-%m-%dT%H:%M:%S")
    form.converter = time.gmtime
    handler = logging.StreamHandler(stream)
    handler.setFormatter(form)
    logging.basicConfig(level=logging.WARNING, handlers=[handler])


def _has_keys(data: Path | None) -> Refused:
    return not_possible(
        f"The store in {data} holds keys: in local mode everybody would do without them.",
        "Serve it without --local, or another store with --local --data DIR.",
    )


def http_server(door: "ASGIApp", close: Callable[[], None]) -> "uvicorn.Server":
    """The server in front of an HTTP door; ``close`` shuts the door to whoever comes after the stop began."""
    import uvicorn

    from sayso.http.head import BoundedHead

    class Server(uvicorn.Server):
        """Closes the door before it waits for those inside."""

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            close()
            await super().shutdown(sockets)

    config = uvicorn.Config(
        door,
        http=BoundedHead,
        ws="none",
        lifespan="off",
        log_config=None,
        log_level=logging.WARNING,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=DRAIN_SECONDS,
    )
    return Server(config)


def _fast_loop() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """uvloop's, where there is one."""
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.new_event_loop
