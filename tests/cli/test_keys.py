"""``sayso keys``: shown once, listed without the secret, revoked beside a running server."""

import json
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx2
import pytest

from sayso.cli.door import Reach, opened
from sayso.cli.refusals import Refused
from tests.cli.conftest import EXAMPLES, INPUT, Machine


@pytest.fixture
def key(machine: Machine, data: Path) -> dict[str, Any]:
    made: dict[str, Any] = machine.said("keys", "create", "--org", "acme", "--id", "ci", "--data", str(data))
    return made


def test_a_key_is_printed_once_whole(machine: Machine, data: Path, key: dict[str, Any]) -> None:
    assert key["id"] == "ci"
    assert key["key"].startswith("say_ci_")
    listed = machine.sayso("keys", "list", "--data", str(data), "--json").stdout
    assert '"ci"' in listed
    assert key["key"] not in listed
    assert key["key"].split("_", 2)[2] not in (data / "sayso.db").read_bytes().decode(errors="replace")


def test_a_key_is_limited_as_it_was_asked_for(machine: Machine, data: Path) -> None:
    limits = ["--permissions", "interaction:answer,playbook:read", "--playbooks", "sales", "--playbooks", "legal"]
    made = machine.said("keys", "create", "--org", "acme", *limits, "--data", str(data))
    assert made["permissions"] == ["interaction:answer", "playbook:read"]
    assert made["playbooks"] == ["legal", "sales"]


def test_without_json_the_key_stands_alone_on_standard_output(machine: Machine, data: Path) -> None:
    done = machine.sayso("keys", "create", "--org", "acme", "--data", str(data))
    assert done.returncode == 0
    assert '"key": "say_' in done.stdout
    assert "not shown again" in done.stderr


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--org", "local"], "reserved"),
        (["--org", "a b"], "letters"),
        (["--org", "acme", "--id", "ci"], "another"),
        (["--org", "acme", "--permissions", "everything"], "Permissions"),
    ],
)
def test_a_key_that_cannot_be_is_refused_in_words(
    machine: Machine, data: Path, key: dict[str, Any], options: list[str], said: str
) -> None:
    done = machine.sayso("keys", "create", *options, "--data", str(data))
    assert done.returncode == 1
    assert said in done.stderr


def test_a_store_must_be_named(machine: Machine) -> None:
    done = machine.sayso("keys", "list")
    assert done.returncode == 1
    assert "--data" in done.stderr


def test_a_key_made_and_revoked_beside_a_server_counts_within_a_second(machine: Machine, data: Path) -> None:
    with machine.serving("--port", "0", "--data", str(data)) as server:
        url = server.url
        made = machine.said("keys", "create", "--org", "acme", "--data", str(data))
        reach = ["--url", url, "--org", "acme", "--key", made["key"]]
        assert machine.said("list", *reach)["interactions"] == []
        machine.said("keys", "revoke", made["id"], "--data", str(data))
        revoked_at = time.monotonic()
        while is_accepted(url, made["key"]):
            assert time.monotonic() - revoked_at < 1
        done = machine.sayso("list", *reach)
        assert f"has the id {made['id']} " in done.stderr
        assert made["key"].split("_", 2)[2] not in done.stderr


def test_a_key_given_another_secret_beside_a_server_has_both_for_the_overlap_alone(
    machine: Machine, data: Path, key: dict[str, Any]
) -> None:
    with machine.serving("--port", "0", "--data", str(data)) as server:
        url = server.url
        again = machine.said("keys", "rotate", "ci", "--overlap", "PT1H", "--data", str(data))
        assert is_accepted(url, again["key"]) and is_accepted(url, key["key"])
        last = machine.said("keys", "rotate", "ci", "--data", str(data))
        refused_within_a_second(url, again["key"])
        assert is_accepted(url, last["key"]) and not is_accepted(url, key["key"])


