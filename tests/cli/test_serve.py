"""``sayso serve``: what it refuses to be, what it says, and how it stops."""

import json
import re
import resource
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import httpx2
import pytest

from tests.cli.conftest import Machine


def status(url: str) -> int:
    try:
        with urllib.request.urlopen(url, timeout=30) as response:
            return int(response.status)
    except urllib.error.HTTPError as fault:
        fault.close()
        return fault.code


def test_local_mode_needs_nothing_and_says_what_is_missing(machine: Machine) -> None:
    with machine.serving("--local", "--port", "0") as server:
        assert status(f"{server.url}/health") == 200
        assert "no keys" in server.said
        assert "no TLS" in server.said
        assert "no inbox page" in server.said
    assert (machine.home / "share/sayso/sayso.db").exists()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_stops_cleanly_and_is_found_no_more(machine: Machine, number: int) -> None:
    with machine.serving("--local", "--port", "0") as server:
        assert server.url
        assert machine.said("list")["interactions"] == []
        assert server.stop(number) == 0
        assert server.line("Stopped.")
    done = machine.sayso("list")
    assert done.returncode == 1
    assert "No local server is running" in done.stderr
    assert "sayso serve --local" in done.stderr


def test_a_request_under_way_is_finished_before_the_end(machine: Machine) -> None:
    body = b'{"playbook": "sales", "name": "Sales"}'
    head = b"POST /v1/orgs/local/playbooks HTTP/1.1\r\nhost: localhost\r\nexpect: 100-continue\r\n"
    head += b"content-type: application/json\r\ncontent-length: %d\r\n\r\n" % len(body)
    with machine.serving("--local", "--port", "0") as server:
        address = ("127.0.0.1", int(server.url.rsplit(":", 1)[1]))
        with socket.create_connection(address, timeout=30) as connection:
            connection.sendall(head)
            assert connection.recv(1024).startswith(b"HTTP/1.1 100 ")  # its body is being waited for
            server.process.send_signal(signal.SIGTERM)
            while is_open(address):
                pass
            connection.sendall(body)
            reply = read(connection)  # to its end: the server closes it
            assert reply.startswith(b"HTTP/1.1 201 ")
            assert b"\r\nconnection: close\r\n" in reply
        assert server.process.wait(30) == 0
    with machine.serving("--local", "--port", "0") as server:
        assert status(f"{server.url}/v1/orgs/local/playbooks/sales") == 200


def test_a_connection_that_nobody_uses_is_closed_at_the_stop(machine: Machine) -> None:
    with machine.serving("--local", "--port", "0") as server:
        address = ("127.0.0.1", int(server.url.rsplit(":", 1)[1]))
        with socket.create_connection(address, timeout=30) as idle:
            idle.sendall(b"GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n")
            assert read(idle, until=b'{"status":"ok"}').startswith(b"HTTP/1.1 200 ")
            assert server.stop() == 0
            assert read(idle) == b""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_second_signal_ends_it_at_once(machine: Machine, number: int) -> None:
    unfinished = b"POST /v1/orgs/local/playbooks HTTP/1.1\r\nhost: localhost\r\ncontent-length: 9\r\n"
    unfinished += b"content-type: application/json\r\n\r\n"
    with machine.serving("--local", "--port", "0") as server:
        address = ("127.0.0.1", int(server.url.rsplit(":", 1)[1]))
        with socket.create_connection(address, timeout=30) as connection:
            connection.sendall(unfinished)
            server.process.send_signal(signal.SIGTERM)
            while is_open(address):
                pass
            assert server.stop(number) == -number


def read(connection: socket.socket, until: bytes | None = None) -> bytes:
    came = b""
    while (until is None or until not in came) and (more := connection.recv(65536)):
        came += more
    return came


def is_open(address: tuple[str, int]) -> bool:
    try:
        socket.create_connection(address, timeout=30).close()
    except OSError:
        return False
    return True


def test_a_taken_port_gives_way_in_local_mode(machine: Machine) -> None:
    with machine.serving("--local", "--port", "0") as first:
        port = first.url.rsplit(":", 1)[1]
        with machine.serving("--local", "--port", port, "--data", str(machine.home / "other")) as second:
            assert int(port) < int(second.url.rsplit(":", 1)[1]) <= int(port) + 10
            done = machine.sayso("list")
            assert done.returncode == 1
            assert first.url in done.stderr
            assert second.url in done.stderr


def test_a_store_is_served_by_one_process(machine: Machine, data: Path) -> None:
    with machine.serving("--local", "--port", "0", "--data", str(data)) as server:
        assert server.url
        done = machine.sayso("serve", "--local", "--port", "0", "--data", str(data))
    assert done.returncode == 1
    assert "Another process serves the store" in done.stderr


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "example.com", "127.0.0.2"])
def test_local_mode_is_for_this_machine_only(machine: Machine, host: str) -> None:
    done = machine.sayso("serve", "--local", "--host", host)
    assert done.returncode == 1
    assert "loopback" in done.stderr


