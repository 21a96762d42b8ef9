"""Behind a pooler in transaction mode: nothing is prepared, nothing is lost, and a pooler that dies is waited for."""

import random
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.beside import beside
from tests.faults.audit import audit
from tests.faults.load import Load
from tests.faults.pooled import PooledFleet
from tests.postgres.daemon import until
from tests.postgres.fixtures import present
from tests.postgres.pgbouncer import PgBouncer, program
from tests.postgres.servers import PostgresServer
from tests.postgres.turned import TurnedClock

SHORT, LONG = 3, 30
MEANWHILE = 50  # requests that are answered between two kills
DAYS = 24 * 3600


@pytest.fixture
def server(postgres: PostgresServer) -> Iterator[PostgresServer]:
    """A server of the test's own, with whose disk all is well."""
    with PostgresServer(postgres.binaries) as started:
        yield started


@pytest.fixture
def pooler(server: PostgresServer) -> Iterator[PgBouncer]:
    """Fewer connections than the processes have themselves: so each gets another one each time."""
    present(program(), "pgbouncer is not here: apt-get install pgbouncer")
    with PgBouncer(server, size=3) as started:
        yield started


@pytest.fixture
def database(server: PostgresServer) -> str:
    return server.fresh()


@pytest.fixture
def fleet(tmp_path: Path, pooler: PgBouncer, database: str) -> Iterator[PooledFleet]:
    made = PooledFleet(tmp_path, database, pooler.url(database.rpartition("/")[2]))
    yield made
    made.end()


@pytest.mark.slow
def test_a_pooler_and_what_is_behind_it_killed_under_load_are_waited_for_and_nothing_is_lost(
    *,
    fleet: PooledFleet,
    pooler: PgBouncer,
    server: PostgresServer,
    database: str,
    is_long: bool,
    shown: Callable[[str], None],
) -> None:
    kills, seed, began = LONG if is_long else SHORT, random.randrange(1_000_000), time.monotonic()
    chance, clock, back = random.Random(seed), TurnedClock(server, database.rpartition("/")[2]), []
    fleet.start()
    with Load(fleet.gate, seed) as load:
        for number in range(kills):
            load.until_told(MEANWHILE)
            killed = server if number % 3 == 1 else pooler
            killed.kill()
            threading.Event().wait(chance.choice([0, 0.5, 1.5]))
            killed.start()
            started = time.monotonic()
            load.until_told(1)
            back.append(time.monotonic() - started)
        load.until_told(MEANWHILE)
    found, audited = load.checked(fleet.servers[1].port), audit(fleet.servers[0].store)
    clock.turn(3 * DAYS)
    until(lambda: opened(fleet) == 0, lambda: f"{opened(fleet)} requests have not ended")
    fleet.check_alive()
    assert "prepared statement" not in server.words + "".join(one.said for one in fleet.all)
    shown(
        f"A pooler, or PostgreSQL behind it, killed (seed {seed}): {kills} times under {len(load.clients)} clients of "
        f"{len(fleet.servers)} servers with a worker; {time.monotonic() - began:.0f} s\n  {found}\n"
        f"  answered {max(back):.1f} s at most after they were back; {audited.streams} streams, {audited.events} "
        "events, and all requests ended"
    )


def opened(fleet: PooledFleet) -> int:
    """How many requests wait."""
    with beside(fleet.servers[0].store) as run:
        return int(run("select coalesce(sum(open), 0) from feeds")[0][0])
