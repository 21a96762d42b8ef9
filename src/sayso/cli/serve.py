"""``sayso serve``: one process that serves a store over HTTP, until it is told to stop."""

import contextlib
import dataclasses
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sayso.cli import discovery, listening, lock, places, store
from sayso.cli.commands import Data, Database, refusals_shown
from sayso.cli.process import Process
from sayso.cli.refusals import Refused, not_possible
from sayso.cli.screen import Screen
from sayso.cli.usage import whole

if TYPE_CHECKING:
    from sayso.app.runtime import App
    from sayso.settings import Settings

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
_NoWorker = Annotated[
    bool, typer.Option("--no-worker", help="HTTP alone: other processes look after what is due (PostgreSQL).")
]


def serve(  # noqa: PLR0917  each is an option
    local: _Local = False,
    host: _Host = None,
    port: _Port = None,
    data: Data = None,
    database: Database = None,
    no_worker: _NoWorker = False,
) -> None:
    """Serve a store over HTTP, until SIGTERM or Ctrl-C.

    With --local it needs nothing else: its store lies in your data folder, and a taken port gives way to the next free
    one. Without, it needs --data DIR (or SAYSO_DATA) or --database URL (or SAYSO_DATABASE), and callers need keys: see
    `sayso keys create`.
    """
    screen = Screen()
    with refusals_shown(screen):
        settings = _settled(local, host, port, data, database)
        if no_worker and settings.database is None:
            raise not_possible(
                "A store in a folder is served by one process, so that one has to look after what is due, too.",
                "--no-worker is for PostgreSQL: --database URL (or SAYSO_DATABASE).",
            )
        # The port first: where none is free, no folder is made.
        with listening.listening(settings.host, settings.port, next_free=settings.local) as sock, _alone(settings):
            code = _Serving(settings, sock, screen, works=not no_worker).run()
    raise typer.Exit(code)


def _settled(local: bool, host: str | None, port: int | None, data: Path | None, database: str | None) -> "Settings":
    """The settings, with a store; refused where they could lose or open up what is kept there."""
    from sayso.settings import BadSetting, Settings

    try:
        settings = Settings.from_environment(local=local or None, host=host, port=port, data=data, database=database)
    except BadSetting as fault:
        advice = "To try sayso on this machine: sayso serve --local" if fault.setting == "SAYSO_DATA" else None
        raise not_possible(str(fault), advice) from None
    if settings.local:
        if settings.host not in LOCAL_HOSTS:
            raise not_possible(f"Local mode listens at a loopback address: {', '.join(LOCAL_HOSTS)}.")
        if settings.data is None and settings.database is None:
            return dataclasses.replace(settings, data=places.local_data())
    elif settings.data is not None and places.is_temporary(settings.data):
        raise not_possible(
            f"{settings.data} lies among temporary files, which the system may remove: no place for a store.",
            "Name another with --data DIR (or SAYSO_DATA); --local may use it.",
        )
    return settings


@contextlib.contextmanager
def _alone(settings: "Settings") -> Iterator[None]:
    """Where the store is a folder, made if it is missing, no other process serves it meanwhile."""
    if settings.data is None:
        yield
        return
    store.make(settings)
    store.check(settings)
    with lock.held(settings.data):
        yield


class _Serving:
    """One serving process, from an open socket to a drained and closed store."""

    def __init__(self, settings: "Settings", sock: socket.socket, screen: Screen, *, works: bool) -> None:
        self._settings = settings
        self._socket = sock
        self._screen = screen
        self._works = works
        self._url = listening.url(settings.host, sock)
        self._process = Process(settings, screen)

    def run(self) -> int:
        """Serve until told to stop; the exit code."""
        return self._process.run(self._serve)

    async def _serve(self) -> None:
        from sayso import compose
        from sayso.http.server import http_server

        async with compose.running(self._settings, work=self._works, on_broken=self._process.broke) as app:
            await self._warn(app)
            door = compose.http_app(app, self._settings)
            server = http_server(door, door.close)

            def stop() -> None:
                door.close()
                server.stop()

            self._process.when_told(stop)
            with self._announced():
                self._screen.note(f"sayso serves {self._settings.store} at {self._url} (Ctrl-C stops it)", "bold")
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
                where = "--database URL" if self._settings.database else f"--data {self._settings.data}"
                self._screen.note(
                    f"This store holds no key: everybody is refused. Make one: sayso keys create --org ORG {where}",
                    "bold yellow",
                )
            return
        if has_keys:
            raise _has_keys(self._settings.store)
        for line in LOCAL_MISSING:
            self._screen.note(line, "bold yellow")


def _has_keys(where: str) -> Refused:
    return not_possible(
        f"The store in {where} holds keys: in local mode everybody would do without them.",
        "Serve it without --local, or another store with --local --data DIR.",
    )
