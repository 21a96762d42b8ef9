"""Several processes on one PostgreSQL, killed at random under load: clients go on at others, and nothing is lost."""

import random
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

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
CLAIM_S = 60
ASKED = 200
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
        self.store = self.fleet.servers[0].store

    def open(self) -> int:
        """How many requests wait."""
        with beside(self.store) as run:
            return int(run("select coalesce(sum(open), 0) from feeds")[0][0])

    def claimed(self) -> tuple[int, int]:
        """How many open streams are claimed, and for how many seconds yet at most."""
        with beside(self.store) as run:
            count, seconds = run(CLAIMED)[0]
            return count, seconds

    def end_all(self) -> None:
        """Let days pass, until every request has ended."""
        self.clock.turn(3 * DAYS)
        until(lambda: self.open() == 0, lambda: f"{self.open()} requests have not ended")


Make = Callable[..., Place]


@pytest.fixture
def make(tmp_path: Path, postgres15: PostgresServer) -> Iterator[Make]:
    """Makes the place of a test, and leaves nothing of it behind."""
    places: list[Place] = []

    def made(**processes: int) -> Place:
        places.append(Place(tmp_path, postgres15, **processes))
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
        for some in [AUDIT_EACH] * (kills // AUDIT_EACH) or [kills]:
            early += fleet.kill_often(some, chance)
            audit(place.store)
    stood = load.checked(fleet.servers[0].port)
    waiting = place.open()
    place.end_all()
    load.checked(fleet.servers[-1].port, all_ended=True)
    audited = audit(place.store)
    fleet.check_alive()
    shown(
        f"Random kills on PostgreSQL (seed {seed}): {kills} of {len(fleet.all)} processes, {early} of them while they "
        f"started, under {len(load.clients)} clients; {time.monotonic() - began:.0f} s\n"
        f"  {stood}\n"
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
    with beside(place.store) as run:
        run("select 1 from feeds for update")  # nobody can commit an ending now
        place.clock.turn(3 * DAYS)
        until(lambda: place.claimed()[0] > 0, lambda: "nothing is claimed")
        fleet.kill(1)
    died = time.monotonic()
    claimed, seconds = place.claimed()
    assert 0 < claimed < ASKED
    assert seconds <= CLAIM_S
    until(lambda: place.open() == claimed, lambda: f"{place.open()} wait, {claimed} are claimed")
    if not is_long:
        place.clock.turn(seconds)
    until(lambda: place.open() == 0, lambda: f"{place.open()} requests have not ended")
    took = time.monotonic() - died
    assert took < CLAIM_S + 10
    audit(place.store)
    clock = "a real minute" if is_long else "a minute of the database's clock"
    shown(f"A killed worker's claims: {claimed} of {ASKED} taken over, within {clock}; {took:.0f} s")
