"""One real HTTP server for a whole run of cases: the app behind it is the one of the case at hand."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext

import httpx2
import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send


class Served:
    """An ASGI application that hands each request on to whichever app is open."""

    def __init__(self) -> None:
        self.app: ASGIApp | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        assert self.app is not None, "no app is open: the case's process has stopped"
        await self.app(scope, receive, send)


class _Server(uvicorn.Server):
    """Tells when it listens, and leaves the process's signals alone."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.listens = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.listens.set()

    def capture_signals(self) -> AbstractAsyncContextManager[None]:  # type: ignore[override]
        return nullcontext()


@asynccontextmanager
async def serving(served: Served) -> AsyncIterator[httpx2.AsyncClient]:
    """Serve on a free loopback port; gives a client of it."""
    with _listener() as listener:
        config = uvicorn.Config(served, log_level="error", lifespan="off", access_log=False)
        server = _Server(config)
        task = asyncio.create_task(server.serve([listener]))
        await asyncio.wait_for(server.listens.wait(), 10)
        base = f"http://127.0.0.1:{listener.getsockname()[1]}"
        async with httpx2.AsyncClient(base_url=base, timeout=30, trust_env=False) as client:
            yield client
        server.should_exit = True
        await task


def _listener() -> socket.socket:
    # Only of a socket that says it speaks TCP does the event loop turn off Nagle's wait, 40 ms a response.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.bind(("127.0.0.1", 0))
    return listener
