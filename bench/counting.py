"""The server as ``sayso serve`` assembles it, which tells beside how many transactions its writer has committed.

GET /-/commits
"""

import argparse
import asyncio
import sys
from pathlib import Path

import uvloop
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from bench.ground import OPEN_REQUESTS
from sayso import compose
from sayso.cli import listening
from sayso.http.server import http_server
from sayso.settings import Settings

COUNTING = ("-m", "bench.counting")
PATH = "/-/commits"


class Counting:
    """The HTTP door, and the count beside it."""

    def __init__(self) -> None:
        self.commits = 0
        self.door: ASGIApp | None = None

    def count(self, point: str) -> None:
        """Told of every statement of the writer's, before and after it."""
        self.commits += point == "after commit"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        assert self.door is not None, "served once the app runs"
        shown = JSONResponse({"commits": self.commits}) if scope["path"] == PATH else self.door
        await shown(scope, receive, send)


async def _serve(settings: Settings) -> None:
    counting = Counting()
    with listening.listening(settings.host, settings.port, next_free=False) as sock:
        async with compose.running(settings, faults=counting.count) as app:
            counting.door = door = compose.http_app(app, settings)
            server = http_server(counting, door.close)
            print(f"sayso serves at {listening.url(settings.host, sock)}", file=sys.stderr, flush=True)
            await server.serve(sockets=[sock])


def _main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--data", type=Path)
    options.add_argument("--database")
    options.add_argument("--port", type=int, required=True)
    given = options.parse_args()
    settings = Settings(data=given.data, database=given.database, port=given.port, open_requests=OPEN_REQUESTS)
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(_serve(settings))


if __name__ == "__main__":
    _main()
