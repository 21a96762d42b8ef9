"""A relay that sees each message of PostgreSQL's protocol pass, and can cut the connection there."""

import asyncio
import itertools
import threading
from asyncio import StreamReader, StreamWriter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Self
from urllib.parse import urlsplit

# What may be asked before a session begins, and is answered by one byte: encryption by TLS, or by GSSAPI.
_ENCRYPTION = (80_877_103, 80_877_104)


@dataclass(frozen=True, kw_only=True)
class Message:
    """One message on its way: ``kind`` is its letter, or empty where the protocol has none.

    Counted from 0: ``n`` over all of the relay, ``connection`` in the order of their beginning; ``offset`` is how many
    bytes passed that way of the connection before it.
    """

    n: int
    connection: int
    is_to_server: bool
    kind: str
    offset: int
    text: bytes


# How many bytes of a message still pass before both sides lose the connection; None lets all of it pass.
Cut = Callable[[Message], int | None]


def never(_message: Message) -> None:
    """Cuts nothing."""


def before(n: int) -> Cut:
    """Cuts in front of the relay's n-th message: who sent it cannot know that it was lost."""
    return lambda message: 0 if message.n == n else None


def at_byte(position: int, *, is_to_server: bool) -> Cut:
    """Cuts each connection once so many bytes passed that way."""

    def cut(message: Message) -> int | None:
        left = position - message.offset
        return left if message.is_to_server is is_to_server and left <= len(message.text) else None

    return cut


class Relay:
    """A relay to the server of an address, on a thread of its own: it works whatever the test's loop does.

    ``cut`` is asked about each message, and may be set at any time; ``count`` is how many messages it was asked about.
    Where it ``is_silent``, neither side hears of a cut: what they send is swallowed, as on a network that broke.
    """

    def __init__(self, url: str) -> None:
        self._to = urlsplit(url)
        self.cut: Cut = never
        self.is_silent = False
        self.silenced: set[int] = set()
        self.count = 0
        self._port = 0
        self._connections = itertools.count()
        self._open: set[StreamWriter] = set()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), name="relay")

    def __enter__(self) -> Self:
        self._thread.start()
        assert self._ready.wait(10), "the relay does not listen"
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._over.set)
        self._thread.join()

    @property
    def url(self) -> str:
        """The address of the same database, through the relay."""
        return self._to._replace(netloc=f"{self._to.netloc.rpartition(':')[0]}:{self._port}").geturl()

    def cut_all(self) -> None:
        """Cut every connection that is open now."""
        self._loop.call_soon_threadsafe(self._abort)

    def weigh(self, connection: int, is_to_server: bool, kind: str, offset: int, text: bytes) -> int | None:
        """Count a message; how much of it passes, if the connection ends there."""
        n, self.count = self.count, self.count + 1
        return self.cut(
            Message(n=n, connection=connection, is_to_server=is_to_server, kind=kind, offset=offset, text=text)
        )

    async def _serve(self) -> None:
        self._loop, self._over = asyncio.get_running_loop(), asyncio.Event()
        server = await asyncio.start_server(self._connected, "127.0.0.1")
        async with server:
            self._port = server.sockets[0].getsockname()[1]
            self._ready.set()
            await self._over.wait()
            self._abort()

    async def _connected(self, from_client: StreamReader, to_client: StreamWriter) -> None:
        both = {to_client}
        self._open |= both
        try:
            from_server, to_server = await asyncio.open_connection(self._to.hostname, self._to.port)
            both.add(to_server)
            number = next(self._connections)
            await _relay(
                _Way(self, number, True, from_client, to_server), _Way(self, number, False, from_server, to_client)
            )
        except* (OSError, EOFError):
            pass  # one side is away, or it was cut here: so is the other
        finally:
            _abort(*both)
            self._open -= both

    def _abort(self) -> None:
        _abort(*self._open)


class _Way:
    """One way of a connection."""

    def __init__(
        self, relay: Relay, connection: int, is_to_server: bool, reader: StreamReader, to: StreamWriter
    ) -> None:
        self._relay = relay
        self._names = (connection, is_to_server)
        self._reader = reader
        self._to = to
        self._offset = 0

    async def untyped(self) -> bytes:
        """Pass on a message without a letter, which begins with its length."""
        length = await self._reader.readexactly(4)
        return await self._pass("", length + await self._reader.readexactly(int.from_bytes(length) - 4))

    async def byte(self) -> bytes:
        """Pass on one byte that is a message by itself."""
        return await self._pass("", await self._reader.readexactly(1))

    async def rest(self) -> None:
        """Pass on messages with letters until the connection ends."""
        while True:
            head = await self._reader.readexactly(5)
            body = await self._reader.readexactly(int.from_bytes(head[1:]) - 4)
            await self._pass(chr(head[0]), head + body)

    async def _pass(self, kind: str, text: bytes) -> bytes:
        if self._is_silenced:
            return text
        size = self._relay.weigh(*self._names, kind, self._offset, text)
        self._offset += len(text)
        self._to.write(text[:size])
        await self._to.drain()
        if size is not None:
            self._cut()
        return text

    @property
    def _is_silenced(self) -> bool:
        return self._names[0] in self._relay.silenced

    def _cut(self) -> None:
        if not self._relay.is_silent:
            raise EOFError
        self._relay.silenced.add(self._names[0])


async def _relay(to_server: _Way, to_client: _Way) -> None:
    """Pass on all of one connection; raises when a side ends it, or it is cut."""
    while int.from_bytes((await to_server.untyped())[4:8]) in _ENCRYPTION:
        await to_client.byte()
    async with asyncio.TaskGroup() as group:
        group.create_task(to_server.rest())
        group.create_task(to_client.rest())


def _abort(*connections: StreamWriter) -> None:
    for connection in connections:
        connection.transport.abort()
