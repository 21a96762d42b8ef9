"""``sayso migrate``: from which version to which, and what is due."""

import sqlite3
from pathlib import Path

from sayso.store import FILE_NAME
from sayso.store.sqlite.schema import APPLICATION_ID, migrations
from tests.cli.conftest import Machine


def make_old(data: Path) -> None:
    """A store as 0.1.0 made it."""
    connection = sqlite3.connect(data / FILE_NAME)
    connection.executescript(f"{migrations()[0].text}; pragma application_id = {APPLICATION_ID};")
    with connection:
        columns = "one, schema_version, shards, secret, reference_version, created_at"
        connection.execute(f"insert into meta({columns}) values (1, 1, 1, zeroblob(32), 0, 0)")
    connection.close()


def test_a_new_store_is_made_with_its_shards(machine: Machine, data: Path) -> None:
    newest = machine.said("migrate", "--shards", "4", "--data", str(data))["to_version"]
    assert machine.said("status", "--data", str(data))["shards"] == 4
    said = machine.sayso("migrate", "--data", str(data)).stdout
    assert said == f"{data}: the tables are of version {newest}, and nothing is to be done.\n"


def test_an_older_store_is_brought_up_to_date(machine: Machine, data: Path) -> None:
    make_old(data)
    newest = len(migrations())
    said = machine.sayso("migrate", "--data", str(data)).stdout
    assert said == f"{data}: the tables went from version 1 to {newest}.\n"
    assert machine.said("migrate", "--data", str(data)) == {
        "from_version": newest,
        "to_version": newest,
        "is_due": False,
    }


def test_a_look_changes_nothing_and_says_whether_a_step_is_due(machine: Machine, data: Path) -> None:
    new = machine.sayso("migrate", "--check", "--data", str(data))
    assert (new.returncode, list(data.iterdir())) == (1, [])
    assert "no tables yet" in new.stdout
    make_old(data)
    for _ in range(2):
        due = machine.sayso("migrate", "--check", "--data", str(data))
        assert due.returncode == 1
        assert "the tables are of version 1, and a step to version" in due.stdout
    machine.said("migrate", "--data", str(data))
    assert machine.sayso("migrate", "--check", "--data", str(data)).returncode == 0


def test_a_store_keeps_its_shards(machine: Machine, data: Path) -> None:
    machine.said("migrate", "--shards", "4", "--data", str(data))
    done = machine.sayso("migrate", "--shards", "2", "--data", str(data))
    assert done.returncode == 1
    assert "a store keeps its number" in done.stderr
    assert machine.sayso("keys", "list", "--data", str(data), SAYSO_SHARDS="2").returncode == 1


def test_what_is_no_store_is_refused(machine: Machine, data: Path) -> None:
    (data / "letter.txt").write_text("not a store")
    for check in ([], ["--check"]):
        done = machine.sayso("migrate", *check, "--data", str(data))
        assert done.returncode == 1
        assert "holds other things" in done.stderr
