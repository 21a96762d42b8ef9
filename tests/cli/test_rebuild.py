"""``sayso rebuild`` and ``sayso backup``: what they say, and with which exit code they end."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.cli.conftest import EXAMPLES, INPUT, Machine


@pytest.fixture
def run_id(machine: Machine, data: Path) -> str:
    """A request that waits, in a store that was made by it."""
    machine.said("save", str(EXAMPLES / "approve-campaign-brief.md"), "--data", str(data))
    made = machine.said("run", "approve-campaign-brief", "--input", json.dumps(INPUT), "--data", str(data))
    return str(made["run_id"])


def spoil(data: Path, text: str) -> None:
    with closing(sqlite3.connect(data / "sayso.db")) as file, file:
        file.execute(text)


def test_a_store_in_which_nothing_differs(machine: Machine, data: Path, run_id: str) -> None:
    done = machine.sayso("rebuild", "--check", "--data", str(data))
    assert (done.returncode, done.stdout) == (0, "")
    assert "2 streams looked at: 0 differ, 0 damaged; 0 counters differ." in done.stderr


def test_what_differs_is_told_put_right_and_told_no_more(machine: Machine, data: Path, run_id: str) -> None:
    spoil(data, "update heads set status = 5, party = 'nobody', due_at = 1 where kind = 1")
    spoil(data, "update feeds set open = 7")
    checked = machine.sayso("rebuild", "--check", "--data", str(data))
    rebuilt = machine.sayso("rebuild", "--data", str(data))
    assert (checked.returncode, rebuilt.returncode) == (1, 0)
    assert checked.stdout == rebuilt.stdout
    rows = [line.split("\t") for line in rebuilt.stdout.splitlines()]
    assert [(row[2], row[3], row[4]) for row in rows] == [
        (run_id, "status", "running"),
        (run_id, "party", "(not shown)"),
        (run_id, "due_at", "1970-01-01T00:00:00.000Z"),
        ("", "open requests", "7"),
    ]
    assert (rows[0][:2], rows[3][5]) == (["local/default", "request"], "1")
    assert "1 put right" in rebuilt.stderr
    assert machine.sayso("rebuild", "--check", "--data", str(data)).returncode == 0


def test_a_damaged_stream_is_named_for_people_and_for_programs(machine: Machine, data: Path, run_id: str) -> None:
    spoil(data, "update events set type = 99 where seq = 2")
    spoil(data, "update heads set definition_version = null, due_at = 9223372036854775807 where kind = 1")
    done = machine.sayso("rebuild", "--data", str(data))
    assert done.returncode == 1
    assert f"request {run_id} of local/default is left as it is. Its events cannot be folded" in done.stderr
    report = json.loads(machine.sayso("rebuild", "--data", str(data), "--json").stdout)
    assert [one["id"] for one in report["damaged"]] == [run_id]
    assert report["looked_at"] == 2


def test_values_that_no_calendar_or_table_has_are_told_as_they_are(machine: Machine, data: Path, run_id: str) -> None:
    spoil(data, "update heads set definition = x'00ff', due_at = 9223372036854775807, expires_at = null where kind = 1")
    report = json.loads(machine.sayso("rebuild", "--data", str(data), "--json").stdout)
    columns = report["changed"][0]["columns"]
    assert columns["definition"]["was"] == "00ff"
    assert columns["due_at"]["was"] == 9223372036854775807
    assert columns["expires_at"]["was"] is None
    assert columns["due_at"]["is"] == columns["expires_at"]["is"]


def test_a_backup_beside_a_server_restores(machine: Machine, data: Path, run_id: str) -> None:
    copy = machine.home / "restored" / "sayso.db"
    copy.parent.mkdir()
    with machine.serving("--local", "--port", "0", "--data", str(data)) as server:
        assert server.url
        made = machine.said("backup", str(copy), "--data", str(data))
    assert made["bytes"] == copy.stat().st_size
    assert made["as_of"].endswith("Z")
    assert machine.said("show", run_id, "--data", str(copy.parent))["run"]["run_id"] == run_id


def test_a_backup_says_what_it_made_and_replaces_nothing(machine: Machine, data: Path, run_id: str) -> None:
    copy = machine.home / "copy.db"
    with machine.at_a_terminal("backup", str(copy), "--data", str(data)) as terminal:
        code, seen = terminal.end()
    assert code == 0
    assert f"{copy} holds the store of {data} as it stood at" in seen
    again = machine.sayso("backup", str(copy), "--data", str(data))
    assert again.returncode == 1
    assert "replaces nothing" in again.stderr


def test_a_backup_of_postgresql_is_left_to_its_own_tools(machine: Machine) -> None:
    url = "postgresql://sales:s3cret@db.example:5433/asks?sslmode=require"
    done = machine.sayso("backup", "copy.dump", "--database", url)
    assert done.returncode == 1
    assert "pg_dump --format=custom --file=copy.dump postgresql://sales@db.example:5433/asks" in done.stderr
    assert "s3cret" not in done.stderr


def test_a_folder_without_a_store_has_nothing_to_back_up(machine: Machine, data: Path) -> None:
    done = machine.sayso("backup", "copy.db", "--data", str(data))
    assert done.returncode == 1
    assert "holds no store yet" in done.stderr
