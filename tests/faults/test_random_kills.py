"""Kill -9 at random times under load: what was answered 2xx is there, once; the rest is whole or not at all."""

import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.faults.audit import audit
from tests.faults.load import Client, check, save_questions
from tests.faults.served import Served
from tests.faults.wire import Wire

CLIENTS = 8
SHORT, LONG = 20, 200
AUDIT_EACH = 20


class Gate:
    """Holds clients back while the server is down, and lets them go at the end."""

    def __init__(self) -> None:
        self._moved = threading.Condition()
        self._is_up = self._is_over = False
        self._starts = 0

    def open(self) -> None:
        """The server is up."""
        with self._moved:
            self._is_up, self._starts = True, self._starts + 1
            self._moved.notify_all()

    def shut(self) -> None:
        """The server is down."""
        with self._moved:
            self._is_up = False

    def end(self) -> None:
        """No client goes on."""
        with self._moved:
            self._is_over = True
            self._moved.notify_all()

    def past(self, start: int) -> int:
        """How often the server has been started, once it is up and that is more often; 0 if the client shall end."""
        with self._moved:
            self._moved.wait_for(lambda: self._is_over or (self._is_up and self._starts > start))
            return 0 if self._is_over else self._starts


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    server = Served(folder=tmp_path)
    yield server
    server.end()


@pytest.mark.slow
def test_kills_at_random_times_under_load(served: Served, is_long: bool, shown: Callable[[str], None]) -> None:
    kills, seed, began = LONG if is_long else SHORT, random.randrange(1_000_000), time.monotonic()
    served.start()
    served.until_ready()
    with closing(Wire(served.port)) as wire:
        save_questions(wire)
    gate = Gate()
    clients = [Client(number, served.port, seed, gate.past) for number in range(CLIENTS)]
    for client in clients:
        client.start()
    try:
        while_starting = kill_often(served, gate, kills, random.Random(seed))
    finally:
        gate.end()
        for client in clients:
            client.join()
    assert [client.fault for client in clients] == [None] * CLIENTS
    runs = [run for client in clients for run in client.runs]
    with closing(Wire(served.port)) as wire:
        found = Counter(check(wire, runs))
    audited = audit(served.store)
    assert "incident" not in served.stop()
    sums = {name: sum(getattr(client.tally, name) for client in clients) for name in ("told", "refused", "unknown")}
    shown(
        f"Random kills (seed {seed}): {kills}, of them {while_starting} while the server started, under {CLIENTS} "
        f"clients; {time.monotonic() - began:.0f} s\n"
        f"  requests: {sums['told']} answered 2xx and each there once, {sums['refused']} refused, {sums['unknown']} "
        f"never answered, of which {found['whole']} stand whole and the others not at all\n"
        f"  the file: {audited.streams} streams, {audited.events} events, {audited.open} open"
    )


def kill_often(served: Served, gate: Gate, kills: int, chance: random.Random) -> int:
    """Kill the ready server and start it again, so often; how many more kills met it before it was ready."""
    early = 0
    for number in range(kills):
        gate.open()
        threading.Event().wait(chance.uniform(0.05, 0.4))  # the random instant, under load
        assert "incident" not in served.kill()
        gate.shut()
        served.start()
        if chance.random() < 0.2:
            threading.Event().wait(chance.uniform(0.2, 0.6))
            served.kill()
            served.start()
            early += 1
        served.until_ready()
        if number % AUDIT_EACH == 0:
            audit(served.store)
    return early
