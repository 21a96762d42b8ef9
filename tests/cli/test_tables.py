"""Tables at a terminal: whole where they fit, and never wider than it is."""

import json
import re
from pathlib import Path

from rich.cells import cell_len

from tests.cli.conftest import EXAMPLES, INPUT, Machine

DOCUMENT = str(EXAMPLES / "approve-campaign-brief.md")
NAME = "approve-campaign-brief"


def test_a_narrow_terminal_cuts_the_message_and_never_an_id(machine: Machine, data: Path) -> None:
    reach = ["--data", str(data)]
    machine.said("save", DOCUMENT, *reach)
    run_id = machine.said("run", NAME, "--input", json.dumps(INPUT), *reach)["run_id"]
    with machine.at_a_terminal("list", *reach, COLUMNS="60", NO_COLOR="1") as terminal:
        shown = terminal.end()[1]
    assert run_id in shown
    assert "…" in shown


def test_where_a_table_does_not_fit_each_row_is_a_block(machine: Machine, data: Path) -> None:
    reach = ["--data", str(data)]
    machine.said("save", DOCUMENT, *reach)
    run_id = machine.said("run", NAME, "--input", json.dumps(INPUT), *reach)["run_id"]
    with machine.at_a_terminal("list", *reach, COLUMNS="70", NO_COLOR="1") as terminal:
        lines = terminal.end()[1].splitlines()
    assert "RUN" not in lines[0]
    assert run_id in lines[0]
    assert f"  function  {NAME}" in lines
    assert all(len(line) <= 70 for line in lines[1:])


def test_no_line_of_a_table_ends_in_blanks(machine: Machine, data: Path) -> None:
    reach = ["--data", str(data)]
    machine.said("save", DOCUMENT, *reach)
    for review in ("Sound.", "朝日 " * 90):
        machine.said("run", NAME, "--input", json.dumps(INPUT | {"owner": "朝日", "review": review}), *reach)
    with machine.at_a_terminal("list", *reach, COLUMNS="110", NO_COLOR="1") as terminal:
        lines = re.sub("\x1b\\[[0-9]*m", "", terminal.end()[1]).splitlines()
    assert len(lines) == 3
    assert all(line == line.rstrip() and cell_len(line) <= 110 for line in lines)
    parties = zip(lines, ("TO", "朝日", "朝日"), strict=True)
    assert len({cell_len(line[: line.index(party)]) for line, party in parties}) == 1


def test_a_dumb_terminal_gets_whole_values(machine: Machine, data: Path) -> None:
    reach = ["--data", str(data)]
    machine.said("save", DOCUMENT, *reach)
    run_id = machine.said("run", NAME, "--input", json.dumps(INPUT), *reach)["run_id"]
    with machine.at_a_terminal("show", run_id, *reach, TERM="dumb", COLUMNS="100") as terminal:
        shown = terminal.end()[1]
    assert "The run asked spring campaign owner and waits for an answer." in shown


def test_colour_is_for_terminals_that_want_it(machine: Machine, data: Path) -> None:
    reach = ["--data", str(data)]
    machine.said("save", DOCUMENT, *reach)
    machine.said("run", NAME, "--input", json.dumps(INPUT), *reach)
    with machine.at_a_terminal("list", *reach) as terminal:
        assert "\x1b[" in terminal.end()[1]
    with machine.at_a_terminal("list", *reach, NO_COLOR="1") as terminal:
        assert "\x1b[3" not in terminal.end()[1]
