"""Expiry: against an answer at the same instant, in its minute under load, and while no process runs."""

import asyncio
import random
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from sayso import compose
from sayso.app.access import LOCAL
from sayso.app.runtime import App
from sayso.errors import Kind, Problem
from sayso.settings import Settings
from tests.app.world import START
from tests.faults.audit import audit
from tests.faults.served import Served
from tests.faults.wire import Wire
from tests.races.asked import (
    LASTING,
    MINUTE,
    PROGRAM,
    QUESTION,
    ask,
    ask_many,
    ended,
    put_ahead,
    save_questions,
    seconds_waited,
    sent,
    until,
)

MINUTE_US = 60_000_000
EARLIEST, LATEST = 60.0, 62.0


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    server = Served(folder=tmp_path, program=PROGRAM)
    yield server
    server.end()


@dataclass
class TickingClock:
    """A clock that moves by a microsecond each time that it is read: so a race crosses an instant in its midst."""

    at: int = START

    def now(self) -> int:
        self.at += 1
        return self.at


async def perform(app: App, operation: str, **fields: Any) -> dict[str, Any]:
    allowed = app.operations.allow(LOCAL, operation, org="local", playbook="default")
    return await app.operations.perform(allowed, fields)


@pytest.mark.slow
@pytest.mark.anyio
async def test_at_the_instant_of_expiry_an_answer_is_taken_if_and_only_if_the_run_succeeds(
    tmp_path: Path, is_long: bool, shown: Callable[[str], None]
) -> None:
    clock, endings, rounds = TickingClock(), Counter[bool](), 500 if is_long else 50
    async with compose.running(Settings(data=tmp_path), clock=clock, work=False) as app:
        source = QUESTION.format(expires="PT1M")
        await perform(app, "create_definition", type="interaction", name=MINUTE, source=source)
        for number in range(rounds):
            run = await perform(app, "run_definition", type="interaction", name=MINUTE)
            open_request = (await perform(app, "list_interactions"))["interactions"][0]
            assert open_request["run_id"] == run["run_id"]
            due = await app.worker.next_due()
            assert due is not None
            clock.at = due - number % 10  # from just before the instant to just past it, in reads of the clock
            endings[await answer_and_sweep(app, run["run_id"], number)] += 1
            clock.at += MINUTE_US
    audit(tmp_path)
    assert min(endings[True], endings[False]) > rounds / 10
    shown(f"Answer and sweep started together {rounds} times: {endings[True]} answered, {endings[False]} expired")


async def answer_and_sweep(app: App, run_id: str, number: int) -> bool:
    """Both at once, each first in turn; whether the answer was taken, which the run must agree with."""
    both = [perform(app, "answer_interaction", run_id=run_id, answer=number), app.worker.sweep()]
    outcomes = await asyncio.gather(*(both if number % 2 else reversed(both)), return_exceptions=True)
    told = next(one for one in outcomes if not isinstance(one, int))
    await app.worker.sweep()
    run = await perform(app, "get_run", run_id=run_id)
    if isinstance(told, Problem):
        assert told.kind == Kind.EXPIRED
        assert (run["status"], run["rejection"]["kind"]) == ("rejected", "expired")
        return False
    assert isinstance(told, dict)
    assert (told["answer"], run["status"], run["output"]) == (number, "succeeded", number)
    return True


@pytest.mark.slow
def test_over_http_too_2xx_means_succeeded_and_nothing_else_does(
    served: Served, is_long: bool, shown: Callable[[str], None]
) -> None:
    rounds, endings, chance = 500 if is_long else 50, Counter[str](), random.Random(1)
    served.start("--interval-ms", "10")
    served.until_ready()
    with closing(Wire(served.port)) as wire:
        save_questions(wire)
        for _ in range(rounds):
            run_id, lead = ask(wire, MINUTE), chance.uniform(4, 14)
            put_ahead(served.port, 60_000 - 20)
            statuses = answers_around(served.port, run_id, [lead / 1000 + chance.uniform(0, 0.006) for _ in range(3)])
            run = ended(wire, run_id)
            assert statuses.count(200) == (run["status"] == "succeeded"), (statuses, run)
            assert set(statuses) <= {200, 409}
            endings[run["status"]] += 1
    audit(served.store)
    assert set(endings) == {"succeeded", "rejected"}
    shown(f"Three answers around the expiry of a served request, {rounds} times: {dict(endings)}")


def answers_around(port: int, run_id: str, delays: list[float]) -> list[int]:
    """The statuses of answers that are sent after so many seconds, each by a client of its own."""
    statuses: list[int] = []

    def answer(value: int, delay: float) -> None:
        with closing(Wire(port)) as wire:
            threading.Event().wait(delay)  # the instant that this client has chosen
            statuses.append(sent(wire, f"/runs/{run_id}/answer", {"answer": value})[0])

    clients = [threading.Thread(target=answer, args=choice) for choice in enumerate(delays)]
    for client in clients:
        client.start()
    for client in clients:
        client.join()
    return statuses


@pytest.mark.slow
def test_a_minute_ends_within_two_seconds_of_its_time_among_many_open_requests(
    served: Served, is_long: bool, shown: Callable[[str], None]
) -> None:
    """The long form waits for the minute. The short one puts the clock ahead by 57 s, once; the rest is real."""
    many, few = (10_000, 500) if is_long else (1_000, 50)
    served.start()
    served.until_ready()
    with closing(Wire(served.port)) as wire:
        save_questions(wire)
        ask_many(served.port, many, LASTING)
        run_ids = ask_many(served.port, few, MINUTE)
        if not is_long:
            put_ahead(served.port, 57_000)
        until(lambda: not wire.get(f"/interactions?function={MINUTE}")["interactions"], LATEST)
        waited = [seconds_waited(wire.get(f"/runs/{run_id}")) for run_id in run_ids]
        assert len(wire.all("/interactions", "interactions")) == many
    assert min(waited) >= EARLIEST
    assert max(waited) <= LATEST
    how = "in real time" if is_long else "with a clock put ahead by 57 s, then real"
    shown(f"PT1M among {many:,} open requests, {how}: {few} ended after {min(waited):.3f} to {max(waited):.3f} s")


@pytest.mark.slow
def test_what_expired_while_no_process_ran_ends_as_expired_on_start(
    served: Served, shown: Callable[[str], None]
) -> None:
    served.start()
    served.until_ready()
    with closing(Wire(served.port)) as wire:
        save_questions(wire)
        run_ids = ask_many(served.port, 200, MINUTE)
        lasting = ask(wire)
    served.kill()
    served.start("--ahead-ms", "3600000")
    served.until_ready()
    with closing(Wire(served.port)) as wire:
        took = until(lambda: len(wire.get("/interactions?limit=100")["interactions"]) == 1)
        for run_id in run_ids:
            run = wire.get(f"/runs/{run_id}")
            assert (run["status"], run["rejection"]["kind"]) == ("rejected", "expired")
            assert seconds_waited(run) >= EARLIEST
        assert sent(wire, f"/runs/{run_ids[0]}/answer", {"answer": 1})[1]["kind"] == "expired"
        assert wire.get(f"/runs/{lasting}")["status"] == "started"
    shown(f"Expired while no process ran: {len(run_ids)} ended {took * 1000:.0f} ms after the start")
