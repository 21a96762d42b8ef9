"""``sayso doctor``: what it looks at, and what it calls wrong."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import EXAMPLES, INPUT, Machine
from tests.postgres.binaries import debian
from tests.postgres.fixtures import present
from tests.postgres.servers import PostgresServer


def checks(machine: Machine, *where: str, code: int = 0) -> dict[str, dict[str, Any]]:
    done = machine.sayso("doctor", "--json", *where)
    assert done.returncode == code, done.stderr
    return {check["name"]: check for check in json.loads(done.stdout)["checks"]}


@pytest.fixture
def asked(machine: Machine, data: Path) -> Path:
    """A store with a key and a request that waits."""
    machine.said("save", str(EXAMPLES / "approve-campaign-brief.md"), "--data", str(data))
    machine.said("run", "approve-campaign-brief", "--input", json.dumps(INPUT), "--data", str(data))
    return data


def test_a_store_that_is_well(machine: Machine, asked: Path) -> None:
    machine.said("keys", "create", "--org", "acme", "--id", "desk", "--data", str(asked))
    found = checks(machine, "--data", str(asked))
    assert {check["standing"] for check in found.values()} == {"fine"}
    assert found.keys() >= {"program", "file", "free disk", "log", "keys", "worker"}


def test_a_file_that_others_may_read_is_wrong(machine: Machine, asked: Path) -> None:
    (asked / "sayso.db").chmod(0o644)
    found = checks(machine, "--data", str(asked), code=1)
    assert found["file"]["standing"] == "wrong"
    assert found["file"]["advice"].endswith(f"chmod 600 {asked / 'sayso.db'}")


def test_a_store_without_a_key_and_without_a_worker(machine: Machine, asked: Path) -> None:
    with closing(sqlite3.connect(asked / "sayso.db")) as file, file:
        file.execute("update heads set due_at = 1, fails = 2 where kind = 1")
    found = checks(machine, "--data", str(asked), code=1)
    assert (found["keys"]["standing"], found["worker"]["standing"]) == ("look", "wrong")
    assert found["failing streams"]["found"] == "1"


def test_a_database_that_may_lose_what_it_acknowledged_is_wrong(machine: Machine) -> None:
    binaries = present(debian(), "Debian's PostgreSQL is not here: apt-get install postgresql")
    with PostgresServer(binaries, fsync="off") as server:
        url = server.fresh()
        machine.said("migrate", "--database", url)
        found = checks(machine, "--database", url, code=1)
    assert found["database"]["advice"] == "What was acknowledged can be lost: fsync must be on."
    assert found["clock"]["standing"] == "fine"


def test_people_read_lines_with_advice(machine: Machine, asked: Path) -> None:
    done = machine.sayso("doctor", "--data", str(asked))
    assert (done.returncode, done.stdout.splitlines()[0].split("\t")[:2]) == (0, ["program", "fine"])
    assert "sayso keys create --org ORG" in done.stderr
