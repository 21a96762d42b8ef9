"""The server as ``sayso serve --local`` assembles it, with two things more: a clock that a test puts ahead while it
runs, and a count of the answers that are inside at once.

    POST /-/clock {"ahead_ms": 58000}     put the clock ahead by so much more
    GET  /-/inside/RUN_ID                 the most answers to the run that were inside at once
"""

import argparse
import asyncio
import sys
from collections import Counter
from pathlib import Path

import uvloop
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sayso import compose
from sayso.cli import listening
from sayso.http.server import http_server
from sayso.settings import Settings
from sayso.store import SystemClock


class AheadClock:
    """The machine's clock, put ahead."""

    def __init__(self, ahead_ms: int) -> None:
        self.ahead_ms = ahead_ms
        self._clock = SystemClock()

    def now(self) -> int:
        """The machine's time and what it was put ahead by."""
        return self._clock.now() + self.ahead_ms * 1000


class Watched:
    """The HTTP door as a test watches it."""

    def __init__(self, door: ASGIApp, clock: AheadClock) -> None:
        self._door = door
        self._clock = clock
        self._inside: Counter[str] = Counter()
        self._most: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path: str = scope["path"]
        if path.startswith("/-/"):
            await JSONResponse(await self._told(path, Request(scope, receive)))(scope, receive, send)
        elif path.endswith("/answer"):
            await self._counted(path.split("/")[-2], scope, receive, send)
        else:
            await self._door(scope, receive, send)

    async def _told(self, path: str, request: Request) -> dict[str, int]:
        if path == "/-/clock":
            self._clock.ahead_ms += (await request.json())["ahead_ms"]
            return {"ahead_ms": self._clock.ahead_ms}
        return {"inside": self._most[path.rsplit("/", 1)[1]]}

    async def _counted(self, run_id: str, scope: Scope, receive: Receive, send: Send) -> None:
        """An answer is inside from when all of it was read until its reply is given."""
        is_inside = False

        async def received() -> Message:
            nonlocal is_inside
            message = await receive()
            if message["type"] == "http.request" and not message.get("more_body") and not is_inside:
                is_inside = True
                self._inside[run_id] += 1
                self._most[run_id] = max(self._most[run_id], self._inside[run_id])
            return message

        try:
            await self._door(scope, received, send)
        finally:
            self._inside[run_id] -= is_inside


async def _serve(data: Path, port: int, ahead_ms: int, interval_ms: int) -> None:
    settings = Settings.from_environment(data=data, port=port, local=True, sweep_interval_ms=interval_ms)
    clock = AheadClock(ahead_ms)
    with listening.listening(settings.host, port, next_free=False) as sock:
        async with compose.running(settings, clock=clock) as app:
            door = compose.http_app(app, settings)
            server = http_server(Watched(door, clock), door.close)
            print(f"sayso serves {data} at {listening.url(settings.host, sock)}", file=sys.stderr, flush=True)
            await server.serve(sockets=[sock])


def _main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--data", type=Path, required=True)
    options.add_argument("--port", type=int, required=True)
    options.add_argument("--ahead-ms", type=int, default=0)
    options.add_argument("--interval-ms", type=int, default=1_000)
    given = options.parse_args()
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(_serve(given.data, given.port, given.ahead_ms, given.interval_ms))


if __name__ == "__main__":
    _main()
