"""PostgreSQL itself is killed under load, and started again: servers go on by themselves, and nothing is lost."""

import random
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.faults.audit import audit
from tests.faults.fleet import Fleet
from tests.faults.load import Load
from tests.postgres.servers import PostgresServer

SHORT, LONG = 3, 30
MEANWHILE = 50  # requests that are answered between two kills


@pytest.fixture
def server(postgres: PostgresServer) -> Iterator[PostgresServer]:
    """A server of the test's own, with whose disk all is well."""
    with PostgresServer(postgres.binaries) as started:
        yield started


@pytest.fixture
def fleet(tmp_path: Path, server: PostgresServer) -> Iterator[Fleet]:
    with Fleet(tmp_path, server.fresh(), servers=2) as made:
        yield made


@pytest.mark.slow
def test_postgresql_killed_under_load(
    fleet: Fleet, server: PostgresServer, is_long: bool, shown: Callable[[str], None]
) -> None:
    kills, seed, began = LONG if is_long else SHORT, random.randrange(1_000_000), time.monotonic()
    chance, away, back = random.Random(seed), [], []
    fleet.start()
    with Load(fleet.gate, seed) as load:
        for _ in range(kills):
            load.until_told(MEANWHILE)
            threading.Event().wait(chance.uniform(0.05, 0.4))  # the random instant, under load
            died = time.monotonic()
            server.kill()
            threading.Event().wait(chance.choice([0, 0.5, 1.5]))
            server.start()
            started = time.monotonic()
            load.until_told(1)
            away.append(started - died)
            back.append(time.monotonic() - started)
        load.until_told(MEANWHILE)
    found, audited = load.checked(fleet.servers[0].port), audit(fleet.store)
    fleet.check_alive()
    shown(
        f"PostgreSQL killed (seed {seed}): {kills} times under {len(load.clients)} clients of {len(fleet.servers)} "
        f"servers; {time.monotonic() - began:.0f} s\n"
        f"  {found}\n"
        f"  away for {max(away):.1f} s at most, and answered {max(back):.1f} s at most after it was back; "
        f"{audited.streams} streams, {audited.events} events"
    )
