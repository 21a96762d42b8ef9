"""A server that is told to stop under load ends in time, with 0, and loses nothing that it acknowledged."""

import random
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from sayso.http.server import DRAIN_SECONDS
from tests.faults.audit import audit
from tests.faults.gate import Gate
from tests.faults.load import Load, save_questions
from tests.faults.served import Served, ServedDatabase
from tests.postgres.servers import PostgresServer

STOPS = 3


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    server = Served(folder=tmp_path)
    yield server
    server.end()


def stopped_under_load(served: Served) -> None:
    """Stop the server and start it again while clients go on; what they were told stands."""
    served.start()
    served.until_ready()
    save_questions(served.port)
    gate = Gate(served.port)
    with Load(gate, random.randrange(1_000)) as load:
        for _ in range(STOPS):
            gate.open(served.port)
            threading.Event().wait(0.5)  # under load
            _stop(served)
            gate.shut(served.port)
            served.start()
            served.until_ready()
    assert min(client.tally.told for client in load.clients) > 0
    load.checked(served.port)


def _stop(served: Served) -> None:
    began = time.monotonic()
    said = served.stop()
    assert time.monotonic() - began < DRAIN_SECONDS
    assert said.endswith("Stopped.\n")
    assert not [word for word in ('"level":"error"', "Traceback", "incident urn:") if word in said]


@pytest.mark.slow
def test_a_stop_under_load_loses_nothing(served: Served) -> None:
    stopped_under_load(served)
    assert audit(served.store).streams > 0
    served.stop()


@pytest.mark.slow
def test_a_stop_under_load_loses_nothing_on_postgresql(tmp_path: Path, postgres: PostgresServer) -> None:
    served = ServedDatabase(folder=tmp_path, database=postgres.fresh())
    try:
        stopped_under_load(served)
        served.stop()
    finally:
        served.end()
