"""One real HTTP server for a whole run of cases: the app behind it is the one of the case at hand."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx2
from starlette.types import ASGIApp, Receive, Scope, Send

from tests.listening import listening


class Served:
    """An ASGI application that hands each request on to whichever app is open."""

    def __init__(self) -> None:
        self.app: ASGIApp | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        assert self.app is not None, "no app is open: the case's process has stopped"
        await self.app(scope, receive, send)


@asynccontextmanager
async def serving(served: Served) -> AsyncIterator[httpx2.AsyncClient]:
    """Serve on a free loopback port; gives a client of it."""
    async with listening(served) as port:
        base = f"http://127.0.0.1:{port}"
        async with httpx2.AsyncClient(base_url=base, timeout=30, trust_env=False) as client:
            yield client
