"""``sayso status``: for a program as JSON, for a person with colour where somebody should look."""

import json
import sqlite3
from pathlib import Path

from tests.cli.conftest import EXAMPLES, INPUT, Machine


def ask(machine: Machine, data: Path) -> None:
    at_store = ["--data", str(data)]
    machine.said("save", str(EXAMPLES / "approve-campaign-brief.md"), *at_store)
    machine.said("run", "approve-campaign-brief", "--input", json.dumps(INPUT), *at_store)


def make_late(data: Path) -> None:
    with sqlite3.connect(data / "sayso.db") as connection:
        connection.execute("update heads set due_at = due_at - 864000000000, fails = 3 where kind = 1")
    connection.close()


def test_a_program_reads_what_waits(machine: Machine, data: Path) -> None:
    ask(machine, data)
    said = machine.said("status", "--data", str(data))
    assert said["store"] == str(data)
    assert (said["open_requests"], said["due_lag_seconds"], said["shards"]) == (1, 0, 1)
    assert said["overdue"] == said["failing_streams"] == {"count": 0, "more": False}
    assert said["bytes"] > 100_000
    assert said["failing_notices"] == {"count": 0, "more": False}


def test_a_person_sees_at_once_what_is_late(machine: Machine, data: Path) -> None:
    ask(machine, data)
    with machine.at_a_terminal("status", "--data", str(data)) as terminal:
        code, calm = terminal.end()
    make_late(data)
    with machine.at_a_terminal("status", "--data", str(data)) as terminal:
        _, late = terminal.end()
    assert code == 0
    assert "\x1b[1;31m" not in calm
    lines = late.splitlines()
    assert [line.split("  ")[0] for line in lines if "\x1b[1;31m" in line] == [
        f"\x1b[1;31m{name}" for name in ("due lag", "due for over a minute", "failing streams")
    ]


def test_a_pipe_gets_columns(machine: Machine, data: Path) -> None:
    ask(machine, data)
    lines = machine.sayso("status", "--data", str(data)).stdout.splitlines()
    assert "open requests\t1" in lines
    assert all(line.count("\t") == 1 for line in lines)


def test_it_looks_beside_a_server(machine: Machine, data: Path) -> None:
    ask(machine, data)
    with machine.serving("--local", "--port", "0", "--data", str(data)) as server:
        assert server.url
        assert machine.said("status", "--data", str(data))["open_requests"] == 1
