"""Local servers announce themselves, are found while they live, and only by their own user's files."""

import json
import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from sayso.cli import discovery
from tests.cli.stranger import saying


@pytest.fixture
def runtime(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "run"))
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path / "run" / "sayso"


@pytest.fixture
def url() -> Iterator[str]:
    with saying(b'{"name": "sayso", "version": "0"}') as url:
        yield url


@pytest.fixture
def stranger() -> Iterator[str]:
    with saying(b'{"name": "another"}') as url:
        yield url


def test_a_server_is_found_while_it_is_announced(runtime: Path, url: str) -> None:
    with discovery.announced(url) as is_found:
        assert is_found
        assert [(one.url, one.pid) for one in discovery.found()] == [(url, os.getpid())]
        assert discovery.found_in(runtime) is not None
        assert discovery.found_in(runtime.parent) is None
    assert discovery.found() == []
    assert list(runtime.iterdir()) == []


def test_the_file_is_for_its_user_alone(runtime: Path, url: str) -> None:
    with discovery.announced(url):
        (file,) = runtime.iterdir()
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert stat.S_IMODE(runtime.stat().st_mode) == 0o700
        assert set(json.loads(file.read_text())) == {"url", "pid", "started"}


def test_where_the_runtime_folder_is_missing_the_cache_takes_its_place(
    runtime: Path, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    runtime.parent.write_text("no folder")
    with discovery.announced(url):
        assert [file.stem for file in (Path.home() / ".cache/sayso").iterdir()] == [str(os.getpid())]
        assert len(discovery.found()) == 1


def test_what_a_dead_process_left_behind_is_swept_away(runtime: Path, url: str) -> None:
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    runtime.mkdir(parents=True)
    file = runtime / f"{dead.pid}.json"
    file.write_text(json.dumps({"url": url, "pid": dead.pid, "started": "2026-10-01T09:00:00Z"}))
    assert discovery.found() == []
    assert not file.exists()


def test_a_stranger_at_the_same_port_is_no_server_of_ours(runtime: Path, stranger: str) -> None:
    with discovery.announced(stranger):
        assert discovery.found() == []


@pytest.mark.parametrize("text", ["", "{", "[]", '{"url": 1}', '{"url": "x", "pid": "y", "started": ""}'])
def test_a_file_that_says_nothing_is_passed_over(runtime: Path, text: str) -> None:
    runtime.mkdir(parents=True)
    (runtime / "1.json").write_text(text)
    assert discovery.found() == []
