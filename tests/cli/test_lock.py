"""One serving process a store, whatever becomes of it."""

import fcntl
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from sayso.cli import lock
from sayso.cli.refusals import Refused

HOLD = """
import pathlib, sys
from sayso.cli import lock
with lock.held(pathlib.Path(sys.argv[1])):
    print("held", flush=True)
    input()
"""


def test_a_second_process_is_refused_and_a_killed_one_holds_nothing(tmp_path: Path) -> None:
    command = [sys.executable, "-c", HOLD, str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        with pytest.raises(Refused, match="Another process serves the store"), lock.held(tmp_path):
            pass
        other.kill()
        other.wait()
        with lock.held(tmp_path):
            assert stat.S_IMODE((tmp_path / lock.NAME).stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == []


def test_a_lock_whose_file_was_taken_away_meanwhile_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real, seen = fcntl.flock, list[int]()

    def late(file: int, operation: int) -> None:
        if not seen:  # whoever held it ends between the opening of the file and its locking
            (tmp_path / lock.NAME).unlink()
        seen.append(1)
        real(file, operation)

    monkeypatch.setattr(fcntl, "flock", late)
    with lock.held(tmp_path):
        assert (tmp_path / lock.NAME).exists()
    assert len(seen) == 2
