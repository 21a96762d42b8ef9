"""``sayso demo``: the main job once, and no process or file left behind."""

import os
import re
import signal
import stat
from pathlib import Path

import pytest

from sayso.cli import demo
from tests.cli.conftest import EXAMPLES, Machine


def left_behind(machine: Machine) -> list[str]:
    """What the demo should have cleared away: announced servers and temporary folders."""
    folders = (machine.home / "run" / "sayso", machine.home / "tmp")
    return [str(file) for folder in folders if folder.exists() for file in folder.iterdir()]


@pytest.mark.parametrize("variables", [{}, {"ANSWER": "approve"}, {"ANSWER": ""}])
def test_without_a_terminal_it_answers_by_itself(machine: Machine, variables: dict[str, str]) -> None:
    done = machine.sayso("demo", **variables)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "succeeded"
    assert '{"verdict": "approve"}' in done.stdout
    for event in ("run_started", "interaction_requested", "request_answered", "run_succeeded"):
        assert event in done.stdout
    assert left_behind(machine) == []


def test_a_person_answers_right_there(machine: Machine) -> None:
    with machine.at_a_terminal("demo") as terminal:
        shown = terminal.expect("verdict> ")
        assert "curl" in shown
        assert "verdict=approve" in shown
        terminal.type("revise")
        terminal.expect("note> ")
        terminal.type("Strike the claim.")
        code, shown = terminal.end()
    assert code == 0
    assert '{"verdict": "revise", "note": "Strike the claim."}' in shown
    assert "succeeded" in shown.splitlines()[-1]
    assert left_behind(machine) == []


def test_a_person_answers_from_another_terminal(machine: Machine) -> None:
    with machine.at_a_terminal("demo") as terminal:
        command = re.search(r" answer (\S+) --url (\S+)\n", terminal.expect("verdict> "))
        assert command is not None
        machine.said("answer", command[1], "verdict=approve", "note=From afar.", "--url", command[2])
        code, shown = terminal.end()
    assert code == 0
    assert "from elsewhere" in shown
    assert "From afar." in shown


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_however_it_is_left_its_server_stops(machine: Machine, number: int, code: int) -> None:
    with machine.at_a_terminal("demo") as terminal:
        terminal.expect("verdict> ")
        (announced,) = machine.home.glob("tmp/sayso-demo-*/sayso/*.json")
        os.kill(terminal.process.pid, number)
        assert terminal.end()[0] == code
    with pytest.raises(ProcessLookupError):
        os.kill(int(announced.stem), 0)
    assert left_behind(machine) == []


def test_beside_a_demo_the_one_local_server_is_found(machine: Machine) -> None:
    with machine.serving("--local", "--port", "0") as server, machine.at_a_terminal("demo") as terminal:
        assert server.url
        terminal.expect("verdict> ")
        assert machine.said("list")["interactions"] == []
        (log,) = machine.home.glob("tmp/sayso-demo-*/server.log")
        assert stat.S_IMODE(log.parent.stat().st_mode) == 0o700


def test_the_answers_that_it_takes_are_those_of_its_example() -> None:
    example = (EXAMPLES / f"{demo.FUNCTION}.md").read_text(encoding="utf-8")
    assert f"enum: [{', '.join(demo.VERDICTS)}]" in example


def test_a_store_of_ones_own_is_kept(machine: Machine, data: Path) -> None:
    assert machine.sayso("demo", "--data", str(data)).returncode == 0
    assert machine.sayso("demo", "--data", str(data), "--answer", "revise").returncode == 0
    assert not list(data.glob("*.log"))
    assert (data / "sayso.db").exists()
    assert machine.said("list", "--data", str(data))["interactions"] == []


def test_a_server_that_cannot_start_is_told_in_its_own_words(machine: Machine, data: Path) -> None:
    machine.said("keys", "create", "--org", "acme", "--data", str(data))
    done = machine.sayso("demo", "--data", str(data))
    assert done.returncode == 1
    assert "holds keys" in done.stderr
