"""`sayso playbooks`: what there is, how it is made, and its end."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import EXAMPLES, INPUT, Machine

NAME = "approve-campaign-brief"


@pytest.fixture
def made(machine: Machine, data: Path) -> list[str]:
    """The way to a store that has the playbook sales."""
    store = ["--data", str(data)]
    machine.said("playbooks", "create", "sales", "--name", "Sales", "--description", "Deals.", *store)
    return store


def test_a_server_tells_the_same(machine: Machine, made: list[str]) -> None:
    with machine.serving("--local", "--port", "0", *made) as server:
        at_server = ["--url", server.url]
        assert machine.said("playbooks", "list", *at_server) == machine.said("playbooks", "list", *made)
        assert machine.said("playbooks", "create", "legal", *at_server)["name"] == "legal"
        assert machine.said("playbooks", "retire", "legal", "--yes", *at_server)["status"] == "retired"


def test_playbooks_are_listed_by_their_ids(machine: Machine, made: list[str]) -> None:
    machine.said("playbooks", "create", "legal", *made)
    rows = machine.sayso("playbooks", "list", *made).stdout.splitlines()
    assert [(row.split("\t")[0], row.split("\t")[3]) for row in rows] == [("legal", "legal"), ("sales", "Sales")]


def test_an_id_is_taken_once(machine: Machine, made: list[str]) -> None:
    refused = machine.sayso("playbooks", "create", "sales", "--json", *made)
    assert (refused.returncode, json.loads(refused.stderr)["kind"]) == (1, "taken")


def test_a_retired_one_is_kept_and_takes_nothing(machine: Machine, made: list[str]) -> None:
    there = [*made, "--playbook", "sales"]
    machine.said("save", str(EXAMPLES / f"{NAME}.md"), *there)
    run = machine.said("run", NAME, "--input", json.dumps(INPUT), *there)
    assert "is retired since" in machine.sayso("playbooks", "retire", "sales", "--yes", *made).stdout
    assert machine.said("playbooks", "list", *made)["playbooks"] == []
    assert len(machine.said("playbooks", "list", "--retired", *made)["playbooks"]) == 1
    refused = machine.sayso("cancel", run["run_id"], "--json", *there)
    assert json.loads(refused.stderr)["kind"] == "retired"
    assert machine.said("show", run["run_id"], *there)["run"]["status"] == "started"


@pytest.mark.parametrize(("typed", "code"), [("yes", 0), ("no", 1)])
def test_retiring_is_asked_about_at_a_terminal(machine: Machine, made: list[str], typed: str, code: int) -> None:
    with machine.at_a_terminal("playbooks", "retire", "sales", *made) as terminal:
        terminal.expect("Type yes: ")
        terminal.type(typed)
        assert terminal.end()[0] == code
    assert len(machine.said("playbooks", "list", *made)["playbooks"]) == code


def test_retiring_wants_a_yes_where_nobody_is_asked(machine: Machine, made: list[str]) -> None:
    done = machine.sayso("playbooks", "retire", "sales", *made)
    assert (done.returncode, "--yes" in done.stderr) == (2, True)


def test_a_store_without_any_says_so(machine: Machine, data: Path) -> None:
    assert "There is no playbook." in machine.sayso("playbooks", "list", "--data", str(data)).stderr
