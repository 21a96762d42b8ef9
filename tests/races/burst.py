"""A burst: requests on many connections at once, measured by one thread that does nothing else."""

import http.client
import io
import json
import selectors
import socket
import time
from dataclasses import dataclass, field
from typing import Any

from tests.faults.wire import BASE


@dataclass(kw_only=True)
class Call:
    """One request on a connection that is open already; ``seconds`` from its sending to the end of its reply."""

    port: int
    method: str
    path: str
    body: Any = None
    status: int = 0
    seconds: float = 0.0
    connection: socket.socket = field(init=False)
    _sent_at: float = 0.0
    _heard: bytearray = field(default_factory=bytearray)

    def __post_init__(self) -> None:
        self.connection = socket.create_connection(("127.0.0.1", self.port))
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        content = b"" if self.body is None else json.dumps(self.body).encode()
        head = (
            f"{self.method} {BASE}{self.path} HTTP/1.1\r\nhost: 127.0.0.1:{self.port}\r\ncontent-length: {len(content)}"
        )
        self._bytes = f"{head}\r\ncontent-type: application/json\r\n\r\n".encode() + content

    def send(self) -> None:
        """Send it; once more if it was answered before."""
        self.status = 0
        self._heard.clear()
        self._sent_at = time.perf_counter()
        self.connection.sendall(self._bytes)

    def hear(self) -> None:
        """Take what has come; if that is the whole reply, note its status and the time."""
        self._heard += self.connection.recv(1 << 20)
        head, is_whole, body = bytes(self._heard).partition(b"\r\n\r\n")
        if not is_whole:
            return
        headers = http.client.parse_headers(io.BytesIO(head.split(b"\r\n", 1)[1] + b"\r\n\r\n"))
        if len(body) == int(headers["content-length"]):
            self.seconds = time.perf_counter() - self._sent_at
            self.status = int(head.split(b" ", 2)[1])


@dataclass(frozen=True, kw_only=True)
class Measured:
    """The calls of a burst, and how long each list took that was asked for meanwhile, one after the other."""

    statuses: list[int]
    slowest: float
    lists: list[float]


def measure(calls: list[Call], listing: Call) -> Measured:
    """Send all calls at once, and the list again and again until all are answered."""
    lists: list[float] = []
    with selectors.DefaultSelector() as selector:
        for call in (*calls, listing):
            selector.register(call.connection, selectors.EVENT_READ, call)
        for call in calls:
            call.send()
        listing.send()
        while not all(call.status for call in calls) or not listing.status:
            _hear(selector)
            if listing.status:
                assert listing.status == 200
                lists.append(listing.seconds)
                if not all(call.status for call in calls):
                    listing.send()
    for call in (*calls, listing):
        call.connection.close()
    return Measured(statuses=[call.status for call in calls], slowest=max(call.seconds for call in calls), lists=lists)


def _hear(selector: selectors.BaseSelector) -> None:
    ready = selector.select(timeout=30)
    assert ready, "no reply came"
    for key, _ in ready:
        key.data.hear()
