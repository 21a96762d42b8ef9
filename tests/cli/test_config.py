"""``sayso config``: what is wrong with a file, and what counts; a reload of a server that runs."""

import hashlib
import json
import signal
import ssl
from pathlib import Path

import httpx2
import pytest

from tests import certificates
from tests.cli.conftest import Machine

KEYS = {name: f"say_{name}_" + name[0] * 43 for name in ("front-desk", "night-shift")}


def entry(name: str) -> str:
    """A key as a file has it."""
    digest = hashlib.sha256(KEYS[name].encode()).hexdigest()
    return f"  - {{id: {name}, org: acme, permissions: ['org:read', 'playbook:read'], sha256: '{digest}'}}\n"


def status(url: str, name: str, **more: str) -> int:
    return httpx2.get(
        f"{url}/v1/orgs/acme/playbooks", headers={"authorization": f"Bearer {KEYS[name]}"} | more
    ).status_code


def test_every_fault_of_a_file_is_a_line(machine: Machine) -> None:
    file = machine.home / "sayso.yaml"
    file.write_text("prot: 1\nlog_level: hunter2\n")
    done = machine.sayso("config", "check", str(file))
    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        f"{file}:1:1: 'prot' is no setting. Did you mean port?",
        f"{file}:2:1: log_level must be one of debug, info, warning, error.",
    ]


def test_a_file_without_fault_is_told_so(machine: Machine) -> None:
    file = machine.home / "sayso.yaml"
    file.write_text("port: ${WEB}\nrate_limit: 5\n")
    done = machine.sayso("config", "check", str(file), WEB="8081")
    assert (done.returncode, done.stdout) == (0, f"{file}: 2 settings, no fault.\n")


def test_what_cannot_be_together_is_a_fault_too(machine: Machine) -> None:
    file = machine.home / "sayso.yaml"
    file.write_text("rate_burst: 5\n")
    said = machine.sayso("config", "check", str(file), "--json")
    assert said.returncode == 1
    assert json.loads(said.stdout)["faults"] == [f"{file}:1:1: rate_burst needs RATE_LIMIT beside it."]


def test_what_counts_is_shown_with_where_it_came_from_and_no_secret(machine: Machine) -> None:
    file = machine.home / "sayso.yaml"
    database = "sayso_database: postgresql://clerk:${SECRET}@db.example.com/sayso\n"
    file.write_text(f"{database}api_keys:\n" + entry("front-desk"))
    told = "https://hooks.example.com/sayso?token=hunter2"
    given = {"PORT": "8081", "SECRET": "hunter2", "NOTIFY": told}
    done = machine.sayso("config", "show", "--config", str(file), "--json", **given)
    said = json.loads(done.stdout)
    assert said["PORT"] == {"value": "8081", "from": "the environment"}
    assert said["SAYSO_DATABASE"] == {"value": "postgresql://db.example.com/sayso", "from": f"{file}:1:1"}
    assert said["API_KEYS"] == {"value": "front-desk", "from": f"{file}:2:1"}
    assert said["NOTIFY"] == {"value": "https://hooks.example.com/sayso", "from": "the environment"}
    assert said["HOST"] == {"value": "127.0.0.1", "from": "default"}
    assert "hunter2" not in done.stdout + done.stderr


def test_a_bad_file_stops_the_start_in_one_line(machine: Machine, data: Path) -> None:
    file = machine.home / "sayso.yaml"
    file.write_text("port: 0\nlog_level: hunter2\n")
    done = machine.sayso("serve", "--data", str(data), CONFIG_FILE=str(file))
    assert done.returncode == 1
    assert done.stderr == f"sayso: {file}:2:1: log_level must be one of debug, info, warning, error.\n"


def test_a_key_that_is_taken_out_of_the_file_is_refused_after_the_reload(machine: Machine, data: Path) -> None:
    file = machine.home / "sayso.yaml"
    file.write_text("port: 0\nlog_level: info\napi_keys:\n" + entry("front-desk") + entry("night-shift"))
    with machine.serving("--data", str(data), "--config", str(file), LOG_LEVEL="", LOG_FORMAT="json") as server:
        url = json.loads(server.line('{"time"', "sayso serves "))["message"].split(" at ")[1].split()[0]
        assert "the file" in server.said
        assert [status(url, name) for name in KEYS] == [200, 200]
        origins = "allowed_origins: ['https://a.example.com']\n"
        file.write_text(f"port: 1\nlog_level: info\n{origins}api_keys:\n" + entry("front-desk"))
        server.process.send_signal(signal.SIGHUP)
        said = server.line("{", "the configuration was read: API_KEYS, ALLOWED_ORIGINS")
        assert json.loads(said)["level"] == "info"
        assert server.line("{", "these wait for a restart, and count as before until then: PORT")
        assert [status(url, name) for name in KEYS] == [200, 401]
        assert status(url, "front-desk", origin="https://a.example.com") == 200
        assert server.stop() == 0
        assert all(json.loads(line) for line in server.said.splitlines())


