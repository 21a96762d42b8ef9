"""The server in front of the HTTP door: uvicorn, set up as every process and every test has it."""

import asyncio
import contextlib
import logging
import socket
import ssl
from collections.abc import Callable, Iterator

import uvicorn
from starlette.types import ASGIApp

from sayso.http.head import BoundedHead

# How long requests under way may take to end once the server was told to stop.
DRAIN_SECONDS = 20


class Server(uvicorn.Server):
    """Closes the door before it waits for those inside. Signals are the process's."""

    def __init__(self, config: uvicorn.Config, close: Callable[[], None]) -> None:
        super().__init__(config)
        self._close = close
        self._loop = asyncio.get_running_loop()
        self._told = asyncio.Event()

    def stop(self) -> None:
        """Take no more, and end once those inside are served. From any thread, and from a signal's handler."""
        self.should_exit = True
        with contextlib.suppress(RuntimeError):  # its loop is closed: it has ended
            self._loop.call_soon_threadsafe(self._told.set)

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave them to the process."""
        yield

    async def main_loop(self) -> None:
        """Wake once a second, to tell the date: the ten times of uvicorn's own loop are half of what an idle process
        does."""
        while not await self.on_tick(0):
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._told.wait(), 1)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Shut the door first."""
        self._close()
        await super().shutdown(sockets)


def http_server(door: ASGIApp, close: Callable[[], None], tls: ssl.SSLContext | None = None) -> Server:
    """The server of an HTTP door, on the running loop; ``close`` shuts the door to whoever comes after a stop began.

    With ``tls`` it speaks that, by a context that may be changed while it serves.
    """
    config = uvicorn.Config(
        door,
        http=BoundedHead,
        ws="none",
        lifespan="off",
        log_config=None,
        log_level=logging.WARNING,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=DRAIN_SECONDS,
        ssl_context_factory=None if tls is None else lambda _config, _default: tls,
    )
    return Server(config, close)
