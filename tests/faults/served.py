"""A server as a process of its own, on a store that outlives it: ``sayso serve``, or one that a test reaches into."""

import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

from tests import stores

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
    def where(self) -> tuple[str, ...]:
        """The options that name the store."""
        return ("--data", str(self.store))

    @property
    def environment(self) -> dict[str, str]:
        """What the process finds around it: nothing of the tests' own."""
        return {
            "PATH": os.environ["PATH"],
            "HOME": str(self.folder),
            "XDG_RUNTIME_DIR": str(self.folder),
            "INTERACTION_OPEN_REQUESTS": OPEN_REQUESTS,
            "SAYSO_SHARDS": str(stores.SHARDS),
        }

    @property
    def options(self) -> tuple[str, ...]:
        """The options that it is started with."""
        return (*self.where, "--port", str(self.port))

    def start(self, *more: str) -> None:
        """Start the process; it is not ready yet."""
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                [sys.executable, *self.program, *self.options, *more], cwd=ROOT, stderr=log, env=self.environment
            )

    @property
    def is_ready(self) -> bool:
        """Whether it has said that it serves. It must not have ended by itself."""
        said = self.said
        assert self._process is not None
        assert self._process.poll() is None, said
        return re.search(rf":{self.port}\b", said.partition(READY)[2]) is not None

    @property
    def said(self) -> str:
        """What it has said since it was started."""
        return self._log.read_text()

    @property
    def pid(self) -> int:
        """The number of the process."""
        assert self._process is not None
        return self._process.pid

    def until_ready(self) -> None:
        """Wait until it serves."""
        until, look = time.monotonic() + SECONDS, threading.Event()
        while not self.is_ready:
            assert time.monotonic() < until, self.said
            look.wait(0.005)

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


@dataclass(kw_only=True)
class ServedDatabase(Served):
    """A local server of a PostgreSQL database."""

    database: str

    def __post_init__(self) -> None:
        super().__post_init__()
        stores.put(self.store, self.database)

    @property
    def where(self) -> tuple[str, ...]:
        return ("--database", self.database)


@dataclass(kw_only=True)
class Working(ServedDatabase):
    """A worker beside the servers of a database: it has no port."""

    program: tuple[str, ...] = ("-m", "sayso.cli.main", "worker")

    @property
    def options(self) -> tuple[str, ...]:
        return self.where

    @property
    def is_ready(self) -> bool:
        """Whether it has said that it works."""
        return "sayso works on " in self.said
