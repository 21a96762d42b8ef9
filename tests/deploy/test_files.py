"""What is handed out for deployment names only what there is: settings, commands, metrics."""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from sayso.cli.main import app
from sayso.config import file as config_file
from sayso.config.table import BY_NAME
from sayso.metrics.figures import Figures
from sayso.metrics.standing import names
from tests.deploy.containerfile import ROOT

DEPLOY = ROOT / "deploy"
COMMANDS = {command.name for command in app.registered_commands}
COMPOSE: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
UNIT = (DEPLOY / "sayso.service").read_text(encoding="utf-8")
OF_POSTGRES = {"POSTGRES_USER", "POSTGRES_PASSWORD", "POSTGRES_DB"}


def test_the_dashboard_shows_only_metrics_that_there_are() -> None:
    known = {sample.name for family in Figures().registry.collect() for sample in family.samples} | set(names())
    known |= {f"{family.name}_total" for family in Figures().registry.collect() if family.type == "counter"}
    known |= {
        f"{family.name}_{end}"
        for family in Figures().registry.collect()
        if family.type == "histogram"
        for end in ("bucket", "sum", "count")
    }
    shown = set(_metrics(json.loads((DEPLOY / "grafana.json").read_text(encoding="utf-8"))))
    assert len(shown) > 12
    assert shown <= known


def _metrics(board: Any) -> Iterator[str]:
    for panel in board["panels"]:
        for target in panel["targets"]:
            yield from re.findall(r"\b(?:sayso|process)_[a-z_]+", target["expr"])
    for variable in board["templating"]["list"]:
        yield from re.findall(r"\b(?:sayso|process)_[a-z_]+", json.dumps(variable))


def test_no_two_panels_lie_on_each_other() -> None:
    panels = json.loads((DEPLOY / "grafana.json").read_text(encoding="utf-8"))["panels"]
    places = [one["gridPos"] for one in panels]
    taken = [(x, y) for p in places for x in range(p["x"], p["x"] + p["w"]) for y in range(p["y"], p["y"] + p["h"])]
    assert len(taken) == len(set(taken))
    assert max(x for x, _ in taken) < 24


def test_every_service_has_an_image_and_variables_that_there_are() -> None:
    for name, service in COMPOSE["services"].items():
        known = OF_POSTGRES if service["image"].startswith("postgres:") else set(BY_NAME)
        assert service["image"] in {"postgres:17", "sayso"}, name
        assert set(service["environment"]) <= known, name
        assert set(service.get("depends_on", {})) <= set(COMPOSE["services"]), name


def test_every_service_of_ours_is_built_here_and_runs_a_command() -> None:
    ours = [service for service in COMPOSE["services"].values() if service["image"] == "sayso"]
    assert len(ours) == 2
    for service in ours:
        assert (DEPLOY / service["build"]["context"] / service["build"]["dockerfile"]).exists()
        assert service["command"][0] in COMMANDS
        assert service["environment"]["SAYSO_DATABASE"].endswith("@database/sayso")


def test_no_service_opens_a_port_to_other_machines() -> None:
    ports = [port for service in COMPOSE["services"].values() for port in service.get("ports", [])]
    assert ports
    assert all(port.startswith("127.0.0.1:") for port in ports)


def test_the_unit_sets_settings_and_runs_a_command() -> None:
    variables = re.findall(r"^Environment=([A-Z_]+)=", UNIT, re.MULTILINE)
    assert set(variables) <= {*BY_NAME, "CONFIG_FILE"}
    (command,) = re.findall(r"^ExecStart=\S+/sayso (\S+)$", UNIT, re.MULTILINE)
    assert command in COMMANDS


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd-analyze on this machine")
def test_systemd_takes_the_unit(tmp_path: Path) -> None:
    program = tmp_path / "sayso"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    unit = tmp_path / "sayso.service"
    unit.write_text(UNIT.replace("/opt/sayso/bin/sayso", str(program)))
    env = os.environ | {"SYSTEMD_LOG_TARGET": "console", "SYSTEMD_LOG_LEVEL": "warning"}
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(unit)], capture_output=True, text=True, env=env, check=False
    )
    assert (done.returncode, [line for line in done.stderr.splitlines() if "sayso" in line]) == (0, [])
    command = ["systemd-analyze", "security", "--offline=true", "--threshold=20", str(unit)]
    done = subprocess.run(command, capture_output=True, text=True, env=env, check=False)
    assert done.returncode == 0, done.stdout[-500:] + done.stderr


def test_the_configuration_that_is_handed_out_has_no_fault() -> None:
    assert config_file.look(DEPLOY / "config.yaml", {}).faults == []
