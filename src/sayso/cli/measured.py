"""Metrics of a process: counted where METRICS_ADDRESS says where to, and served there until the process stops."""

import contextlib
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

from sayso.cli import listening
from sayso.cli.process import Process
from sayso.cli.refusals import Refused, not_possible

if TYPE_CHECKING:
    from sayso.app.runtime import App
    from sayso.metrics.figures import Figures
    from sayso.settings import Settings


def figures(settings: "Settings") -> "Figures | None":
    """What counts, where somebody reads it. What it needs is imported by nobody else."""
    if settings.metrics_address is None:
        return None
    from sayso.metrics.figures import Figures

    return Figures()


@contextlib.asynccontextmanager
async def served(settings: "Settings", app: "App", counted: "Figures | None", process: Process) -> AsyncIterator[None]:
    """While the context lasts, GET /metrics is answered at the address."""
    if settings.metrics_address is None or counted is None:
        yield
        return
    import asyncio

    from sayso.http.server import http_server
    from sayso.metrics.door import MetricsDoor

    host, _, port = settings.metrics_address.rpartition(":")
    try:
        sock = listening.listening(host.strip("[]"), int(port), next_free=False)
    except Refused:
        raise not_possible("METRICS_ADDRESS is no address that this machine can listen at, or is taken.") from None
    server = http_server(MetricsDoor(app, counted), lambda: None)
    process.say(f"sayso tells its metrics at {listening.url(host.strip('[]'), sock)}/metrics", "dim")
    serving = asyncio.create_task(server.serve(sockets=[sock]))
    try:
        yield
    finally:
        server.stop()
        await serving  # and with it the socket is closed
