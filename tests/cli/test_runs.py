"""The job by command line, at both doors: save, run, list, show, answer, cancel."""

import json
import subprocess
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import EXAMPLES, INPUT, PROGRAM, Machine

DOCUMENT = str(EXAMPLES / "approve-campaign-brief.md")
NAME = "approve-campaign-brief"

Said = Callable[..., Any]


@pytest.fixture(params=["over HTTP", "at the file", "beside a server"])
def reach(request: pytest.FixtureRequest, machine: Machine, data: Path) -> Iterator[list[str]]:
    """How the commands reach the store: through a server, or at the file with or without one."""
    if request.param == "at the file":
        yield ["--data", str(data)]
        return
    with machine.serving("--local", "--port", "0", "--data", str(data)) as server:
        url = server.url  # it is up
        yield ["--url", url] if request.param == "over HTTP" else ["--data", str(data)]


@pytest.fixture
def run_id(machine: Machine, reach: list[str]) -> str:
    machine.said("save", DOCUMENT, *reach)
    started = machine.said("run", NAME, "--input", json.dumps(INPUT), *reach)
    assert started["status"] == "started"
    return str(started["run_id"])


def test_the_whole_job(machine: Machine, reach: list[str], run_id: str) -> None:
    (waiting,) = machine.said("list", *reach)["interactions"]
    assert (waiting["run_id"], waiting["to"]) == (run_id, INPUT["owner"])
    assert machine.said("answer", run_id, "verdict=approve", *reach)["answer"] == {"verdict": "approve"}
    shown = machine.said("show", run_id, *reach)
    assert shown["run"]["status"] == "succeeded"
    assert shown["run"]["output"] == {"verdict": "approve"}
    assert INPUT["review"] in shown["request"]["message"]
    events = ["run_started", "interaction_requested", "request_answered", "run_succeeded"]
    assert [event["type"] for event in shown["history"]] == events
    assert machine.said("list", *reach)["interactions"] == []


def test_a_run_is_cancelled_with_its_reason(machine: Machine, reach: list[str], run_id: str) -> None:
    cancelled = machine.said("cancel", run_id, "--reason", "the campaign is off", *reach)
    assert cancelled["rejection"]["reason"] == "cancelled"
    assert "the campaign is off" in machine.sayso("show", run_id, *reach).stdout


def test_a_saved_definition_gets_its_next_version(machine: Machine, reach: list[str], tmp_path: Path) -> None:
    file = tmp_path / "approve.md"
    file.write_text(Path(DOCUMENT).read_text())
    assert machine.said("save", str(file), *reach)["version"] == 1
    assert machine.said("save", str(file), *reach)["version"] == 1
    file.write_text(file.read_text() + "\nThank you.\n")
    assert machine.said("save", str(file), *reach)["version"] == 2
    assert machine.said("save", str(file), "--name", "another", *reach)["version"] == 1


def test_the_faults_of_a_document_stand_where_an_editor_finds_them(
    machine: Machine, reach: list[str], tmp_path: Path
) -> None:
    file = tmp_path / "approve.md"
    file.write_text(Path(DOCUMENT).read_text().replace("P2D", "soon").replace("{{ input.review }}", "{{ input.rev"))
    done = machine.sayso("save", str(file), *reach)
    assert done.returncode == 1
    line = 1 + file.read_text().split("\n").index("expires: soon")
    assert f"{file}:{line}: " in done.stderr
    document = json.loads(machine.sayso("save", str(file), "--json", *reach).stderr)
    assert {"pointer", "detail"} <= set(document["errors"][0])
    assert document["errors"][0]["pointer"] == "/source"


def test_the_same_run_id_starts_nothing_new(machine: Machine, reach: list[str]) -> None:
    machine.said("save", DOCUMENT, *reach)
    own = str(uuid.uuid4())
    command = ["run", NAME, "--input", json.dumps(INPUT), "--run-id", own, *reach]
    assert machine.said(*command) == machine.said(*command)
    assert len(machine.said("list", *reach)["interactions"]) == 1


