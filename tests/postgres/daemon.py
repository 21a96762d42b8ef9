"""A program with a folder of its own, which runs as a user that PostgreSQL accepts and never outlives the tests."""

import contextlib
import os
import pwd
import random
import signal
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

SECONDS = 60.0
# Reads process numbers until its standard input ends, as it does however the tests end; then it ends the last of them,
# if that still works in the folder ($0), and takes the folder away.
_WARDEN = """
while read -r told; do pid=$told; done
works() { case "$(readlink "/proc/$pid/cwd")" in "$0"|"$0"/*) true;; *) false;; esac; }
if works; then kill -QUIT "$pid"; fi
for _ in $(seq 100); do works || break; sleep 0.1; done
for _ in $(seq 100); do rm -rf "$0" && break; sleep 0.1; done  # until nothing there is busy any more
"""


def free_port() -> int:
    """A port that nothing listens on just now, and that no outgoing connection takes while the program is stopped."""
    while True:
        port = random.randrange(12_000, 32_000)  # below those that Linux gives to outgoing connections
        with socket.socket() as sock, contextlib.suppress(OSError):
            sock.bind(("127.0.0.1", port))
            return port


def account() -> pwd.struct_passwd | None:
    """Whom the programs run as: somebody else only if we are root, which PostgreSQL refuses to be."""
    if os.geteuid() != 0:
        return None
    known = {entry.pw_name: entry for entry in pwd.getpwall()}
    return known.get("postgres") or known["nobody"]


def until(is_so: Callable[[], bool], what: Callable[[], str]) -> None:
    """Wait for something that gives no other signal; after a minute, fail with ``what`` it was."""
    end, look = time.monotonic() + SECONDS, threading.Event()
    while not is_so():
        assert time.monotonic() < end, what()
        look.wait(0.005)


class Daemon:
    """One process at a time, started again and again; with the folder it is gone at the end."""

    def __init__(self, name: str) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix=f"sayso-{name}-"))
        self._as: dict[str, Any] = {"cwd": self.folder, "env": _environment(self.folder)}
        if (user := account()) is not None:
            os.chown(self.folder, user.pw_uid, user.pw_gid)
            self._as |= {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
        self._log = self.folder / "log"
        self._process: subprocess.Popen[bytes] | None = None
        self._warden = subprocess.Popen(
            ["sh", "-c", _WARDEN, str(self.folder)], stdin=subprocess.PIPE, stderr=subprocess.DEVNULL, process_group=0
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def words(self) -> str:
        """What the process has said."""
        return self._log.read_text()

    @property
    def runs(self) -> bool:
        """Whether it was started, and has not ended by itself since."""
        return self._process is not None and self._process.poll() is None

    @property
    def pid(self) -> int:
        """The number of the process."""
        assert self._process is not None, "it does not run"
        return self._process.pid

    def file(self, name: str, text: str) -> Path:
        """A file in the folder, for the program to read."""
        path = self.folder / name
        path.write_text(text)
        return path

    def run(self, *command: str | Path, as_ourselves: bool = False) -> str:
        """Run another program to its end; what it printed. As ourselves it starts in a tenth of the time."""
        how = {"env": self._as["env"]} if as_ourselves else self._as
        ended = subprocess.run(
            command, **how, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=SECONDS, check=False
        )
        assert ended.returncode == 0, f"{' '.join(map(str, command))}: {ended.stderr}"
        return str(ended.stdout)

    def start(self, *command: str | Path) -> None:
        """Start the process; it may not be ready yet."""
        assert not self.runs, "it runs already"
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                command,
                **self._as,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                process_group=0,  # a key pressed for the tests is not meant for it
            )
        assert self._warden.stdin is not None
        self._warden.stdin.write(b"%d\n" % self._process.pid)
        self._warden.stdin.flush()

    def until_ready(self, is_ready: Callable[[], bool]) -> None:
        """Wait until the process does what it is for."""
        until(lambda: not self.runs or is_ready(), lambda: self.words)
        assert self.runs, self.words

    def send(self, number: int) -> None:
        """Send the process a signal."""
        assert self._process is not None, "it does not run"
        self._process.send_signal(number)

    def end(self, number: int = signal.SIGINT) -> None:
        """End the process by a signal, if it runs, and wait until it is gone."""
        if self._process is not None:
            self._process.send_signal(number)
            self._process.wait(SECONDS)
            self._process = None

    def close(self) -> None:
        """End the process and take its folder away. Idempotent."""
        self.end(signal.SIGQUIT)
        self._warden.communicate(timeout=SECONDS)


def _environment(home: Path) -> dict[str, str]:
    """Nothing of the tests' own: no PGHOST that an operator may have set."""
    return {"PATH": os.environ["PATH"], "HOME": str(home), "LC_ALL": "C", "TZ": "UTC"}
