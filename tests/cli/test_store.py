"""The store that a command names: a folder or a database, never both, and never shown with what opens it."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import PROGRAM, Machine

URL = "postgresql://clerk:secret@127.0.0.1:9/sayso"
AT_A_STORE = [["keys", "list"], ["status"], ["migrate"], ["serve", "--port", "0"], ["worker"]]


@pytest.mark.parametrize("command", AT_A_STORE, ids=" ".join)
def test_without_a_store_a_command_says_how_to_name_one(machine: Machine, command: list[str]) -> None:
    done = machine.sayso(*command)
    assert done.returncode == 1
    assert {"--data", "--database"} <= set(done.stderr.replace("(", " ").split())


@pytest.mark.parametrize("command", [*AT_A_STORE, ["list"]], ids=" ".join)
def test_two_stores_are_refused(machine: Machine, data: Path, command: list[str]) -> None:
    done = machine.sayso(*command, "--data", str(data), "--database", URL)
    assert done.returncode == 1
    assert "two stores" in done.stderr
    assert "secret" not in done.stderr


@pytest.mark.parametrize("command", [*AT_A_STORE, ["list"]], ids=" ".join)
def test_a_database_that_is_away_is_named_without_who_may_use_it(machine: Machine, command: list[str]) -> None:
    done = machine.sayso(*command, "--database", URL)
    assert done.returncode == 1
    assert "The store cannot be used" in done.stderr
    assert not {"clerk", "secret"} & set(done.stderr.replace(":", " ").replace("@", " ").split())


def test_a_store_of_the_environment_is_set_aside_by_the_command_line(machine: Machine, data: Path) -> None:
    assert machine.said("keys", "list", "--data", str(data), SAYSO_DATABASE=URL) == {"keys": []}
    assert machine.said("list", "--data", str(data), SAYSO_DATABASE=URL)["interactions"] == []


def test_without_asyncpg_the_refusal_says_how_to_get_it(machine: Machine) -> None:
    code = "import sys; sys.modules['asyncpg'] = None; sys.argv[0] = 'sayso'; from sayso.cli.main import run; run()"
    for command in ("status", "migrate"):
        done = subprocess.run(
            [sys.executable, "-c", code, command, "--database", URL],
            capture_output=True,
            text=True,
            env=machine.env,
            check=False,
        )
        assert done.returncode == 1
        assert "pip install 'sayso[postgres]'" in done.stderr


@pytest.mark.parametrize("command", [["serve", "--no-worker"], ["worker"]], ids=" ".join)
def test_a_folder_is_served_by_one_process_that_works_too(machine: Machine, data: Path, command: list[str]) -> None:
    done = machine.sayso(*command, "--data", str(data))
    assert done.returncode == 1
    assert "served by one process" in done.stderr
    assert "--database" in done.stderr
    assert list(data.iterdir()) == []


def test_nobody_needs_asyncpg_for_a_folder(machine: Machine, data: Path) -> None:
    code = "import sys; sys.modules['asyncpg'] = None; from sayso.cli.main import run; run()"
    done = subprocess.run(
        [PROGRAM[0], "-c", code, "keys", "list", "--data", str(data)], capture_output=True, env=machine.env, check=False
    )
    assert done.returncode == 0
