"""Answering at a terminal: each field asked for, a refusal asked again, and nothing sent that was not meant."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Machine

DOCUMENT = """---
to: kitchen
expires: PT1H
output:
  schema:
    type: object
    required: [dish, spicy, portions]
    properties:
      dish: { type: string, enum: [soup, stew] }
      spicy: { type: boolean, description: Some like it hot }
      portions: { type: integer, maximum: 40 }
      price: { type: number }
      note: { type: string, maxLength: 5 }
      extras: { type: array }
      sides: { type: array, items: { enum: [bread, salad, rice] } }
---
What is for lunch?
"""


@pytest.fixture
def reach(data: Path) -> list[str]:
    return ["--data", str(data)]


@pytest.fixture
def run_id(machine: Machine, reach: list[str], tmp_path: Path) -> str:
    file = tmp_path / "ask-lunch.md"
    file.write_text(DOCUMENT)
    machine.said("save", str(file), *reach)
    return str(machine.said("run", "ask-lunch", *reach)["run_id"])


def output(machine: Machine, run_id: str, reach: list[str]) -> Any:
    return machine.said("show", run_id, *reach)["run"].get("output")


def test_each_field_is_asked_for_and_a_refused_one_again(machine: Machine, reach: list[str], run_id: str) -> None:
    with machine.at_a_terminal("answer", run_id, *reach) as terminal:
        assert "What is for lunch?" in terminal.expect("dish> ")
        terminal.type("2")
        assert "Some like it hot" in terminal.expect("spicy (y/n)> ")
        terminal.type("")
        terminal.expect("A value is needed here.")
        terminal.expect("spicy (y/n)> ")
        terminal.type("n")
        terminal.expect("portions> ")
        terminal.type("41")
        terminal.expect("price> ")
        terminal.type("12.50")
        terminal.expect("note> ")
        terminal.type("")
        terminal.expect("extras (JSON)> ")
        terminal.type('["bread"]')
        assert "2) salad" in terminal.expect("sides (commas between)> ")
        terminal.type("3, bread")
        terminal.expect("/answer/portions")
        terminal.expect("portions> ")
        terminal.type("40")
        code, shown = terminal.end()
    assert code == 0
    assert "answered by operator" in shown
    expected = {"dish": "stew", "spicy": False, "portions": 40, "price": 12.5, "extras": ["bread"]} | {
        "sides": ["rice", "bread"]
    }
    assert output(machine, run_id, reach) == expected


@pytest.mark.parametrize(("key", "code"), [(b"\x04", 1), (b"\x03", 130)])
def test_leaving_halfway_sends_nothing(machine: Machine, reach: list[str], run_id: str, key: bytes, code: int) -> None:
    with machine.at_a_terminal("answer", run_id, *reach) as terminal:
        terminal.expect("dish> ")
        terminal.press(key)
        ended, shown = terminal.end()
    assert ended == code
    assert "Traceback" not in shown
    assert output(machine, run_id, reach) is None


def test_fields_are_read_as_their_schema_says(machine: Machine, reach: list[str], run_id: str) -> None:
    fields = ["dish=soup", "spicy=true", "portions=3", "note=true", "sides=rice,bread"]
    assert machine.said("answer", run_id, *fields, *reach)["answer"] == {
        "dish": "soup",
        "spicy": True,
        "portions": 3,
        "note": "true",
        "sides": ["rice", "bread"],
    }


@pytest.mark.parametrize(
    ("written", "value"), [("yes", True), ("true", True), ("no", False), ("false", False), ("Y", True)]
)
def test_a_boolean_field_takes_yes_and_no(
    machine: Machine, reach: list[str], run_id: str, written: str, value: bool
) -> None:
    fact = machine.said("answer", run_id, "dish=soup", f"spicy={written}", "portions=1", *reach)
    assert fact["answer"]["spicy"] is value


def test_what_is_no_choice_is_refused_by_the_server_at_its_place(
    machine: Machine, reach: list[str], run_id: str
) -> None:
    done = machine.sayso("answer", run_id, "dish=pizza", "spicy=no", "portions=1", "--json", *reach)
    assert done.returncode == 1
    problem = json.loads(done.stderr)
    assert (problem["reason"], problem["errors"][0]["pointer"]) == ("invalid_input", "/answer/dish")


def test_a_field_given_twice_is_told_so(machine: Machine, reach: list[str], run_id: str) -> None:
    done = machine.sayso("answer", run_id, "portions=1", "portions=2", *reach)
    assert done.returncode == 2
    assert "portions is given twice" in done.stderr


def test_what_is_no_json_is_told_so_once(machine: Machine, reach: list[str], run_id: str) -> None:
    done = machine.sayso("answer", run_id, "extras=[1", *reach)
    assert done.returncode == 2
    assert done.stderr.count("JSON is needed") == 1
    assert "not JSON" not in done.stderr


@pytest.mark.parametrize("field", ["dish", "size=1", "portions=many", "spicy=perhaps", "sides=1,2"])
def test_a_field_that_cannot_be_is_a_usage_error(machine: Machine, reach: list[str], run_id: str, field: str) -> None:
    done = machine.sayso("answer", run_id, field, *reach)
    assert done.returncode == 2
    assert field.partition("=")[0] in done.stderr
    assert output(machine, run_id, reach) is None


def test_without_a_terminal_nobody_can_be_asked(machine: Machine, reach: list[str], run_id: str) -> None:
    done = machine.sayso("answer", run_id, *reach)
    assert done.returncode == 2
    assert "--answer JSON" in done.stderr


def test_a_refused_answer_leaves_the_request_open(machine: Machine, reach: list[str], run_id: str) -> None:
    done = machine.sayso("answer", run_id, "--answer", '{"dish": "soup"}', *reach, "--json")
    assert done.returncode == 1
    problem = json.loads(done.stderr)
    assert problem["status"] == 422
    assert all(error["pointer"].startswith("/answer") for error in problem["errors"])
    assert machine.said("list", *reach)["interactions"]


FIELDS = ["dish=soup", "spicy=no", "portions=2"]


def test_the_same_fields_again_get_the_recorded_fact(machine: Machine, reach: list[str], run_id: str) -> None:
    fact = machine.said("answer", run_id, *FIELDS, *reach)
    assert machine.said("answer", run_id, *FIELDS, *reach) == fact


def test_other_fields_after_an_answer_are_told_whose_it_was(machine: Machine, reach: list[str], run_id: str) -> None:
    machine.said("answer", run_id, *FIELDS, *reach)
    done = machine.sayso("answer", run_id, *FIELDS[:2], "portions=3", *reach)
    assert done.returncode == 1
    assert "was answered already, by operator at " in done.stderr


def test_fields_for_a_cancelled_run_are_refused_by_the_server(machine: Machine, reach: list[str], run_id: str) -> None:
    machine.said("cancel", run_id, *reach)
    done = machine.sayso("answer", run_id, "dish=soup", *reach)
    assert done.returncode == 1
    assert done.stderr == "sayso: The run was cancelled: its request takes no answer.\n"


def test_nobody_is_asked_about_a_run_that_has_ended(machine: Machine, reach: list[str], run_id: str) -> None:
    machine.said("answer", run_id, *FIELDS, *reach)
    with machine.at_a_terminal("answer", run_id, *reach) as terminal:
        code, shown = terminal.end()
    assert code == 1
    assert "The request was answered already, by operator at " in shown