def test_a_key_is_refused_within_a_second_of_its_expiry(machine: Machine, data: Path) -> None:
    made = machine.said("keys", "create", "--org", "acme", "--expires", "P1D", "--data", str(data))
    short = machine.said("keys", "create", "--org", "acme", "--expires", "PT4S", "--data", str(data))
    with machine.serving("--port", "0", "--data", str(data)) as server:
        url, until = server.url, datetime.fromisoformat(short["expires_at"])
        while is_accepted(url, short["key"]):
            assert datetime.now(UTC) < until + timedelta(seconds=1)
        assert datetime.now(UTC) >= until
        assert is_accepted(url, made["key"])
    assert [one["status"] for one in machine.said("keys", "list", "--data", str(data))["keys"]].count("expired") == 1


def test_a_server_that_stops_has_told_when_keys_were_used(machine: Machine, data: Path, key: dict[str, Any]) -> None:
    with machine.serving("--port", "0", "--data", str(data)) as server:
        assert is_accepted(server.url, key["key"])
        assert server.stop() == 0
    (listed,) = machine.said("keys", "list", "--data", str(data))["keys"]
    assert listed["last_used_at"] > listed["created_at"]
    assert listed["last_used_at"] in machine.sayso("keys", "list", "--data", str(data)).stdout


def test_parties_stand_with_commas_between_or_as_json(machine: Machine, data: Path) -> None:
    options = ["--parties", "ann,bob", "--parties", '["ops, night"]', "--data", str(data)]
    made = machine.said("keys", "create", "--org", "acme", *options)
    assert made["parties"] == ["ann", "bob", "ops, night"]


def refused_within_a_second(url: str, key: str) -> None:
    began = time.monotonic()
    while is_accepted(url, key):
        assert time.monotonic() - began < 1


def is_accepted(url: str, key: str) -> bool:
    listing = f"{url}/v1/orgs/acme/playbooks/default/interactions"
    return httpx2.get(listing, headers={"authorization": f"Bearer {key}"}).status_code == 200


def test_a_key_that_may_only_answer_answers_by_field_and_learns_nothing_else(machine: Machine, data: Path) -> None:
    at_file = ["--data", str(data), "--org", "acme"]
    made = machine.said("keys", "create", *at_file, "--permissions", "interaction:answer")
    machine.said("save", str(EXAMPLES / "approve-campaign-brief.md"), *at_file)
    run_id = machine.said("run", "approve-campaign-brief", "--input", json.dumps(INPUT), *at_file)["run_id"]
    with machine.serving("--port", "0", "--data", str(data)) as server:
        reach = ["--url", server.url, "--org", "acme", "--key", made["key"]]
        assert machine.said("answer", run_id, "verdict=approve", *reach)["answered_by"] == made["id"]
        done = machine.sayso("answer", run_id, "verdict=approve", *reach)
    assert done.returncode == 1
    assert "No request of this run is open: it was answered" in done.stderr
    assert "--answer JSON" in done.stderr


def test_a_key_answers_in_its_own_org_only(machine: Machine, data: Path, key: dict[str, Any]) -> None:
    with machine.serving("--port", "0", "--data", str(data)) as server:
        done = machine.sayso("list", "--url", server.url, "--org", "other", "--key", key["key"], "--json")
    assert done.returncode == 1
    assert '"reason": "forbidden"' in done.stderr


@pytest.mark.parametrize("at_store", [True, False])
def test_an_answer_that_names_somebody_else_is_refused_at_that_field(
    machine: Machine, data: Path, key: dict[str, Any], at_store: bool
) -> None:
    at_file = ["--data", str(data), "--org", "acme"]
    machine.said("save", str(EXAMPLES / "approve-campaign-brief.md"), *at_file)
    run_id = machine.said("run", "approve-campaign-brief", "--input", json.dumps(INPUT), *at_file)["run_id"]
    named = {"run_id": run_id, "answer": {"verdict": "approve"}, "answered_by": "somebody-else"}
    with machine.serving("--port", "0", "--data", str(data)) as server:
        remote = Reach(url=server.url, key=key["key"], org="acme")
        with opened(Reach(data=data, org="acme") if at_store else remote) as door, pytest.raises(Refused) as caught:
            door.perform("answer_interaction", **named)
        assert machine.said("show", run_id, *at_file)["run"]["status"] == "started"
    assert [issue["pointer"] for issue in caught.value.issues] == ["/answered_by"]
