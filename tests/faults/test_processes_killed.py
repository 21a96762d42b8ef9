"""Several processes on one PostgreSQL, killed at random under load: clients go on at others, and nothing is lost."""

import random
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from sayso.store import SystemClock
from tests.beside import beside
from tests.faults.audit import audit
from tests.faults.fleet import Fleet
from tests.faults.load import Load
from tests.faults.wire import Wire
from tests.postgres.daemon import until
from tests.postgres.servers import PostgresServer
from tests.postgres.turned import TurnedClock

SHORT, LONG, AUDIT_EACH = 10, 200, 20
DAYS = 24 * 3600
CLAIM_S, HALF_A_MINUTE = 60, 30
ASKED = 300  # more than a worker claims at once
# Those whose due time is not the one they expire at: a claim has put it off. By how many seconds yet, at most.
CLAIMED = """
select count(*), coalesce(max(due_at) / 1000000 - extract(epoch from public.clock_timestamp()), 0)::int from heads
where outcome is null and due_at > expires_at
"""


class Place:
    """A database whose clock can be turned, and the fleet on it."""

    def __init__(self, folder: Path, server: PostgresServer, **processes: int) -> None:
        url = server.fresh()
        self.clock = TurnedClock(server, url.rpartition("/")[2])
        self.fleet = Fleet(folder, url, **processes)

    def latest(self) -> int:
        """What its clock never showed more than: it is this minute."""
        return SystemClock().now() + (self.clock.seconds + 60) * 1_000_000

    def claimed(self) -> tuple[int, int]:
        """How many open streams are claimed, and for how many seconds yet at most."""
        with beside(self.fleet.store) as run:
            count, seconds = run(CLAIMED)[0]
            return count, seconds


Make = Callable[..., Place]


@pytest.fixture
def make(tmp_path: Path, postgres: PostgresServer) -> Iterator[Make]:
    """Makes the place of a test, and leaves nothing of it behind."""
    places: list[Place] = []

    def made(**processes: int) -> Place:
        places.append(Place(tmp_path, postgres, **processes))
        return places[-1]

    yield made
    for place in places:
        place.fleet.end()


@pytest.mark.slow
def test_processes_on_postgresql_killed_at_random_under_load(
    make: Make, is_long: bool, shown: Callable[[str], None]
) -> None:
    kills, seed, began = LONG if is_long else SHORT, random.randrange(1_000_000), time.monotonic()
    place, chance, early = make(), random.Random(seed), 0
    fleet = place.fleet
    fleet.start()
    with Load(fleet.gate, seed) as load:
        for number in range(kills):
            early += fleet.kill_one(chance)
            place.clock.turn(HALF_A_MINUTE)  # so that questions expire under load, and what the dead claimed is due
            if number % AUDIT_EACH == 0:
                audit(fleet.store, until=place.latest())
        fleet.until_ready()
        load.until_told(AUDIT_EACH)
    audit(fleet.store, until=place.latest())
    waiting = fleet.waiting()
    place.clock.turn(3 * DAYS)
    fleet.until_waiting(0)
    found, audited = load.checked(fleet.servers[-1].port, all_ended=True), audit(fleet.store)
    fleet.check_alive()
    shown(
        f"Random kills on PostgreSQL (seed {seed}): {kills} of {len(fleet.all)} processes, {early} of them while they "
        f"started, under {len(load.clients)} clients; {time.monotonic() - began:.0f} s\n"
        f"  {found}\n"
        f"  {waiting} requests waited, and all ended when their time came; {audited.streams} streams, "
        f"{audited.events} events"
    )


@pytest.mark.slow
def test_what_a_killed_worker_had_claimed_is_taken_over_within_a_minute(
    make: Make, is_long: bool, shown: Callable[[str], None]
) -> None:
    place = make(servers=1)
    fleet = place.fleet
    fleet.start()
    with closing(Wire(fleet.servers[0].port)) as wire:
        for number in range(ASKED):
            assert wire.send("POST", "/definitions/interaction/lasting/run", {"input": {"mark": f"{number}"}})
    with beside(fleet.store) as run:
        run("select 1 from feeds for update")  # nobody can commit an ending now
        place.clock.turn(3 * DAYS)
        until(lambda: place.claimed()[0] > 0, lambda: "nothing is claimed")
        fleet.kill(1)
    died = time.monotonic()
    claimed, seconds = place.claimed()
    assert 0 < claimed < ASKED
    assert seconds <= CLAIM_S
    fleet.until_waiting(claimed)
    if not is_long:
        place.clock.turn(seconds)
    fleet.until_waiting(0)
    took = time.monotonic() - died
    assert took < CLAIM_S + 10
    audit(fleet.store)
    clock = "a real minute" if is_long else "a minute of the database's clock"
    shown(f"A killed worker's claims: {claimed} of {ASKED} taken over, within {clock}; {took:.0f} s")
