"""Servers whose clocks are 90 s apart: the database's says when a request ends, and whether a key has run out."""

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from itertools import cycle
from pathlib import Path

import pytest

from sayso.compose import running
from sayso.core.instants import microseconds
from sayso.errors import Problem, Reason
from sayso.settings import Settings
from tests.faults.audit import audit
from tests.faults.away import Astray
from tests.faults.wire import Wire
from tests.postgres.servers import PostgresServer
from tests.postgres.turned import TurnedClock
from tests.races.asked import MINUTE, ask, ended, save_questions, seconds_waited, sent

BEHIND_S, AHEAD_S = -30, 60
EARLIEST, LATEST = 60.0, 62.0
EACH = 10
HOUR_S = 3600
# Of the minute so much has passed when the first two are answered: the rest is time enough on a busy machine.
MOST_S = 52


@pytest.fixture
def database(postgres: PostgresServer) -> str:
    return postgres.fresh()


@pytest.fixture
def clock(postgres: PostgresServer, database: str) -> TurnedClock:
    return TurnedClock(postgres, database.rpartition("/")[2])


@pytest.fixture
def servers(tmp_path: Path, database: str, clock: TurnedClock) -> Iterator[list[Astray]]:
    """One that is behind the database, and one that is ahead of it."""
    made = [
        Astray(folder=tmp_path / f"{ahead_s}", database=database, ahead_s=ahead_s) for ahead_s in (BEHIND_S, AHEAD_S)
    ]
    for server in made:
        server.start()
        server.until_ready()
    yield made
    for server in made:
        server.end()


def look_again(wires: list[Wire]) -> None:
    """A server may have closed a connection that was idle."""
    for wire in wires:
        wire.get("/runs?limit=1")


@pytest.mark.slow
def test_a_minute_ends_by_the_databases_clock_wherever_it_was_asked(
    *, servers: list[Astray], clock: TurnedClock, is_long: bool, shown: Callable[[str], None]
) -> None:
    """The long form waits for the minute. The short one puts the database's clock ahead by 52 s; the rest is real."""
    wires = [Wire(server.port) for server in servers]
    save_questions(wires[0])
    run_ids = [ask(wire, MINUTE) for wire, _ in zip(cycle(wires), range(2 * EACH), strict=False)]
    assert [run["run_id"] for run in wires[1].all("/runs", "runs")] == run_ids[::-1], "listed as they were asked"
    assert run_ids != sorted(run_ids), "they were not minted 90 s apart"
    if is_long:
        threading.Event().wait(MOST_S)  # real time
    else:
        clock.turn(MOST_S)
    look_again(wires)
    for wire, run_id in zip(reversed(wires), run_ids[:2], strict=True):  # each at the one that it was not asked at
        assert sent(wire, f"/runs/{run_id}/answer", {"answer": 1})[0] == 200
    waited = [seconds_waited(ended(wires[0], run_id)) for run_id in run_ids[2:]]
    assert EARLIEST <= min(waited) <= max(waited) <= LATEST
    look_again(wires)
    for wire in wires:
        for run_id in run_ids[2:4]:
            status, problem = sent(wire, f"/runs/{run_id}/answer", {"answer": 1})
            assert (status, problem["kind"]) == (409, "expired")
        wire.close()
    audit(servers[0].store, until=int((time.time() + 60) * 1_000_000))
    how = "in real time" if is_long else "with the database's clock put ahead by 52 s, then real"
    shown(f"PT1M on servers 90 s apart, {how}: {len(waited)} ended after {min(waited):.3f} to {max(waited):.3f} s")


@pytest.mark.anyio
@pytest.mark.parametrize("ahead_s", [HOUR_S, -HOUR_S])
async def test_a_key_runs_out_by_the_databases_clock(database: str, clock: TurnedClock, ahead_s: int) -> None:
    clock.turn(ahead_s)
    async with running(Settings(database=database), work=False) as app:
        made = await app.keys.create("acme", expires="PT2S")
        until_s = microseconds(str(made["expires_at"])) / 1_000_000
        assert abs(until_s - time.time() - ahead_s) < 60
        await app.keys.authenticate(made["key"])
        with pytest.raises(Problem) as refused:
            await refused_in_time(lambda: app.keys.authenticate(made["key"]))
    assert refused.value.reason is Reason.UNAUTHENTICATED


async def refused_in_time(ask: Callable[[], Awaitable[object]]) -> None:
    """Ask again and again, until it is refused."""
    async with asyncio.timeout(30):
        while True:
            await ask()
            await asyncio.sleep(0.05)
