"""`sayso apply`: a folder's documents become a playbook's definitions, all or, at a problem, none."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sayso.cli.apply import apply
from sayso.cli.commands import Session
from sayso.cli.door import Door, Outcome, Reach, opened
from sayso.cli.refusals import Refused
from sayso.cli.screen import Screen
from sayso.core.values import Json
from tests.cli.conftest import EXAMPLES, Machine

DOCUMENT = (EXAMPLES / "approve-campaign-brief.md").read_text()


@pytest.fixture
def folder(machine: Machine) -> Path:
    made = machine.home / "functions"
    made.mkdir()
    for name in ("approve-brief", "approve-budget"):
        (made / f"{name}.md").write_text(DOCUMENT)
    (made / "README.md").write_text("# Functions\n")
    return made


@pytest.fixture(params=["over HTTP", "at the file"])
def reach(request: pytest.FixtureRequest, machine: Machine, data: Path) -> Iterator[list[str]]:
    if request.param == "at the file":
        yield ["--data", str(data)]
        return
    with machine.serving("--local", "--port", "0", "--data", str(data)) as server:
        yield ["--url", server.url]


def actions(said: Any) -> dict[str, tuple[str, int | None]]:
    return {one["name"]: (one["action"], one["version"]) for one in said["definitions"]}


def change(file: Path) -> None:
    file.write_text(file.read_text().replace("P2D", "P3D"))


def test_a_folder_is_applied_and_then_unchanged(machine: Machine, folder: Path, reach: list[str]) -> None:
    first = machine.said("apply", str(folder), *reach)
    assert actions(first) == {"approve-brief": ("created", 1), "approve-budget": ("created", 1)}
    change(folder / "approve-brief.md")
    second = machine.said("apply", str(folder), *reach)
    assert actions(second) == {"approve-brief": ("updated", 2), "approve-budget": ("unchanged", 1)}
    third = machine.said("apply", str(folder), *reach)
    assert actions(third) == {"approve-brief": ("unchanged", 2), "approve-budget": ("unchanged", 1)}
    assert third["summary"] == {"created": 0, "updated": 0, "unchanged": 2, "retired": 0}


def test_an_update_shows_what_changes(machine: Machine, folder: Path, data: Path) -> None:
    reach = ["--data", str(data)]
    machine.said("apply", str(folder), *reach)
    change(folder / "approve-brief.md")
    done = machine.sayso("apply", str(folder), *reach)
    lines = done.stdout.splitlines()
    assert {"-expires: P2D", "+expires: P3D"} <= set(lines)
    assert lines[-2].split("\t") == ["updated", "approve-brief", "version 2", str(folder / "approve-brief.md")]
    assert done.stderr == "1 updated, 1 unchanged.\n"


def test_the_name_of_a_folder_adds_no_line_to_what_is_shown(machine: Machine, folder: Path, data: Path) -> None:
    odd = folder / "a\n+expires: P9D\n\x1b[2J"
    odd.mkdir()
    (odd / "approve-plan.md").write_text(DOCUMENT)
    machine.said("apply", str(folder), "--data", str(data))
    change(odd / "approve-plan.md")
    done = machine.sayso("apply", str(folder), "--data", str(data))
    assert [line for line in done.stdout.splitlines() if line.startswith("+e")] == ["+expires: P3D"]
    assert "\x1b" not in done.stdout
    (odd / "gone.md").symlink_to("nowhere")
    told = machine.sayso("apply", str(folder), "--data", str(data)).stderr
    assert told.count("\n") == 1
    assert "\x1b" not in told


def test_a_dry_run_says_it_and_changes_nothing(machine: Machine, folder: Path, data: Path) -> None:
    reach = ["--data", str(data)]
    for _ in range(2):
        said = machine.said("apply", str(folder), "--dry-run", *reach)
        assert actions(said) == {"approve-brief": ("create", None), "approve-budget": ("create", None)}
    told = machine.sayso("apply", str(folder), "--dry-run", *reach)
    assert told.stderr == "Nothing was changed. It would be: 2 created.\n"


def test_one_problem_and_nothing_is_applied(machine: Machine, folder: Path, data: Path) -> None:
    reach = ["--data", str(data)]
    (folder / "b.md").write_text(DOCUMENT.replace("P2D", "soon"))
    done = machine.sayso("apply", str(folder), *reach)
    assert done.returncode == 1
    assert [line.split(": ")[0] for line in done.stdout.splitlines()] == [f"{folder}/b.md:1", f"{folder}/b.md:4"]
    assert done.stderr.startswith("sayso: Nothing was applied: 2 problems in 1 file.\n")
    problem = json.loads(machine.sayso("apply", str(folder), "--json", *reach).stderr)
    assert [(one["file"], one["line"]) for one in problem["errors"]] == [(f"{folder}/b.md", 1), (f"{folder}/b.md", 4)]
    assert machine.said("definitions", "list", *reach)["definitions"] == []


def test_two_files_with_one_name_are_refused(machine: Machine, folder: Path, data: Path) -> None:
    (folder / "more").mkdir()
    (folder / "more/approve-brief.md").write_text(DOCUMENT)
    done = machine.sayso("apply", str(folder), "--data", str(data))
    assert done.returncode == 1
    assert f"more/approve-brief.md:1: The file {folder}/approve-brief.md has the same name" in done.stdout


def test_a_warning_is_told_and_does_not_count(machine: Machine, folder: Path, data: Path) -> None:
    (folder / "approve-brief.md").write_text("---\nto: ada\nexpires: P1D\n---\n" + "x" * 9_000)
    done = machine.sayso("apply", str(folder), "--data", str(data))
    assert done.returncode == 0
    assert f"{folder}/approve-brief.md:5: warning: The message is longer than" in done.stderr


def test_pruning_retires_what_no_file_has(machine: Machine, folder: Path, data: Path) -> None:
    reach = ["--data", str(data)]
    machine.said("apply", str(folder), *reach)
    (folder / "approve-budget.md").rename(folder / "approve-plan.md")
    said = machine.said("apply", str(folder), "--prune", "--yes", *reach)
    assert list(actions(said).items()) == [
        ("approve-brief", ("unchanged", 1)),
        ("approve-plan", ("created", 1)),
        ("approve-budget", ("retired", 1)),
    ]
    assert machine.said("apply", str(folder), "--prune", "--yes", *reach)["summary"]["retired"] == 0


def test_a_retired_name_is_refused_before_anything_is_done(machine: Machine, folder: Path, data: Path) -> None:
    reach = ["--data", str(data)]
    machine.said("apply", str(folder), *reach)
    machine.said("definitions", "retire", "approve-budget", "--yes", *reach)
    change(folder / "approve-brief.md")
    done = machine.sayso("apply", str(folder), *reach)
    assert done.returncode == 1
    assert f"{folder}/approve-budget.md:1: The definition approve-budget is retired" in done.stdout
    assert machine.said("definitions", "show", "approve-brief", *reach)["version"] == 1


def test_a_document_that_lost_its_first_line_is_not_pruned(machine: Machine, folder: Path, data: Path) -> None:
    reach = ["--data", str(data)]
    machine.said("apply", str(folder), *reach)
    (folder / "approve-budget.md").write_text(" " + DOCUMENT)
    done = machine.sayso("apply", str(folder), "--prune", "--yes", *reach)
    assert done.returncode == 1
    assert f"{folder}/approve-budget.md:1: Without a line of three hyphens here" in done.stdout


def test_nobody_is_asked_without_a_terminal(machine: Machine, folder: Path, data: Path) -> None:
    done = machine.sayso("apply", str(folder), "--prune", "--data", str(data))
    assert done.returncode == 2
    assert "--yes" in done.stderr


@pytest.mark.parametrize(("typed", "code"), [("yes", 0), ("", 1), ("no", 1)])
def test_at_a_terminal_pruning_is_asked_about(
    machine: Machine, folder: Path, data: Path, typed: str, code: int
) -> None:
    reach = ["--data", str(data)]
    machine.said("apply", str(folder), *reach)
    (folder / "approve-budget.md").unlink()
    with machine.at_a_terminal("apply", str(folder), "--prune", *reach) as terminal:
        terminal.expect("Retire for good approve-budget? A retired name is never used again. Type yes: ")
        terminal.type(typed)
        assert terminal.end()[0] == code
    kept = [one["name"] for one in machine.said("definitions", "list", *reach)["definitions"]]
    assert ("approve-budget" in kept) == bool(code)


def test_a_folder_without_documents_is_refused(machine: Machine, data: Path) -> None:
    done = machine.sayso("apply", str(machine.home / "tmp"), "--prune", "--yes", "--data", str(data))
    assert done.returncode == 1
    assert "has no documents" in done.stderr
    assert machine.sayso("apply", "missing", "--data", str(data)).returncode == 1


class Meddled:
    """A door behind which somebody else changes a definition just before it is updated."""

    def __init__(self, door: Door) -> None:
        self._door = door

    def perform(self, operation: str, **fields: Json) -> Outcome:
        if operation == "update_definition" and fields["name"] == "approve-budget":
            self._door.perform(operation, **(fields | {"source": DOCUMENT.replace("P2D", "P9D")}))
        return self._door.perform(operation, **fields)


def test_a_change_of_somebody_else_stops_it_and_what_was_done_is_said(
    machine: Machine, folder: Path, data: Path
) -> None:
    machine.said("apply", str(folder), "--data", str(data))
    for name in ("approve-brief", "approve-budget"):
        change(folder / f"{name}.md")
    plans = [f"approve-plan-{number}" for number in range(9)]
    for name in plans:
        (folder / f"{name}.md").write_text(DOCUMENT)
    reach = Reach(data=data)
    with opened(reach) as door, pytest.raises(Refused) as refused:
        session = Session(door=Meddled(door), screen=Screen(as_json=True), reach=reach)
        apply.__dict__["__wrapped__"](session, str(folder))
    assert refused.value.document["kind"] == "version_conflict"
    assert refused.value.document["applied"] == ["approve-brief"]
    assert refused.value.document["not_applied"] == ["approve-budget", *plans]
    assert "approve-plan-6 and 2 more." in str(refused.value.advice)
    assert refused.value.words.startswith("approve-budget: ")
    assert machine.said("apply", str(folder), "--data", str(data))["summary"]["updated"] == 1
