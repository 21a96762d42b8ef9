"""A real server on a free loopback port, on the test's own loop."""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator

import uvicorn


@contextlib.asynccontextmanager
async def listening(config: uvicorn.Config) -> AsyncIterator[int]:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP) as listener:
        listener.bind(("127.0.0.1", 0))
        server = uvicorn.Server(config)
        serving = asyncio.create_task(server._serve([listener]))  # without taking the process's signals
        try:
            yield listener.getsockname()[1]
        finally:
            server.should_exit = True
            await serving
