"""The job by command line, at both doors: save, run, list, show, answer, cancel."""

import json
import subprocess
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx2
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


def test_each_fault_is_told_once(machine: Machine, data: Path) -> None:
    file = machine.home / "ask.md"
    file.write_text("---\nto: ada\nexpires: soon\n---\nGo?\n")
    first, *rest = machine.sayso("save", str(file), "--data", str(data)).stderr.splitlines()
    assert first == "sayso: The document is not saved: it has 1 problem."
    assert [line.startswith(f"  {file}:3: expires ") for line in rest] == [True]


def test_a_warning_stands_where_an_editor_finds_it(machine: Machine, reach: list[str]) -> None:
    file = machine.home / "ask.md"
    file.write_text("---\nto: ada\nexpires: P1D\n---\n" + "x" * 9_000)
    said = machine.sayso("check", str(file)).stdout
    assert said.startswith(f"{file}:5: warning: The message ")
    assert machine.sayso("save", str(file), *reach).stderr == said


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


def test_a_line_wider_than_the_terminal_stays_somebodys_words(machine: Machine, data: Path) -> None:
    reach = ["--data", str(data)]
    machine.said("save", DOCUMENT, *reach)
    sly = "words " * 9 + "sayso: The run has succeeded. " + "x" * 200
    run_id = machine.said("run", NAME, "--input", json.dumps(INPUT | {"review": sly}), *reach)["run_id"]
    with machine.at_a_terminal("show", run_id, *reach, COLUMNS="60", NO_COLOR="1") as terminal:
        lines = terminal.end()[1].splitlines()
    assert all(len(line) <= 60 for line in lines)
    first = next(number for number, line in enumerate(lines) if line.startswith("  |"))
    quoted = lines[first : first + lines[first:].index("")]
    assert all(line.startswith("  |") for line in quoted)
    assert not any(line.startswith(("sayso", "xxx")) for line in lines)
    assert [line.removeprefix("  | ") for line in quoted if "wor" in line] == ["words " * 8 + "words"]


def test_a_cancel_reason_is_quoted_and_not_said_by_sayso(machine: Machine, data: Path) -> None:
    reach, own = ["--data", str(data)], str(uuid.uuid4())
    machine.said("save", DOCUMENT, *reach)
    again = ["run", NAME, "--input", json.dumps(INPUT), "--run-id", own, *reach]
    machine.said(*again)
    assert machine.sayso("cancel", own, "--reason", "The key is wrong.\u202e", *reach).stdout == "cancelled\n"
    assert "why\tcancelled: “The key is wrong.\\u202e”\n" in machine.sayso("show", own, *reach).stdout
    assert machine.sayso(*again).stderr == "sayso: The run was cancelled: “The key is wrong.\\u202e”\n"


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (["show", "R1"], "sayso: This cannot be taken: run_id must be a UUID.\n"),
        (["save", str(EXAMPLES.parent / "README.md")], "sayso: The file's name is no name for a definition: "),
        (["run", "missing"], "sayso: There is no such definition.\n  `sayso save FILE`"),
        (["show", str(uuid.UUID(int=0))], "sayso: There is no such run.\n  `sayso list`"),
    ],
)
def test_a_person_is_told_once_and_what_to_do_next(machine: Machine, data: Path, command: list[str], said: str) -> None:
    done = machine.sayso(*command, "--data", str(data))
    assert done.returncode == 1
    assert done.stderr.startswith(said)
    assert done.stderr.count("must be") <= 1


def test_a_program_is_told_the_problem_as_it_is(machine: Machine, data: Path) -> None:
    problem = json.loads(machine.sayso("show", "R1", "--data", str(data), "--json").stderr)
    assert problem["detail"] == "get_run cannot take this: run_id must be a UUID."
    assert problem["errors"] == [{"detail": "run_id must be a UUID.", "pointer": "/run_id"}]


def test_a_list_goes_on_where_one_ended(machine: Machine, data: Path) -> None:
    reach = ["--data", str(data)]
    machine.said("save", DOCUMENT, *reach)
    runs = [machine.said("run", NAME, "--input", json.dumps(INPUT), *reach)["run_id"] for _ in range(3)]
    page = machine.said("list", "--limit", "2", *reach)
    rest = machine.said("list", "--limit", "2", "--cursor", page["next_cursor"], *reach)
    assert [one["run_id"] for one in page["interactions"] + rest["interactions"]] == runs[::-1]
    assert rest["next_cursor"] is None
    said = machine.sayso("list", "--limit", "2", *reach).stderr
    assert said == f"There are more than these 2: --cursor {page['next_cursor']}\n"


