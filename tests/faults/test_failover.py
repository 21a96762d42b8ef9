"""A primary dies under load, and its synchronous standby takes over: servers go on there, and nothing is lost."""

import random
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests import stores
from tests.faults.audit import audit
from tests.faults.fleet import Fleet
from tests.faults.load import Load
from tests.faults.pooled import PooledFleet
from tests.postgres.daemon import until
from tests.postgres.fixtures import present
from tests.postgres.pgbouncer import PgBouncer, program
from tests.postgres.servers import PostgresServer
from tests.postgres.standby import Standby
from tests.postgres.turned import TurnedClock

SHORT, LONG = 1, 10
MEANWHILE = 50  # requests that are answered before it and after it
DAYS = 24 * 3600
NAME = "served"


class Pair:
    """A primary and its standby."""

    def __init__(self, primary: PostgresServer, standby: Standby) -> None:
        primary.create(NAME)
        TurnedClock(primary, NAME)  # its own, so that it reaches the standby
        self.primary = primary
        self.standby = standby
        hosts = f"127.0.0.1:{primary.port},127.0.0.1:{standby.port}"
        self.url = primary.url(NAME).replace(f"127.0.0.1:{primary.port}", hosts)

    def fail_over(self) -> None:
        """The primary dies with all its processes, and a little later the standby takes over."""
        self.primary.kill()
        self.standby.promote()


class PooledPair(Pair):
    """A pair behind a pooler, which whoever leads the failover turns to the standby."""

    def __init__(self, primary: PostgresServer, standby: Standby, pooler: PgBouncer) -> None:
        super().__init__(primary, standby)
        self.pooler = pooler

    def fail_over(self) -> None:
        super().fail_over()
        self.pooler.turn_to(self.standby)


def demote(server: PostgresServer) -> None:
    """Start a dead server as one that only takes what another sends, and nobody does."""
    (server.data / "standby.signal").touch()
    server.start()
    assert server.sql("select pg_is_in_recovery()") == [["t"]]


@pytest.mark.slow
def test_failovers_under_load(
    postgres: PostgresServer, tmp_path: Path, is_long: bool, shown: Callable[[str], None]
) -> None:
    for number in range(LONG if is_long else SHORT):
        seed, began = random.randrange(1_000_000), time.monotonic()
        with PostgresServer(postgres.binaries) as primary, Standby(primary) as standby:
            pair = Pair(primary, standby)
            with Fleet(tmp_path / f"{number}", pair.url, servers=2) as fleet:
                said = failed_over(pair, fleet, seed)
        shown(f"Failover {number + 1} (seed {seed}; {time.monotonic() - began:.0f} s): {said}")


@pytest.mark.slow
def test_failovers_behind_a_pooler_under_load(
    postgres: PostgresServer, tmp_path: Path, is_long: bool, shown: Callable[[str], None]
) -> None:
    present(program(), "pgbouncer is not here: apt-get install pgbouncer")
    for number in range(LONG if is_long else SHORT):
        seed, began = random.randrange(1_000_000), time.monotonic()
        with (
            PostgresServer(postgres.binaries) as primary,
            Standby(primary) as standby,
            PgBouncer(primary, size=3) as pooler,
        ):
            pair = PooledPair(primary, standby, pooler)
            with PooledFleet(tmp_path / f"{number}", pair.url, pooler.url(NAME)) as fleet:
                said = failed_over(pair, fleet, seed)
        shown(f"Failover {number + 1} behind a pooler (seed {seed}; {time.monotonic() - began:.0f} s): {said}")


def failed_over(pair: Pair, fleet: Fleet, seed: int) -> str:
    """Let a pair fail over under the load of a fleet; the figures of it in words."""
    fleet.start()
    with Load(fleet.gate, seed) as load:
        load.until_told(MEANWHILE)
        threading.Event().wait(random.Random(seed).uniform(0.05, 0.5))  # the random instant, under load
        died = time.monotonic()
        pair.fail_over()
        load.until_told(1)
        away = time.monotonic() - died
        demote(pair.primary)
        load.until_told(MEANWHILE)
    stores.put(fleet.store, pair.standby.url(NAME))
    audit(fleet.store)
    waiting = fleet.waiting()
    TurnedClock(pair.standby, NAME).turn(3 * DAYS)
    fleet.until_waiting(0)
    found, audited = load.checked(fleet.servers[1].port, all_ended=True), audit(fleet.store)
    fleet.check_alive()
    return (
        f"{len(load.clients)} clients of {len(fleet.servers)} servers were answered again after {away:.1f} s\n"
        f"  {found}\n"
        f"  {waiting} requests waited, and all ended when their time came; {audited.streams} streams, "
        f"{audited.events} events"
    )


@pytest.mark.slow
def test_servers_on_a_demoted_database_say_so_and_go_on_when_it_is_promoted(
    postgres: PostgresServer, tmp_path: Path
) -> None:
    with (
        PostgresServer(postgres.binaries) as database,
        Fleet(tmp_path, database.fresh(), servers=1) as fleet,
    ):
        fleet.start()
        with Load(fleet.gate, 1) as load:
            load.until_told(MEANWHILE)
            database.kill()
            demote(database)
            told, unavailable = load.tally.told, load.tally.unavailable
            until(lambda: load.tally.unavailable > unavailable + MEANWHILE, lambda: f"no 503: {load.tally}")
            assert load.tally.told == told
            database.program("pg_ctl", "promote", "-D", database.data, "-w")
            load.until_told(MEANWHILE)
        load.checked(fleet.servers[0].port)
        audit(fleet.store)
        fleet.check_alive()