def test_outside_local_mode_a_store_must_be_named(machine: Machine) -> None:
    done = machine.sayso("serve")
    assert done.returncode == 1
    assert "SAYSO_DATA" in done.stderr
    assert "--data" in done.stderr


def test_outside_local_mode_a_temporary_folder_is_no_place_for_a_store(machine: Machine) -> None:
    done = machine.sayso("serve", SAYSO_DATA=str(machine.home / "tmp" / "store"))
    assert done.returncode == 1
    assert "temporary" in done.stderr
    assert not (machine.home / "tmp" / "store").exists()


def test_without_keys_everybody_is_refused_and_the_server_says_so(machine: Machine, data: Path) -> None:
    with machine.serving("--port", "0", "--data", str(data)) as server:
        assert status(f"{server.url}/v1/orgs/local/playbooks/default/runs") == 401
        assert f"sayso keys create --org ORG --data {data}" in server.said
        assert machine.sayso("list").returncode == 1
        refused = machine.sayso("list", "--url", server.url)
    assert refused.returncode == 1
    assert "This server wants a key" in refused.stderr


def test_a_store_with_keys_is_not_served_to_everybody(machine: Machine, data: Path) -> None:
    machine.said("keys", "create", "--org", "acme", "--data", str(data))
    done = machine.sayso("serve", "--local", "--data", str(data))
    assert done.returncode == 1
    assert "holds keys" in done.stderr


def test_a_taken_port_is_refused_outside_local_mode(machine: Machine, data: Path) -> None:
    with machine.serving("--local", "--port", "0") as server:
        port = server.url.rsplit(":", 1)[1]
        done = machine.sayso("serve", "--port", port, "--data", str(data))
    assert done.returncode == 1
    assert f"port {port}: taken" in done.stderr


@pytest.mark.parametrize("option", ["--local", "--port=0"])
def test_a_folder_with_other_things_is_refused_and_left_as_it_was(machine: Machine, data: Path, option: str) -> None:
    (data / "letter.txt").write_text("not a store")
    done = machine.sayso("serve", option, "--data", str(data))
    assert done.returncode == 1
    assert "holds other things" in done.stderr
    assert [file.name for file in data.iterdir()] == ["letter.txt"]
    assert "is a file" in machine.sayso("serve", option, "--data", str(data / "letter.txt")).stderr


def test_a_refused_start_leaves_nothing_behind(machine: Machine, data: Path) -> None:
    machine.said("keys", "create", "--org", "acme", "--data", str(data))
    assert machine.sayso("serve", "--local", "--port", "0", "--data", str(data)).returncode == 1
    assert not (data / "serving.lock").exists()
    done = machine.sayso("serve", "--data", str(machine.home / "new"), "--port", "0", HOST="say_k_secret")
    assert done.returncode == 1
    assert "say_k_secret" not in done.stderr
    assert not (machine.home / "new").exists()


def test_advice_to_try_it_is_for_whoever_named_no_store(machine: Machine, data: Path) -> None:
    assert "sayso serve --local" in machine.sayso("serve").stderr
    done = machine.sayso("serve", "--data", str(data), PORT="many")
    assert done.returncode == 1
    assert "--local" not in done.stderr


def test_a_line_of_the_log_has_its_moment_and_its_level() -> None:
    starts = "logs.start(sys.stderr, level='info', form='pretty')"
    code = f"import logging, sys; from sayso import logs; {starts}; logging.error('x')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z ERROR root: x\n", done.stderr)


def test_a_file_that_is_no_store_is_refused_in_words(machine: Machine, data: Path) -> None:
    (data / "sayso.db").write_text("Dear diary, this is longer than a header of SQLite would be." * 20)
    for command in (["serve", "--local", "--data", str(data)], ["list", "--data", str(data)]):
        done = machine.sayso(*command)
        assert done.returncode == 1
        assert done.stderr.startswith("sayso: ")
        assert "Traceback" not in done.stderr


@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="only Linux takes a disk away from a running process")
def test_a_store_that_cannot_be_written_ends_the_process(machine: Machine) -> None:
    with machine.serving("--local", "--port", "0") as server:
        url = f"{server.url}/v1/orgs/local/playbooks"
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (0, 0))
        refused = httpx2.post(url, json={"playbook": "sales", "name": "Sales"})
        assert refused.status_code == 503
        assert server.process.wait(30) == 1
        assert "the store could not be written" in server.line("sayso: ")


def test_a_killed_server_is_not_found_and_its_store_is_free(machine: Machine, data: Path) -> None:
    with machine.serving("--local", "--port", "0", "--data", str(data)) as server:
        assert server.url
        server.process.kill()
        server.process.wait()
        assert "No local server" in machine.sayso("list").stderr
        with machine.serving("--local", "--port", "0", "--data", str(data)) as second:
            assert status(f"{second.url}/health") == 200


def test_the_file_says_where_the_server_is(machine: Machine) -> None:
    with machine.serving("--local", "--port", "0") as server:
        url = server.url
        (file,) = (machine.home / "run/sayso").iterdir()
        assert json.loads(file.read_text())["url"] == url
        assert file.stem == str(server.process.pid)
