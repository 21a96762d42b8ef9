"""Many answer one request at once, over HTTP and at the file: one wins, the others are told so."""

import contextlib
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.faults.audit import audit
from tests.faults.served import ROOT, Served, ServedDatabase
from tests.faults.wire import Wire
from tests.postgres.servers import PostgresServer
from tests.races.answerer import Answerer, Told, answering
from tests.races.asked import PROGRAM, ask, control, save_questions, until

THREADS = 10
SHORT, LONG = 50, 500
COMMAND_EACH = 10  # in so many rounds once, the file is answered by the command itself
HTTP, FILE, COMMAND = range(THREADS * 2), range(20, 21), 21


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    server = Served(folder=tmp_path, program=PROGRAM)
    server.start()
    server.until_ready()
    yield server
    server.end()


@pytest.mark.slow
def test_of_many_answers_at_once_one_wins(served: Served, is_long: bool, shown: Callable[[str], None]) -> None:
    rounds, insides, winners = LONG if is_long else SHORT, [], Counter[str]()
    with contextlib.ExitStack() as stack:
        wire = stack.enter_context(contextlib.closing(Wire(served.port)))
        save_questions(wire)
        racers = [stack.enter_context(answering("http", f"{served.port}", f"{THREADS}")) for _ in range(2)]
        racers.append(stack.enter_context(answering("file", f"{served.store}")))
        for number in range(rounds):
            run_id = ask(wire)
            told = race(served, racers, run_id, with_command=number % COMMAND_EACH == 0)
            winners[check(wire, run_id, told)] += 1
            insides.append(control(served.port, "GET", f"inside/{run_id}")["inside"])
    audit(served.store)
    met = sum(inside >= 2 for inside in insides)
    assert met > rounds / 2
    shown(
        f"One answer wins: {rounds} rounds of {2 * THREADS} answers over HTTP from 2 processes and one or two at the "
        f"file; in {met} at least two were inside the server at once (at most {max(insides)})\n"
        f"  winners: {dict(winners)}"
    )


@contextlib.contextmanager
def two_servers(folder: Path, database: str) -> Iterator[list[Served]]:
    """Two servers of one database, each a process."""
    servers: list[Served] = []
    try:
        for name in ("one", "two"):
            (folder / name).mkdir()
            servers.append(ServedDatabase(folder=folder / name, database=database))
            servers[-1].start()
            servers[-1].until_ready()
        yield servers
    finally:
        for server in servers:
            server.end()


@pytest.mark.slow
def test_of_many_answers_through_two_servers_of_a_database_one_wins(
    *, tmp_path: Path, postgres: PostgresServer, is_long: bool, shown: Callable[[str], None]
) -> None:
    rounds, winners = LONG if is_long else SHORT, Counter[str]()
    with two_servers(tmp_path, postgres.fresh()) as servers, contextlib.ExitStack() as stack:
        wire = stack.enter_context(contextlib.closing(Wire(servers[0].port)))
        save_questions(wire)
        racers = [stack.enter_context(answering("http", f"{server.port}", f"{THREADS}")) for server in servers]
        for _ in range(rounds):
            run_id = ask(wire)
            set_up(racers, run_id)
            winners[check(wire, run_id, raced(racers))] += 1
        audit(servers[0].store)
    assert winners.keys() == {"http 1", "http 2"}
    shown(f"One answer wins: {rounds} rounds of {2 * THREADS} answers through 2 servers of a database: {dict(winners)}")


def race(served: Served, racers: list[Answerer], run_id: str, *, with_command: bool) -> list[Told]:
    """Let all answer the run at once, each with a value of its own; what they were told."""
    set_up(racers, run_id)
    command = answer_command(served, run_id) if with_command else None
    if command:
        give(command)
    told = raced(racers)
    return [*told, command_told(command)] if command else told


def set_up(racers: list[Answerer], run_id: str) -> None:
    """Let racers be ready to answer the run, each with values of its own."""
    for racer, values in zip(racers, (HTTP[:THREADS], HTTP[THREADS:], FILE), strict=False):
        racer.ready(run_id, values)


def raced(racers: list[Answerer]) -> list[Told]:
    """Let them go; what they were told."""
    for racer in racers:
        racer.go()
    return [one for racer in racers for one in racer.told()]


def answer_command(served: Served, run_id: str) -> subprocess.Popen[str]:
    """``sayso answer --data`` with the store open, waiting for the answer on its standard input."""
    arguments = ["-m", "sayso.cli.main", "answer", run_id, "--data", str(served.store), "--answer", "-", "--json"]
    process = subprocess.Popen(
        [sys.executable, *arguments],
        cwd=ROOT,
        env=served.environment,
        text=True,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    if Path("/proc").exists():
        until(lambda: has_open(process.pid, served.store))
    return process


def has_open(process: int, folder: Path) -> bool:
    """Whether a process has opened a file of the folder."""
    with contextlib.suppress(FileNotFoundError):  # it closed one between two looks
        files = Path(f"/proc/{process}/fd").iterdir()
        return any(file.readlink().is_relative_to(folder) for file in files)
    return False


def give(process: subprocess.Popen[str]) -> None:
    """Give the command its answer."""
    assert process.stdin
    process.stdin.write(json.dumps(COMMAND))
    process.stdin.close()
    process.stdin = None


def command_told(process: subprocess.Popen[str]) -> Told:
    """What the command says."""
    said, complaint = process.communicate(timeout=30)
    if process.returncode == 0:
        return [COMMAND, 200, json.loads(said)]
    document = json.loads(said or complaint)
    return [COMMAND, document["status"], document]


def check(wire: Wire, run_id: str, told: list[Told]) -> str:
    """One was answered 2xx, all others with the conflict, and the run ended once with the winner's value."""
    won = [(value, fact) for value, status, fact in told if status == 200]
    assert len(won) == 1, told
    value, fact = won[0]
    others = {(status, document.get("kind")) for _, status, document in told if status != 200}
    assert others == {(409, "answered")}, others
    run = wire.get(f"/runs/{run_id}")
    assert (run["status"], run["output"], fact["answer"]) == ("succeeded", value, value)
    events = wire.get(f"/runs/{run_id}/history")["events"]
    kinds = ["run_started", "interaction_requested", "request_answered", "run_succeeded"]
    assert [event["type"] for event in events] == kinds
    assert events[2]["id"] == fact["answer_id"]
    return "command" if value == COMMAND else "file" if value in FILE else f"http {value // THREADS + 1}"
