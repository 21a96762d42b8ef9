"""A serving process: from an open socket to a drained and closed store, with what it says of itself meanwhile."""

import contextlib
import logging
import socket
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from sayso.cli import discovery, listening, measured
from sayso.cli.process import Process
from sayso.cli.refusals import Refused, not_possible
from sayso.cli.reloading import Reloading, refuse_keys_of_store
from sayso.cli.screen import Screen

if TYPE_CHECKING:
    from sayso.app.runtime import App
    from sayso.http.tls import Certificate
    from sayso.settings import Settings

log = logging.getLogger("sayso.process")

LOCAL_MISSING = (
    "LOCAL MODE, for this machine only: no keys (every program here may do everything), no TLS.",
    "This release has no inbox page: requests are answered by `sayso answer` or over HTTP.",
)
WARNING = "bold yellow"


class Serving:
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
