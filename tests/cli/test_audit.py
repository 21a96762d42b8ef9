"""``sayso audit``: every event once, in order, with who did it."""

import json
from pathlib import Path
from typing import Any

from tests.cli.conftest import EXAMPLES, INPUT, Machine


def asked(machine: Machine, data: Path) -> str:
    where = ("--data", str(data))
    machine.said("save", str(EXAMPLES / "approve-campaign-brief.md"), *where)
    return str(machine.said("run", "approve-campaign-brief", "--input", json.dumps(INPUT), *where)["run_id"])


def lines(machine: Machine, *arguments: str) -> list[dict[str, Any]]:
    done = machine.sayso("audit", *arguments)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_all_that_happened(machine: Machine, data: Path) -> None:
    run_id = asked(machine, data)
    machine.said("cancel", run_id, "--data", str(data))
    machine.said("keys", "create", "--org", "acme", "--id", "desk", "--data", str(data))
    machine.said("keys", "revoke", "desk", "--data", str(data))
    found = lines(machine, "--data", str(data))
    assert [line["type"] for line in found] == [
        "definition_created",
        "run_started",
        "interaction_requested",
        "run_cancel_requested",
        "run_rejected",
        "key_created",
        "key_revoked",
    ]
    events = found[:5]
    assert [line["metadata"]["global_position"] for line in events] == [1, 2, 3, 4, 5]
    assert {line["metadata"]["by"] for line in events} == {"operator"}
    assert {line["metadata"].get("run_id") for line in events} == {None, run_id}
    assert all((line["org"], line["playbook"]) == ("local", "default") for line in events)


def test_of_one_org_and_since_a_time(machine: Machine, data: Path) -> None:
    asked(machine, data)
    assert lines(machine, "--org", "acme", "--data", str(data)) == []
    assert len(lines(machine, "--org", "local", "--data", str(data))) == 3
    assert lines(machine, "--since", "2100-01-01T00:00:00Z", "--data", str(data)) == []
    refused = machine.sayso("audit", "--since", "yesterday", "--data", str(data))
    assert (refused.returncode, "a date and time with its offset" in refused.stderr) == (2, True)
