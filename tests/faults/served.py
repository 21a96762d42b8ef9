"""A server as a process of its own, on a store that outlives it: ``sayso serve``, or one that a test reaches into."""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

READY = "sayso serves "
SECONDS = 30.0
OPEN_REQUESTS = "100000"
SERVE = ("-m", "sayso.cli.main", "serve", "--local")
ROOT = Path(__file__).parents[2]


def free_port() -> int:
    """A port that nothing listens on just now."""
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return int(sock.getsockname()[1])


@dataclass(kw_only=True)
class Served:
    """A local server of the store in ``folder / "store"``, started again and again at one port."""

    folder: Path
    program: tuple[str, ...] = SERVE
    port: int = field(default_factory=free_port)
    _process: subprocess.Popen[bytes] | None = None
    _log: Path = field(init=False)

    def __post_init__(self) -> None:
        self._log = self.folder / "server.log"

    @property
    def store(self) -> Path:
        """The folder of the store."""
        return self.folder / "store"

    @property
    def environment(self) -> dict[str, str]:
        """What the process finds around it: nothing of the tests' own."""
        return {
            "PATH": os.environ["PATH"],
            "HOME": str(self.folder),
            "XDG_RUNTIME_DIR": str(self.folder),
            "INTERACTION_OPEN_REQUESTS": OPEN_REQUESTS,
        }

    def start(self, *more: str) -> None:
        """Start the process; it is not ready yet."""
        where = ("--data", str(self.store), "--port", str(self.port))
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                [sys.executable, *self.program, *where, *more], cwd=ROOT, stderr=log, env=self.environment
            )

    def until_ready(self) -> None:
        """Wait until it says that it serves."""
        assert self._process is not None
        until, look = time.monotonic() + SECONDS, threading.Event()
        while READY not in (said := self._log.read_text()):
            assert self._process.poll() is None, said
            assert time.monotonic() < until, said
            look.wait(0.005)
        assert f":{self.port}" in said, said

    def kill(self) -> str:
        """End it as ``kill -9`` does; what it had said."""
        return self._end(signal.SIGKILL)

    def stop(self) -> str:
        """End it as an operator does; what it had said."""
        return self._end(signal.SIGTERM)

    def _end(self, number: int) -> str:
        assert self._process is not None
        self._process.send_signal(number)
        assert self._process.wait(SECONDS) == (-number if number == signal.SIGKILL else 0)
        self._process = None
        return self._log.read_text()

    def end(self) -> None:
        """Leave nothing behind, whatever happened."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
