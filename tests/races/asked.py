"""Requests at a test's server: asked, looked at, and its clock put ahead."""

import http.client
import json
import threading
import time
from collections.abc import Callable
from contextlib import closing
from datetime import datetime
from typing import Any

from tests.faults.wire import Wire

PROGRAM = ("-m", "tests.races.server")
QUESTION = """---
to: the owner of sales
expires: {expires}
output: {{ schema: {{ type: integer }} }}
---
How many may go out?
"""
# Definitions by how long their requests wait.
LASTING, MINUTE = "lasting", "minute"
EXPIRES = {LASTING: "P2D", MINUTE: "PT1M"}


def save_questions(wire: Wire) -> None:
    """Save the two definitions."""
    for name, expires in EXPIRES.items():
        source = QUESTION.format(expires=expires)
        assert sent(wire, "/definitions/interaction", {"name": name, "source": source})[0] == 201


def ask(wire: Wire, name: str = LASTING) -> str:
    """A new request; its run id."""
    status, run = sent(wire, f"/definitions/interaction/{name}/run", {})
    assert status == 200, run
    return str(run["run_id"])


def ask_many(port: int, count: int, name: str, threads: int = 4) -> list[str]:
    """So many requests, by a few clients at once."""
    run_ids: list[str] = []

    def work() -> None:
        with closing(Wire(port)) as wire:
            run_ids.extend([ask(wire, name) for _ in range(count // threads)])

    clients = [threading.Thread(target=work) for _ in range(threads)]
    for client in clients:
        client.start()
    for client in clients:
        client.join()
    assert len(run_ids) == count // threads * threads
    return run_ids


def sent(wire: Wire, path: str, body: Any) -> tuple[int, Any]:
    """Status and document of a reply that must come."""
    reply = wire.send("POST", path, body)
    assert reply is not None
    return reply


def control(port: int, method: str, path: str, body: Any = None) -> Any:
    """What the test's server says of itself."""
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=30)) as connection:
        connection.request(method, f"/-/{path}", json.dumps(body))
        return json.loads(connection.getresponse().read())


def put_ahead(port: int, milliseconds: int) -> None:
    """Put the server's clock ahead."""
    control(port, "POST", "clock", {"ahead_ms": milliseconds})


def until(claim: Callable[[], bool], seconds: float = 30.0) -> float:
    """Wait until it is so; how long that took."""
    began, look = time.monotonic(), threading.Event()
    while not claim():
        assert time.monotonic() - began < seconds, "it did not come to be so in time"
        look.wait(0.005)
    return time.monotonic() - began


def ended(wire: Wire, run_id: str) -> dict[str, Any]:
    """The run, once it has ended."""
    shown: dict[str, Any] = {}

    def has_ended() -> bool:
        shown.update(wire.get(f"/runs/{run_id}"))
        return bool(shown["status"] != "started")

    until(has_ended)
    return shown


def seconds_waited(run: dict[str, Any]) -> float:
    """How long a run waited before it ended."""
    started, finished = (datetime.fromisoformat(run[name]) for name in ("started_at", "finished_at"))
    return (finished - started).total_seconds()
