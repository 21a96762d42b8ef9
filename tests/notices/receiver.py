"""A real receiver of webhooks on loopback: checks signatures with the reference library, and does as it is told."""

import json
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

from standardwebhooks.webhooks import Webhook

from tests.postgres.daemon import until

# What it does to the next calls, one after the other: a status, or to say nothing until the end.
HANG = 0


@dataclass
class Receiver:
    """``script`` is for the next calls; what comes after them is taken with 204."""

    secret: str | None = None
    script: list[int] = field(default_factory=list)
    location: str = ""
    events: list[dict[str, Any]] = field(default_factory=list)
    calls: int = 0

    def __post_init__(self) -> None:
        self._over = threading.Event()
        handler = type("Handler", (_Handler,), {"receiver": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, name="receiver")

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/hook?key=hidden"

    @property
    def ids(self) -> list[str]:
        """The ids of the notices that it took, as they came."""
        return [event["id"] for event in self.events]

    def until(self, taken: int) -> None:
        """Wait until it took so many."""
        until(lambda: len(self.events) >= taken, lambda: f"{len(self.events)} of {taken}; {self.calls} calls")

    def until_called(self, calls: int) -> None:
        """Wait until it was called so often, whatever it did."""
        until(lambda: self.calls >= calls, lambda: f"{self.calls} of {calls} calls")

    def take(self, body: bytes, headers: dict[str, str]) -> int:
        """The status for a call."""
        self.calls += 1
        status = self.script.pop(0) if self.script else 204
        if status == HANG:
            self._over.wait(30)
        elif 200 <= status < 300:
            event = Webhook(self.secret).verify(body, headers) if self.secret else json.loads(body)
            self.events.append(event)
        return status


class _Handler(BaseHTTPRequestHandler):
    receiver: Receiver

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        status = self.receiver.take(body, dict(self.headers.items()))
        if status == HANG:
            return
        self.send_response(status)
        if 300 <= status < 400:
            self.send_header("location", self.receiver.location)
        self.send_header("content-length", "0")
        self.end_headers()

    def do_GET(self) -> None:
        self.do_POST()

    def log_message(self, format: str, *arguments: Any) -> None:  # noqa: A002  the library's name
        """Nothing: a test looks at what came."""
