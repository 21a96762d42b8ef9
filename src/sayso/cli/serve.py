"""``sayso serve``: one process that serves a store over HTTP, until it is told to stop."""

import contextlib
import dataclasses
import logging
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sayso.cli import discovery, listening, lock, measured, places, store
from sayso.cli.commands import Config, Data, Database, refusals_shown
from sayso.cli.process import Process
from sayso.cli.refusals import Refused, not_possible
from sayso.cli.reloading import Reloading, refuse_keys_of_store
from sayso.cli.screen import Screen
from sayso.cli.usage import whole

if TYPE_CHECKING:
    from sayso.app.runtime import App
    from sayso.http.tls import Certificate
    from sayso.settings import Settings

log = logging.getLogger("sayso.process")

# The names that the Host header of a request in local mode may have.
LOCAL_HOSTS = ("127.0.0.1", "localhost", "::1")

LOCAL_MISSING = (
    "LOCAL MODE, for this machine only: no keys (every program here may do everything), no TLS.",
    "This release has no inbox page: requests are answered by `sayso answer` or over HTTP.",
)

WARNING = "bold yellow"

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
    config: Config = None,
    no_worker: _NoWorker = False,
) -> None:
    """Serve a store over HTTP, until SIGTERM or Ctrl-C.

    With --local it needs nothing else: its store lies in your data folder, and a taken port gives way to the next free
    one. Without, it needs --data DIR (or SAYSO_DATA) or --database URL (or SAYSO_DATABASE), and callers need keys: see
    `sayso keys create`. A configuration file is read anew at SIGHUP.
    """
    screen = Screen()
    with refusals_shown(screen):

        def read() -> "Settings":
            return _settled(local, host, port, data, database, config)

        settings = read()
        certificate = _certificate(settings)
        if no_worker and settings.database is None:
            raise not_possible(
                "A store in a folder is served by one process, so that one has to look after what is due, too.",
                "--no-worker is for PostgreSQL: --database URL (or SAYSO_DATABASE).",
            )
        # The port first: where none is free, no folder is made.
        with listening.listening(settings.host, settings.port, next_free=settings.local) as sock, _alone(settings):
            code = _Serving(settings, sock, screen, read, certificate, works=not no_worker).run()
    raise typer.Exit(code)


def _settled(  # noqa: PLR0917  each is an option
    local: bool, host: str | None, port: int | None, data: Path | None, database: str | None, config: Path | None
) -> "Settings":
    """The settings, with a store; refused where they could lose or open up what is kept there."""
    from sayso.settings import BadSetting, Settings

    try:
        settings = Settings.from_environment(
            local=local or None, host=host, port=port, data=data, database=database, config_file=config
        )
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


def _certificate(settings: "Settings") -> "Certificate | None":
    """The certificate of a server that speaks TLS, read before anything else starts."""
    if settings.tls_certificate is None or settings.tls_key is None:
        return None
    from sayso.http.tls import BadCertificate, Certificate

    try:
        return Certificate(settings.tls_certificate, settings.tls_key)
    except BadCertificate as fault:
        raise not_possible(str(fault)) from None


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

    def __init__(
        self,
        settings: "Settings",
        sock: socket.socket,
        screen: Screen,
        read: "Callable[[], Settings]",
        certificate: "Certificate | None",
        *,
        works: bool,
    ) -> None:
        self._settings = settings
        self._socket = sock
        self._read = read
        self._certificate = certificate
        self._works = works
        tls, prefix = certificate is not None, settings.path_prefix or ""
        self._url = listening.url(settings.host, sock, tls=tls, prefix=prefix)
        self._process = Process(settings, screen)

    def run(self) -> int:
        """Serve until told to stop; the exit code."""
        return self._process.run(self._serve)

    async def _serve(self) -> None:
        from sayso import compose
        from sayso.http.server import http_server
        from sayso.live import Live

        live, figures = Live(self._settings), measured.figures(self._settings)
        running = compose.running(
            self._settings, work=self._works, on_broken=self._process.broke, live=live, figures=figures
        )
        async with running as app:
            await self._warn(app)
            door = compose.http_app(app, self._settings, figures.observe if figures else lambda _account: None)
            tls = self._certificate.context if self._certificate else None
            server = http_server(door, door.close, tls)

            def stop() -> None:
                door.close()
                server.stop()

            self._process.when_told(stop)
            if self._settings.config_file is not None or self._certificate is not None:
                reloading = Reloading(self._read, live, app, door.reload, self._certificate)
                self._process.when_hung_up(reloading.begin)
            async with measured.served(self._settings, app, figures, self._process):
                with self._announced():
                    self._say(f"sayso serves {self._settings.store} at {self._url} (Ctrl-C stops it)", "bold")
                    await server.serve(sockets=[self._socket])

    def _say(self, words: str, style: str) -> None:
        self._process.say(words, style, logging.WARNING if style == WARNING else logging.INFO)

    @contextlib.contextmanager
    def _announced(self) -> Iterator[None]:
        """In local mode, let other commands find this server; a server with keys is named to them instead."""
        if not self._settings.local:
            yield
            return
        with discovery.announced(self._url) as is_found:
            if not is_found:
                self._say("No folder could be written to announce this server: other commands need --url.", "")
            yield

    async def _warn(self, app: "App") -> None:
        """Say what is missing; in local mode a store that holds keys is refused, since nobody would need them."""
        from sayso.settings import BadSetting

        tell_sources(self._settings)
        has_keys = await app.keys.any()
        if self._settings.local:
            if has_keys:
                raise _has_keys(self._settings.store)
            for line in LOCAL_MISSING:
                self._say(line, WARNING)
            return
        try:
            await refuse_keys_of_store(app, self._settings)
        except BadSetting as fault:
            raise not_possible(str(fault)) from None
        for line in _missing(self._settings, has_keys=has_keys):
            self._say(line, WARNING)


def tell_sources(settings: "Settings") -> None:
    """Let the log say which settings came from the file: their names, never their values."""
    if settings.config_file is None:
        return
    start = f"{settings.config_file}:"
    named = [name for name, source in sorted(settings.sources.items()) if source.startswith(start)]
    log.info("the file %s sets %s", settings.config_file, ", ".join(named) or "nothing that counts")


def _missing(settings: "Settings", *, has_keys: bool) -> Iterator[str]:
    """What a server with keys lacks, for whoever starts it."""
    from sayso.settings import is_loopback

    if not has_keys:
        where = "--database URL" if settings.database else f"--data {settings.data}"
        yield f"This store holds no key: everybody is refused. Make one: sayso keys create --org ORG {where}"
    if settings.tls_certificate is None and not settings.trusted_proxies and not is_loopback(settings.host):
        yield (
            f"HOST {settings.host} is reached by other machines, and without TLS: keys can be read on their way. "
            "Set TLS_CERTIFICATE and TLS_KEY, or let a proxy speak TLS and name it in TRUSTED_PROXIES."
        )


def _has_keys(where: str) -> Refused:
    return not_possible(
        f"The store in {where} holds keys: in local mode everybody would do without them.",
        "Serve it without --local, or another store with --local --data DIR.",
    )
