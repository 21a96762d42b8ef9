"""``sayso notices``: who is told of new requests, how that goes, and telling again; seen by a real receiver."""

import contextlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import EXAMPLES, INPUT, Machine
from tests.notices.receiver import Receiver
from tests.postgres.daemon import until

LONG_AGO = "2000-01-01T00:00:00Z"


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with Receiver() as started:
        yield started


@contextlib.contextmanager
def telling(machine: Machine, data: Path, receiver: Receiver) -> Iterator[dict[str, str]]:
    """A store with a function, served by a process that tells the receiver; the environment that says so."""
    machine.said("save", str(EXAMPLES / "approve-campaign-brief.md"), "--data", str(data))
    told = {"NOTIFY": receiver.url, "NOTIFY_PRIVATE": "true"}
    receiver.secret = machine.sayso("notices", "secret", "--data", str(data), **told).stdout.strip()
    with machine.serving("--local", "--port", "0", "--data", str(data), **told) as server:
        assert server.url
        # What is there before anybody is told is not told of.
        until(lambda: bool(listed(machine, data)), lambda: "nobody is told")
        yield told


def listed(machine: Machine, data: Path) -> list[dict[str, Any]]:
    notices: list[dict[str, Any]] = machine.said("notices", "list", "--data", str(data))["notices"]
    return notices


def ask(machine: Machine, data: Path) -> str:
    run = machine.said("run", "approve-campaign-brief", "--input", json.dumps(INPUT), "--data", str(data))
    return str(run["run_id"])


def test_who_was_told_is_listed_and_told_again_under_the_same_id(
    machine: Machine, data: Path, receiver: Receiver
) -> None:
    with telling(machine, data, receiver) as told:
        run_id = ask(machine, data)
        receiver.until(1)
        again = machine.said("notices", "replay", "--since", LONG_AGO, "--data", str(data), **told)
        assert again == {"playbooks": ["local/default"]}
        receiver.until(2)
        assert {event["subject"] for event in receiver.events} == {run_id}
        assert len(set(receiver.ids)) == 1
        until(lambda: listed(machine, data)[0]["behind"] == 0, lambda: f"{listed(machine, data)}")
    shown = receiver.url.partition("?")[0]
    assert listed(machine, data) == [{"playbook": "local/default", "to": shown, "behind": 0}]
    lines = machine.sayso("notices", "list", "--data", str(data)).stdout.splitlines()
    assert lines == [f"local/default\t{shown}\t0\t-\t-\t-"]


def test_what_cannot_be_told_is_seen_by_every_command_that_looks(
    machine: Machine, data: Path, receiver: Receiver
) -> None:
    receiver.script = [500, 500]  # after the second one it is left alone for a minute
    with telling(machine, data, receiver):
        ask(machine, data)
        receiver.until_called(1)
        until(lambda: "last_error" in listed(machine, data)[0], lambda: f"{listed(machine, data)}")
        assert listed(machine, data)[0]["last_error"] == "127.0.0.1 answered 500"
        assert machine.said("status", "--data", str(data))["failing_notices"] == {"count": 1, "more": False}
        looked = {check["name"]: check for check in machine.said("doctor", "--data", str(data))["checks"]}
    assert looked["notices"]["standing"] == "look"
    assert looked["notices"]["found"].endswith(": 127.0.0.1 answered 500")
    assert "sayso notices list" in looked["notices"]["advice"]
    assert "hidden" not in json.dumps(looked)


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({}, "NOTIFY is not set"),
        ({"NOTIFY": "https://hooks.example.com/"}, "Nobody is told of that playbook yet"),
    ],
)
def test_there_is_nobody_to_tell_again(machine: Machine, data: Path, more: dict[str, str], words: str) -> None:
    machine.said("save", str(EXAMPLES / "approve-campaign-brief.md"), "--data", str(data))
    refused = machine.sayso("notices", "replay", "--since", LONG_AGO, "--data", str(data), **more)
    assert (refused.returncode, words in refused.stderr) == (1, True)


def test_mail_has_no_secret(machine: Machine, data: Path) -> None:
    machine.said("save", str(EXAMPLES / "approve-campaign-brief.md"), "--data", str(data))
    mail = "smtp://mail.example.com?from=sayso@example.com&to=desk@example.com"
    refused = machine.sayso("notices", "secret", "--data", str(data), NOTIFY=mail)
    assert (refused.returncode, "NOTIFY names no webhook" in refused.stderr) == (1, True)