def test_a_bad_file_at_a_reload_changes_nothing_and_is_logged(machine: Machine, data: Path) -> None:
    file = machine.home / "sayso.yaml"
    file.write_text("port: 0\napi_keys:\n" + entry("front-desk"))
    with machine.serving("--data", str(data), "--config", str(file)) as server:
        url = server.url
        file.write_text("port: 0\napi_keys:\n" + entry("night-shift") + "log_level: hunter2\n")
        server.process.send_signal(signal.SIGHUP)
        said = server.line("{", "the configuration stays as it was")
        assert f"{file}:4:1: log_level must be one of" in said
        assert "hunter2" not in said
        assert [status(url, name) for name in KEYS] == [200, 401]


def test_an_id_that_the_store_has_is_refused_at_the_start(machine: Machine, data: Path) -> None:
    machine.said("keys", "create", "--org", "acme", "--id", "front-desk", "--data", str(data))
    file = machine.home / "sayso.yaml"
    file.write_text("port: 0\napi_keys:\n" + entry("night-shift") + entry("front-desk"))
    done = machine.sayso("serve", "--data", str(data), "--config", str(file))
    assert done.returncode == 1
    assert "API_KEYS[1].id is the id of a key in the store" in done.stderr


def test_a_server_speaks_tls_and_takes_a_renewed_certificate(machine: Machine, data: Path) -> None:
    one = certificates.made(machine.home, "one")
    given = {"TLS_CERTIFICATE": str(one.certificate), "TLS_KEY": str(one.key), "LOG_LEVEL": "info"}
    with machine.serving("--data", str(data), "--port", "0", **given) as server:
        url = server.url
        assert url.startswith("https://127.0.0.1:")
        before = ssl.create_default_context(cafile=str(one.certificate))
        assert httpx2.get(f"{url}/health", verify=before).status_code == 200
        certificates.made(machine.home, "one")  # in the same place
        after = ssl.create_default_context(cafile=str(one.certificate))
        server.process.send_signal(signal.SIGHUP)
        assert server.line("{", "the configuration was read")
        assert httpx2.get(f"{url}/health", verify=after).status_code == 200
        assert server.stop() == 0


@pytest.mark.skipif(signal.getsignal(signal.SIGHUP) is signal.SIG_IGN, reason="these tests were told to ignore SIGHUP")
def test_without_anything_to_read_a_hangup_ends_the_server(machine: Machine) -> None:
    with machine.serving("--local", "--port", "0") as server:
        assert server.url
        assert server.stop(signal.SIGHUP) == -signal.SIGHUP


@pytest.mark.parametrize("host", ["0.0.0.0", "127.0.0.1"])
def test_a_server_that_others_reach_without_tls_says_so(machine: Machine, data: Path, host: str) -> None:
    with machine.serving("--data", str(data), "--port", "0", "--host", host) as server:
        assert server.url
        assert ("without TLS" in server.said) is (host == "0.0.0.0")


def test_metrics_are_told_at_an_address_of_their_own(machine: Machine, data: Path) -> None:
    with machine.serving("--data", str(data), "--port", "0", METRICS_ADDRESS="127.0.0.1:0") as server:
        address = server.line("sayso tells its metrics at ").rsplit(" ", 1)[1]
        assert server.url
        said = httpx2.get(address).text
        assert "sayso_requests_open 0.0" in said
        assert server.stop() == 0
    done = machine.sayso("serve", "--data", str(data), "--port", "0", METRICS_ADDRESS="192.0.2.1:9090")
    assert done.returncode == 1
    assert "sayso: METRICS_ADDRESS is no address that this machine can listen at" in done.stderr


def test_the_prefix_is_part_of_the_url(machine: Machine) -> None:
    with machine.serving("--local", "--port", "0", PATH_PREFIX="/sayso") as server:
        assert server.url.endswith("/sayso")
        assert machine.said("list")["interactions"] == []