def test_the_second_answer_is_told_of_the_first(machine: Machine, reach: list[str], run_id: str) -> None:
    machine.said("answer", run_id, "--answer", '{"verdict": "revise"}', *reach)
    done = machine.sayso("answer", run_id, "--answer", '{"verdict": "approve"}', "--json", *reach)
    assert done.returncode == 1
    assert done.stdout == ""
    assert json.loads(done.stderr)["reason"] == "conflict"


@pytest.mark.parametrize("command", [["show"], ["cancel"], ["answer", "--answer", "{}"], ["answer", "verdict=approve"]])
def test_a_run_that_is_not_there_is_the_same_404_at_every_door(
    machine: Machine, reach: list[str], command: list[str]
) -> None:
    name, *options = command
    done = machine.sayso(name, str(uuid.uuid4()), *options, *reach, "--json")
    assert done.returncode == 1
    assert json.loads(done.stderr)["reason"] == "not_found"


def test_input_comes_from_a_file_or_from_standard_input(machine: Machine, data: Path, tmp_path: Path) -> None:
    reach = ["--data", str(data)]
    machine.said("save", DOCUMENT, *reach)
    file = tmp_path / "input.json"
    file.write_text(json.dumps(INPUT))
    assert machine.said("run", NAME, "--input", f"@{file}", *reach)["status"] == "started"
    assert machine.said("run", NAME, "--input", "-", *reach, given=json.dumps(INPUT))["status"] == "started"


def test_what_others_wrote_cannot_steer_a_terminal(machine: Machine, data: Path) -> None:
    reach = ["--data", str(data)]
    machine.said("save", DOCUMENT, *reach)
    hostile = {"owner": "x[bold]y[/]", "review": "\x1b]0;owned\x07 [red]z[/] \u202egnp"}
    run_id = machine.said("run", NAME, "--input", json.dumps(hostile), *reach)["run_id"]
    for command, end in ((["list"], "[red]z"), (["show", run_id], "[red]z[/] \\u202egnp")):
        with machine.at_a_terminal(*command, *reach) as terminal:
            code, shown = terminal.end()
        assert code == 0
        assert "x[bold]y[/]" in shown
        assert f"␛]0;owned␇ {end}" in shown
        assert not {"\x07", "\u202e", "\x1b]0;"} & set(shown)


def test_a_pipe_gets_plain_lines_and_may_close_early(machine: Machine, data: Path) -> None:
    reach = ["--data", str(data)]
    machine.said("save", DOCUMENT, *reach)
    for _ in range(2):
        machine.said("run", NAME, "--input", json.dumps(INPUT), *reach)
    plain = machine.sayso("list", *reach).stdout
    assert [len(line.split("\t")) for line in plain.splitlines()] == [5, 5]
    listing = subprocess.Popen(
        [*PROGRAM, "list", *reach], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=machine.env
    )
    assert listing.stdout is not None
    listing.stdout.close()
    _, said = listing.communicate(timeout=30)
    assert said == b""


def test_a_narrow_terminal_cuts_the_message_and_never_an_id(machine: Machine, data: Path) -> None:
    reach = ["--data", str(data)]
    machine.said("save", DOCUMENT, *reach)
    run_id = machine.said("run", NAME, "--input", json.dumps(INPUT), *reach)["run_id"]
    with machine.at_a_terminal("list", *reach, COLUMNS="60", NO_COLOR="1") as terminal:
        shown = terminal.end()[1]
    assert run_id in shown
    assert "…" in shown


def test_colour_is_for_terminals_that_want_it(machine: Machine, data: Path) -> None:
    reach = ["--data", str(data)]
    machine.said("save", DOCUMENT, *reach)
    machine.said("run", NAME, "--input", json.dumps(INPUT), *reach)
    with machine.at_a_terminal("list", *reach) as terminal:
        assert "\x1b[" in terminal.end()[1]
    with machine.at_a_terminal("list", *reach, NO_COLOR="1") as terminal:
        assert "\x1b[3" not in terminal.end()[1]
