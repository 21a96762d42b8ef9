"""`sayso definitions`: what is saved, how it changed, and its end."""

import json
from pathlib import Path

import pytest

from sayso.cli.door import Reach, opened
from sayso.cli.runs import saved_definition
from tests.cli.conftest import EXAMPLES, INPUT, Machine

NAME = "approve-campaign-brief"
DOCUMENT = (EXAMPLES / f"{NAME}.md").read_text()


def save(data: Path, name: str, source: str) -> None:
    with opened(Reach(data=data)) as door:
        saved_definition(door, "interaction", name, source)


@pytest.fixture
def saved(data: Path) -> list[str]:
    """The way to a store in which the example is saved, in two versions."""
    for length in ("P2D", "P3D"):
        save(data, NAME, DOCUMENT.replace("P2D", length))
    return ["--data", str(data)]


def test_a_server_tells_the_same(machine: Machine, saved: list[str]) -> None:
    commands = [["list"], ["versions", NAME], ["show", NAME, "--version", "1"], ["diff", NAME, "1", "2"]]
    with machine.serving("--local", "--port", "0", *saved) as server:
        for command in commands:
            assert machine.said("definitions", *command, "--url", server.url) == machine.said(
                "definitions", *command, *saved
            )
        assert machine.said("definitions", "retire", NAME, "--yes", "--url", server.url)["status"] == "retired"


def test_definitions_are_listed_by_name(machine: Machine, data: Path, saved: list[str]) -> None:
    save(data, "read-customer", (EXAMPLES / "cookbook/read-customer.md").read_text())
    page = machine.said("definitions", "list", "--limit", "1", *saved)
    rest = machine.said("definitions", "list", "--cursor", page["next_cursor"], *saved)
    assert [one["name"] for one in page["definitions"] + rest["definitions"]] == [NAME, "read-customer"]
    told = machine.sayso("definitions", "list", "--limit", "1", *saved)
    assert told.stdout.split("\t")[:3] == [NAME, "2", "active"]
    assert told.stderr == f"There are more than these 1: --cursor {page['next_cursor']}\n"


def test_versions_are_listed_newest_first(machine: Machine, saved: list[str]) -> None:
    rows = machine.sayso("definitions", "versions", NAME, *saved).stdout.splitlines()
    assert [row.split("\t")[0] for row in rows] == ["2", "1"]
    assert [one["version"] for one in machine.said("definitions", "versions", NAME, *saved)["versions"]] == [2, 1]


def test_a_definition_is_shown_in_plain_words_and_then_as_written(machine: Machine, saved: list[str]) -> None:
    shown = machine.sayso("definitions", "show", NAME, *saved).stdout
    assert "version\t2\n" in shown
    assert shown.index("3 days") < shown.index("  | expires: P3D\n")
    assert "P2D" in machine.sayso("definitions", "show", NAME, "--version", "1", *saved).stdout
    assert "overview" in machine.said("definitions", "show", NAME, *saved)


def test_the_source_comes_back_byte_for_byte(machine: Machine, saved: list[str]) -> None:
    assert machine.sayso("definitions", "show", NAME, "--source", "--version", "1", *saved).stdout == DOCUMENT


@pytest.mark.parametrize("versions", [[], ["1"], ["1", "2"]])
def test_two_versions_are_compared(machine: Machine, saved: list[str], versions: list[str]) -> None:
    done = machine.sayso("definitions", "diff", NAME, *versions, *saved)
    assert {"-expires: P2D", "+expires: P3D"} <= set(done.stdout.splitlines())
    assert "expires changed" in done.stderr
    assert machine.said("definitions", "diff", NAME, *versions, *saved)["changed"] == ["expires changed"]


def test_a_version_does_not_differ_from_itself(machine: Machine, saved: list[str]) -> None:
    done = machine.sayso("definitions", "diff", NAME, "1", "1", *saved)
    assert (done.stdout, done.stderr) == ("", "Version 1 is compared with itself.\n")


def test_before_the_first_version_there_is_none(machine: Machine, data: Path) -> None:
    save(data, NAME, DOCUMENT)
    assert machine.sayso("definitions", "diff", NAME, "--data", str(data)).stderr == "Nothing comes before version 1.\n"


def test_versions_may_be_the_same_again(machine: Machine, data: Path) -> None:
    for length in ("P2D", "P3D", "P2D"):
        save(data, NAME, DOCUMENT.replace("P2D", length))
    done = machine.sayso("definitions", "diff", NAME, "1", "3", "--data", str(data))
    assert done.stderr == "Versions 1 and 3 are the same.\n"


