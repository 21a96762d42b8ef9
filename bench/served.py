"""A server as a process of its own: ``sayso serve`` as an operator starts it, started and killed again and again."""

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Self

import psutil

from bench.ground import OPEN_REQUESTS, Place
from tests.postgres.daemon import free_port

SERVE = ("-m", "sayso.cli.main", "serve")
SECONDS = 60.0
ROOT = Path(__file__).parents[1]


class Served:
    """One server of a place. ``before`` is what runs the program instead of the shell, such as a tracer."""

    def __init__(self, place: Place, *, program: Sequence[str] = SERVE, before: Sequence[str] = ()) -> None:
        self.port = free_port()
        self._command = [*before, sys.executable, *program, *place.arguments, "--port", str(self.port)]
        self._home = tempfile.TemporaryDirectory(prefix="sayso-served-")
        self._log = Path(self._home.name) / "log"
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def pid(self) -> int:
        """The number of the server's process, or of what runs it."""
        assert self._process is not None, "it does not run"
        return self._process.pid

    def start(self) -> None:
        """Start the process; it is not ready yet."""
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": self._home.name,
            "TMPDIR": self._home.name,  # a checkout among temporary files may have its benchmarks too
            "INTERACTION_OPEN_REQUESTS": str(OPEN_REQUESTS),
        }
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(self._command, cwd=ROOT, stderr=log, env=environment)

    def until_ready(self) -> None:
        """Wait until it says that it serves."""
        assert self._process is not None, "it does not run"
        until = time.monotonic() + SECONDS
        while "sayso serves " not in (said := self._log.read_text()):
            assert self._process.poll() is None and time.monotonic() < until, said
            time.sleep(0.01)

    def kill(self) -> None:
        """End it at once, in the middle of whatever it does."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """Let it end what is under way."""
        self._end(signal.SIGTERM)

    def _end(self, number: int) -> None:
        assert self._process is not None, "it does not run"
        if self._process.poll() is None:
            for process in psutil.Process(self.pid).children() or [self._process]:  # what runs it ends with it
                process.send_signal(number)
            self._process.wait(SECONDS)
        self._process = None

    def close(self) -> None:
        """End it if it runs. Idempotent."""
        if self._process is not None:
            self.kill()
        self._home.cleanup()
