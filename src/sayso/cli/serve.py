"""``sayso serve``: one process that serves a store over HTTP, until it is told to stop."""

import contextlib
import dataclasses
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sayso.cli import listening, lock, places, store
from sayso.cli.commands import Config, Data, Database, refusals_shown
from sayso.cli.refusals import not_possible
from sayso.cli.screen import Screen
from sayso.cli.serving import Serving
from sayso.cli.usage import whole

if TYPE_CHECKING:
    from sayso.http.tls import Certificate
    from sayso.settings import Settings

# The names that the Host header of a request in local mode may have.
LOCAL_HOSTS = ("127.0.0.1", "localhost", "::1")

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
            code = Serving(settings, sock, screen, read, certificate, works=not no_worker).run()
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
