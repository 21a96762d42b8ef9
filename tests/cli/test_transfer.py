"""``sayso transfer``: a store in use moves to PostgreSQL, and goes on there."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import EXAMPLES, INPUT, Machine
from tests.postgres.servers import PASSWORD, PostgresServer

LISTED = ("list", "--limit", "1")


@pytest.fixture
def runs(machine: Machine, data: Path) -> list[str]:
    """Three requests that wait, the newest first."""
    machine.said("save", str(EXAMPLES / "approve-campaign-brief.md"), "--data", str(data))
    asking = ("run", "approve-campaign-brief", "--input", json.dumps(INPUT), "--data", str(data))
    return [str(machine.said(*asking)["run_id"]) for _ in range(3)][::-1]


@pytest.fixture
def url(postgres15: PostgresServer) -> str:
    return postgres15.fresh()


def test_a_store_goes_on_where_it_moved_to(machine: Machine, data: Path, runs: list[str], url: str) -> None:
    page = machine.said(*LISTED, "--data", str(data))
    moved = machine.said("transfer", "--data", str(data), "--database", url)
    assert (moved["rows"]["heads"], moved["rows"]["events"]) == (4, 7)
    following = machine.said(*LISTED, "--cursor", page["next_cursor"], "--database", url)
    assert [one["run_id"] for one in following["interactions"]] == [runs[1]]
    machine.said("answer", runs[0], "verdict=approve", "--database", url)
    assert machine.sayso("rebuild", "--check", "--database", url).returncode == 0


def test_at_a_terminal_it_shows_what_moved_and_what_to_do_next(
    machine: Machine, data: Path, runs: list[str], url: str
) -> None:
    with machine.at_a_terminal("transfer", "--data", str(data), "--database", url) as terminal:
        code, seen = terminal.end()
    assert code == 0, seen
    assert "events" in seen
    assert "Serve that from now on" in seen
    assert PASSWORD not in seen


def test_the_store_that_was_left_is_served_no_more(machine: Machine, data: Path, runs: list[str], url: str) -> None:
    machine.said("transfer", "--data", str(data), SAYSO_DATABASE=url)
    for command in (("serve", "--local"), ("list",), ("answer", runs[0], "verdict=approve")):
        done = machine.sayso(*command, "--data", str(data))
        assert done.returncode == 1
        assert f"{data} was moved to postgresql://127.0.0.1/" in done.stderr
    (data / "transfer.json").unlink()
    assert len(machine.said("list", "--data", str(data))["interactions"]) == 3


def test_a_store_that_is_served_stays(machine: Machine, data: Path, runs: list[str], url: str) -> None:
    with machine.serving("--local", "--port", "0", "--data", str(data)) as server:
        assert server.url
        done = machine.sayso("transfer", "--data", str(data), "--database", url)
    assert done.returncode == 1
    assert "Another process serves the store" in done.stderr
    assert not (data / "transfer.json").exists()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ((), "Missing option '--data'"),
        (("--data", "here"), "Missing option '--database'"),
        (("--data", "here", "--database", "mysql://db"), "must be a URL"),
        (("--data", "here", "--database", "postgresql://127.0.0.1:1/none"), "There is no folder here"),
    ],
)
def test_what_is_not_said_or_not_there_is_told(machine: Machine, options: tuple[str, ...], said: str) -> None:
    done = machine.sayso("transfer", *options)
    assert done.returncode in {1, 2}
    assert said in done.stderr


def test_a_database_that_is_away_is_told_and_nothing_has_begun(machine: Machine, data: Path, runs: list[str]) -> None:
    away = f"postgresql://sayso:{PASSWORD}@127.0.0.1:1/none"
    done = machine.sayso("transfer", "--data", str(data), "--database", away)
    assert done.returncode == 1
    assert "postgresql://127.0.0.1/none" in done.stderr
    assert PASSWORD not in done.stderr
    assert len(machine.said("list", "--data", str(data))["interactions"]) == 3
