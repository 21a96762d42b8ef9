"""``sayso worker``: a process without HTTP that looks after what is due in a PostgreSQL store."""

import asyncio
import contextlib
from collections.abc import Callable
from typing import TYPE_CHECKING

import typer

from sayso.cli import measured, store
from sayso.cli.commands import Config, Data, Database, refusals_shown
from sayso.cli.process import Process
from sayso.cli.refusals import not_possible
from sayso.cli.reloading import Reloading
from sayso.cli.screen import Screen
from sayso.cli.serving import tell_sources

if TYPE_CHECKING:
    from sayso.settings import Settings


def worker(data: Data = None, database: Database = None, config: Config = None) -> None:
    """Look after what is due in a PostgreSQL store, without HTTP.

    It works until SIGTERM or Ctrl-C. Any number may run beside any number of servers; there is no leader. A server does
    the same work unless it was started with --no-worker.
    """
    screen = Screen()
    with refusals_shown(screen):

        def read() -> "Settings":
            return store.settings(data, database, config_file=config)

        settings = read()
        if settings.database is None:
            raise not_possible(
                "A store in a folder is served by one process, and that one looks after what is due: sayso serve.",
                "A worker of its own is for PostgreSQL: --database URL (or SAYSO_DATABASE).",
            )
        process = Process(settings, screen)
        code = process.run(lambda: _work(settings, process, read))
    raise typer.Exit(code)


async def _work(settings: "Settings", process: Process, read: "Callable[[], Settings]") -> None:
    from sayso import compose
    from sayso.live import Live

    told, loop = asyncio.Event(), asyncio.get_running_loop()

    def stop() -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed: it has stopped
            loop.call_soon_threadsafe(told.set)

    live, figures = Live(settings), measured.figures(settings)
    async with compose.running(settings, on_broken=process.broke, live=live, figures=figures) as app:
        process.when_told(stop)
        tell_sources(settings)
        if settings.config_file is not None:
            process.when_hung_up(Reloading(read, live, app).begin)
        shards = f"{app.store.shards} shards" if app.store.shards > 1 else "one shard"
        async with measured.served(settings, app, figures, process):
            process.say(f"sayso works on {settings.store}, {shards} (Ctrl-C stops it)", "bold")
            await told.wait()
