"""A real server on a free loopback port, on the test's own loop: the server that ``sayso serve`` runs."""

import asyncio
import contextlib
import socket
import ssl
from collections.abc import AsyncIterator

from starlette.types import ASGIApp

from sayso.http.server import http_server


@contextlib.asynccontextmanager
async def listening(door: ASGIApp, tls: ssl.SSLContext | None = None) -> AsyncIterator[int]:
    """Serve the door; gives the port."""
    # Only of a socket that says it speaks TCP does the event loop turn off Nagle's wait, 40 ms a response.
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP) as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        server = http_server(door, lambda: None, tls)
        serving = asyncio.create_task(server._serve([listener]))  # serve() would take the process's signals
        try:
            yield listener.getsockname()[1]
        finally:
            server.stop()
            await serving
