"""One serving process a store, whatever becomes of it."""

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
            pass