@pytest.mark.parametrize("command", [["show", NAME, "--version", "7"], ["diff", NAME, "7"], ["diff", NAME, "1", "7"]])
def test_where_a_version_is_not_there_the_newest_is_told(
    machine: Machine, saved: list[str], command: list[str]
) -> None:
    done = machine.sayso("definitions", *command, *saved)
    assert (done.returncode, done.stderr) == (1, "sayso: There is no such version.\n  The newest is version 2.\n")


@pytest.mark.parametrize("command", [["run"], ["definitions", "show"], ["definitions", "retire", "--yes"]])
def test_where_a_name_is_not_there_a_near_one_is_told(machine: Machine, saved: list[str], command: list[str]) -> None:
    done = machine.sayso(*command, "approve-campain-brief", *saved)
    assert (done.returncode, done.stderr) == (1, f"sayso: There is no such definition.\n  Did you mean {NAME}?\n")
    problem = json.loads(machine.sayso(*command, "approve-campain-brief", "--json", *saved).stderr)
    assert problem["detail"] == "There is no such definition."


def test_who_may_not_look_is_told_no_name(machine: Machine, data: Path) -> None:
    store = ["--data", str(data)]
    key = machine.said("keys", "create", "--org", "acme", "--permissions", "playbook:write", *store)["key"]
    machine.said("save", str(EXAMPLES / f"{NAME}.md"), "--org", "acme", *store)
    with machine.serving("--port", "0", *store) as server:
        done = machine.sayso("run", f"{NAME}s", "--url", server.url, "--org", "acme", SAYSO_KEY=key)
    assert done.stderr.startswith("sayso: There is no such definition.\n  `sayso save FILE`")


def test_a_retired_definition_is_kept_and_not_run(machine: Machine, saved: list[str]) -> None:
    assert "is retired since" in machine.sayso("definitions", "retire", NAME, "--yes", *saved).stdout
    assert machine.said("definitions", "retire", NAME, "--yes", *saved)["status"] == "retired"
    assert machine.said("definitions", "list", *saved)["definitions"] == []
    assert len(machine.said("definitions", "list", "--retired", *saved)["definitions"]) == 1
    assert "retired\t" in machine.sayso("definitions", "show", NAME, *saved).stdout
    refused = machine.sayso("run", NAME, "--input", json.dumps(INPUT), "--json", *saved)
    assert json.loads(refused.stderr)["kind"] == "retired"


@pytest.mark.parametrize(("typed", "code"), [("yes", 0), ("no", 1)])
def test_retiring_is_asked_about_at_a_terminal(machine: Machine, saved: list[str], typed: str, code: int) -> None:
    with machine.at_a_terminal("definitions", "retire", NAME, *saved) as terminal:
        terminal.expect("Type yes: ")
        terminal.type(typed)
        assert terminal.end()[0] == code
    assert len(machine.said("definitions", "list", *saved)["definitions"]) == code


def test_retiring_wants_a_yes_where_nobody_is_asked(machine: Machine, data: Path) -> None:
    done = machine.sayso("definitions", "retire", NAME, "--data", str(data))
    assert done.returncode == 2
    assert "--yes" in done.stderr


def test_an_empty_playbook_says_so(machine: Machine, data: Path) -> None:
    done = machine.sayso("definitions", "list", "--data", str(data))
    assert done.stderr == "No definition is in the playbook default of the org local.\n"


@pytest.mark.parametrize("command", [["show"], ["versions"], ["diff"], ["retire", "--yes"]])
def test_what_is_not_there_is_not_found(machine: Machine, data: Path, command: list[str]) -> None:
    done = machine.sayso("definitions", command[0], "missing", *command[1:], "--data", str(data))
    assert done.returncode == 1
    assert done.stderr.startswith("sayso: There is no such definition.\n  `sayso save FILE`")


def test_a_document_cannot_steer_a_terminal(machine: Machine, data: Path) -> None:
    front = "description: 'See [the bank](https://bank.example)'\nto: ada\nexpires: P1D"
    save(data, "sly-one", f"---\n{front}\n---\nA\x1b]0;b\x07 \u202eC\n")
    for options in ([], ["--source"]):
        command = ["definitions", "show", "sly-one", *options, "--data", str(data)]
        with machine.at_a_terminal(*command, NO_COLOR="1") as terminal:
            shown = terminal.end()[1]
        assert "A␛]0;b␇ \\u202eC" in shown
        assert "https://bank.example" in shown
        assert not {"\x07", "\u202e"} & set(shown)
        assert "\x1b]8;" not in shown
