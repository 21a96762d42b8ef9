"""A machine of its own for each test, the program ``sayso`` as child processes, and a server that is one."""

import contextlib
import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.cli.terminal import Terminal

SECONDS = 30.0
PROGRAM = [sys.executable, "-m", "sayso.cli.main"]
EXAMPLES = Path(__file__).parents[2] / "examples"
INPUT = {"owner": "spring campaign owner", "review": "Sound, with one claim to strike."}


@dataclass(frozen=True, kw_only=True)
class Machine:
    """A home, its folders and its environment."""

    home: Path

    @property
    def env(self) -> dict[str, str]:
        """Nothing of the environment of the tests, so that no setting of theirs leaks in."""
        return {
            "PATH": os.environ["PATH"],
            "HOME": str(self.home),
            "TMPDIR": str(self.home / "tmp"),
            "XDG_RUNTIME_DIR": str(self.home / "run"),
            "XDG_DATA_HOME": str(self.home / "share"),
            "PYTHONWARNINGS": "error",
            "LOG_LEVEL": "warning",  # a server that nobody listens to must not fill its pipe
            "COVERAGE_PROCESS_START": os.environ.get("COVERAGE_PROCESS_START", ""),
        }

    def sayso(self, *arguments: str, given: str = "", **variables: str) -> subprocess.CompletedProcess[str]:
        """Run the program to its end."""
        return subprocess.run(
            [*PROGRAM, *arguments],
            input=given,
            capture_output=True,
            text=True,
            env=self.env | variables,
            timeout=SECONDS,
            check=False,
        )

    def said(self, *arguments: str, given: str = "", **variables: str) -> Any:
        """The JSON that a command which succeeds prints."""
        done = self.sayso(*arguments, "--json", given=given, **variables)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def at_a_terminal(self, *arguments: str, **variables: str) -> Terminal:
        """The program with a person before it."""
        return Terminal([*PROGRAM, *arguments], self.env | variables)

    @contextlib.contextmanager
    def serving(self, *arguments: str, **variables: str) -> Iterator["Serving"]:
        """A serving process, stopped at the end if the test has not."""
        with self._running("serve", *arguments, **variables) as serving:
            yield serving

    @contextlib.contextmanager
    def working(self, *arguments: str, **variables: str) -> Iterator["Serving"]:
        """A process that works without serving, stopped at the end if the test has not."""
        with self._running("worker", *arguments, **variables) as working:
            yield working

    @contextlib.contextmanager
    def _running(self, *arguments: str, **variables: str) -> Iterator["Serving"]:
        process = subprocess.Popen(
            [*PROGRAM, *arguments],
            stdin=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env=self.env | variables,
        )
        serving = Serving(process)
        try:
            yield serving
        finally:
            if process.poll() is None:
                process.kill()
            process.wait()
            assert process.stderr is not None
            process.stderr.close()


class Serving:
    """A server as seen from outside: what it says, and how it ends."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self.said = ""

    @property
    def url(self) -> str:
        """Its URL, once it has said so."""
        line = self.line("sayso serves ")
        return line.split(" at ", 1)[1].split()[0]

    def line(self, start: str, part: str = "") -> str:
        """The line it said that begins so, and has a part in it."""
        assert self.process.stderr is not None
        until = time.monotonic() + SECONDS
        while True:
            whole = self.said.split("\n")[:-1]
            found = next((line for line in whole if line.startswith(start) and part in line), None)
            if found is not None:
                return found
            ready = select.select([self.process.stderr], [], [], max(until - time.monotonic(), 0))[0]
            read = os.read(self.process.stderr.fileno(), 65536) if ready else b""
            assert read, f"the server did not say {part or start!r}, but: {self.said}"
            self.said += read.decode()

    def stop(self, number: int = signal.SIGTERM) -> int:
        """Tell it to stop; its exit code."""
        self.process.send_signal(number)
        return self.process.wait(SECONDS)


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    for folder in ("tmp", "run", "share"):
        (tmp_path / folder).mkdir(mode=0o700)
    return Machine(home=tmp_path)


@pytest.fixture
def data(machine: Machine) -> Path:
    folder = machine.home / "data"
    folder.mkdir()
    return folder
