"""Kill -9 at random times under load: what was answered 2xx is there, once; the rest is whole or not at all."""

import random
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests import stores
from tests.faults.audit import audit
from tests.faults.gate import Gate
from tests.faults.load import Load, save_questions
from tests.faults.served import Served, ServedDatabase

SHORT, LONG = 20, 200
AUDIT_EACH = 20


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    if stores.IS_SPREAD:
        pytest.skip("no settings name a store that is spread: only tests can open one")
    server = Served(folder=tmp_path)
    if "postgres" in stores.NAME:
        server = ServedDatabase(folder=tmp_path, database=stores.urls(server.store)[0])
    yield server
    server.end()


@pytest.mark.slow
def test_kills_at_random_times_under_load(served: Served, is_long: bool, shown: Callable[[str], None]) -> None:
    kills, seed, began = LONG if is_long else SHORT, random.randrange(1_000_000), time.monotonic()
    served.start()
    served.until_ready()
    save_questions(served.port)
    gate = Gate(served.port)
    with Load(gate, seed) as load:
        while_starting = kill_often(served, gate, kills, random.Random(seed))
    found, audited = load.checked(served.port), audit(served.store)
    assert "incident" not in served.stop()
    shown(
        f"Random kills (seed {seed}): {kills}, of them {while_starting} while the server started, under "
        f"{len(load.clients)} clients; {time.monotonic() - began:.0f} s\n"
        f"  {found}\n"
        f"  the file: {audited.streams} streams, {audited.events} events, {audited.open} open"
    )


def kill_often(served: Served, gate: Gate, kills: int, chance: random.Random) -> int:
    """Kill the ready server and start it again, so often; how many more kills met it before it was ready."""
    early = 0
    for number in range(kills):
        gate.open(served.port)
        threading.Event().wait(chance.uniform(0.05, 0.4))  # the random instant, under load
        assert "incident" not in served.kill()
        gate.shut(served.port)
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
