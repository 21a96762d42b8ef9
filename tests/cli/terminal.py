"""A real terminal for a child process: what it shows is read, and lines are typed, as a person would."""

import fcntl
import os
import pty
import select
import signal
import subprocess
import termios
import time
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Self

SECONDS = 30.0


def _take_terminal() -> None:
    """Make the terminal the child's own. Ctrl-C ends it also where the tests were told to ignore that, as by nohup."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Terminal:
    """A process whose three streams are one terminal."""

    def __init__(self, command: Sequence[str], env: Mapping[str, str]) -> None:
        self._master, slave = pty.openpty()
        environ = {"TERM": "xterm-256color", "COLUMNS": "160", "LINES": "50", **env}
        self.process = subprocess.Popen(
            command,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=environ,
            start_new_session=True,
            preexec_fn=_take_terminal,  # noqa: PLW1509  so that Ctrl-C is a signal
        )
        os.close(slave)
        self.seen = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, exception: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.process.terminate()  # and not kill: it may have a child of its own to stop
        try:
            self.process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self._master)

    def expect(self, text: str) -> str:
        """Read until the text was shown; all that was shown since the last time, up to and with it."""
        until = time.monotonic() + SECONDS
        while text not in self.seen:
            if not self._more(until):
                raise AssertionError(f"{text!r} was not shown, but: {self.seen}")
        before, found, self.seen = self.seen.partition(text)
        return before + found

    def type(self, line: str) -> None:
        """Type a line and Enter."""
        os.write(self._master, line.encode() + b"\n")

    def press(self, key: bytes) -> None:
        """Press a key that is no line, such as Ctrl-D."""
        os.write(self._master, key)

    def end(self) -> tuple[int, str]:
        """Read on until the process has ended; its exit code, and what was shown since the last expectation."""
        until = time.monotonic() + SECONDS
        while self._more(until):
            pass
        return self.process.wait(SECONDS), self.seen

    def _more(self, until: float) -> bool:
        if not select.select([self._master], [], [], max(until - time.monotonic(), 0))[0]:
            return False
        try:
            read = os.read(self._master, 65536)
        except OSError:  # Linux says so when the last process has left the terminal
            return False
        self.seen += read.decode(errors="replace").replace("\r\n", "\n")
        return bool(read)