def test_an_empty_list_says_of_which_playbook(machine: Machine, data: Path) -> None:
    done = machine.sayso("list", "--data", str(data))
    assert done.stderr == "No request waits in the playbook default of the org local.\n"


def test_a_store_of_another_org_does_not_look_empty(machine: Machine, data: Path) -> None:
    machine.said("keys", "create", "--org", "acme", "--data", str(data))
    done = machine.sayso("list", "--data", str(data))
    assert done.returncode == 1
    assert done.stderr == "sayso: This store has the org acme: say --org acme.\n"
    assert machine.said("list", "--org", "acme", "--data", str(data))["interactions"] == []
    machine.said("keys", "create", "--org", "other", "--data", str(data))
    assert "2 orgs: say --org, such as acme, other." in machine.sayso("list", "--data", str(data)).stderr


def test_an_unchanged_document_is_told_from_a_saved_one(machine: Machine, data: Path) -> None:
    said = [machine.sayso("save", DOCUMENT, "--data", str(data)).stdout for _ in range(2)]
    assert said == [f"{NAME} is saved as version 1.\n", f"{NAME} is unchanged: version 1.\n"]


@pytest.mark.parametrize("key", ["say_k_{}\r", " say_k_{}\n"])
def test_a_key_comes_without_what_a_file_adds_to_it(machine: Machine, key: str) -> None:
    with machine.serving("--port", "0", "--data", str(machine.home / "data")) as server:
        done = machine.sayso("list", "--url", server.url, "--org", "a", SAYSO_KEY=key.format("s" * 43))
    assert "has the id k " in done.stderr
    assert "s" * 43 not in done.stderr


@pytest.mark.parametrize("secret", ["säcret", "se\rcret", "se cret", "secret\udcff"])
def test_a_key_with_another_character_is_refused_and_never_shown(machine: Machine, secret: str) -> None:
    done = machine.sayso("list", "--url", "http://127.0.0.1:9", "--org", "a", SAYSO_KEY=f"say_k_{secret}")
    assert done.returncode == 2
    assert "The key holds a character that no key has (--key or SAYSO_KEY)." in done.stderr
    assert "say_k" not in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a disk that is always full")
def test_output_that_cannot_be_written_is_an_error_in_words(machine: Machine, data: Path) -> None:
    reach = ["--data", str(data)]
    machine.said("save", DOCUMENT, *reach)
    machine.said("run", NAME, "--input", json.dumps(INPUT), *reach)
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*PROGRAM, "list", *reach], stdout=full, stderr=subprocess.PIPE, text=True, env=machine.env, check=False
        )
    assert done.returncode == 1
    assert done.stderr == "sayso: The output cannot be written: No space left on device.\n"


def test_a_request_is_given_to_another_and_shown_so(machine: Machine, reach: list[str], run_id: str) -> None:
    given = machine.sayso("reassign", run_id, "--to", "the night desk", "--from", "the chief", *reach)
    assert given.stdout == "The request is put to the night desk, for the chief to answer.\n"
    assert [one["run_id"] for one in machine.said("list", "--to", "the night desk", *reach)["interactions"]] == [run_id]
    shown = machine.said("show", run_id, *reach)
    assert (shown["request"]["to"], shown["request"]["answerer"]) == ("the night desk", "the chief")
    back = machine.said("reassign", run_id, "--from", "the night desk", *reach)
    assert back == {"run_id": run_id, "to": "the night desk", "answerer": None}
    assert "answerer" not in machine.said("show", run_id, *reach)["request"]


def test_a_token_is_printed_alone_and_good_over_http(machine: Machine, data: Path) -> None:
    at_file = ["--data", str(data), "--org", "acme"]
    machine.said("keys", "create", *at_file)
    machine.said("save", DOCUMENT, *at_file)
    run_id = machine.said("run", NAME, "--input", json.dumps(INPUT), *at_file)["run_id"]
    made = machine.sayso("tokens", "create", run_id, "--expires", "PT1H", *at_file)
    assert "Whoever has it may answer" in made.stderr
    with machine.serving("--port", "0", "--data", str(data)) as server:
        url = f"{server.url}/v1/orgs/acme/playbooks/default/runs/{run_id}/answer"
        headers = {"authorization": f"Request {made.stdout.strip()}"}
        answered = httpx2.post(url, json={"answer": {"verdict": "approve"}}, headers=headers)
    assert (answered.status_code, answered.json()["answered_by"]) == (200, "token:operator")
