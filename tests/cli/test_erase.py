"""``sayso erase``: what it erases, says and refuses, at a folder, at a database and over a server."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import EXAMPLES, INPUT, Machine
from tests.postgres.servers import PostgresServer


def answered(machine: Machine, *where: str) -> str:
    """A run that ended, by its id."""
    machine.said("save", str(EXAMPLES / "approve-campaign-brief.md"), *where)
    run_id = machine.said("run", "approve-campaign-brief", "--input", json.dumps(INPUT), *where)["run_id"]
    machine.said("cancel", run_id, "--reason", "Nobody needs it.", *where)
    return str(run_id)


def test_a_run_in_a_folder(machine: Machine, data: Path) -> None:
    where = ("--data", str(data))
    run_id = answered(machine, *where)
    assert b"Nobody needs it." in (data / "sayso.db").read_bytes()
    done = machine.sayso("erase", run_id, "--yes", *where)
    assert done.returncode == 0
    assert done.stdout.startswith(f"What was written in the run {run_id} is erased since ")
    assert "Backups keep what was written." in done.stderr
    assert b"Nobody needs it." not in (data / "sayso.db").read_bytes()
    assert machine.said("erase", run_id, "--yes", *where)["rewritten"] == []


def test_a_run_in_a_database(machine: Machine, postgres15: PostgresServer) -> None:
    where = ("--database", postgres15.fresh())
    run_id = answered(machine, *where)
    kept = machine.sayso("erase", run_id, "--yes", "--no-rewrite", *where)
    assert "the bytes of before stay in the tables until they are written anew" in kept.stderr
    assert "heads" in machine.said("erase", run_id, "--yes", *where)["rewritten"]
    assert "write-ahead log and every backup keep" in machine.sayso("erase", run_id, "--yes", *where).stderr


def test_it_wants_yes_and_an_ended_run(machine: Machine, data: Path) -> None:
    where = ("--data", str(data))
    machine.said("save", str(EXAMPLES / "approve-campaign-brief.md"), *where)
    run_id = machine.said("run", "approve-campaign-brief", "--input", json.dumps(INPUT), *where)["run_id"]
    assert "Say so with --yes." in machine.sayso("erase", run_id, *where).stderr
    refused = machine.sayso("erase", run_id, "--yes", *where)
    assert (refused.returncode, "Cancel it first." in refused.stderr) == (1, True)


@pytest.mark.slow
def test_over_a_server_it_says_what_postgresql_keeps(machine: Machine, data: Path) -> None:
    with machine.serving("--local", "--port", "0", "--data", str(data)) as serving:
        where = ("--url", serving.url)
        run_id = answered(machine, *where)
        done = machine.sayso("erase", run_id, "--yes", *where)
        assert done.returncode == 0
        assert f"sayso erase {run_id} --yes --database URL" in done.stderr
