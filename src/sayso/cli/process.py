"""A process that works until it is told to stop: its signals, its log, its exit code."""

import asyncio
import logging
import signal
import sys
import time
from collections.abc import Callable, Coroutine
from types import FrameType
from typing import TYPE_CHECKING, TextIO

from sayso.cli import store
from sayso.cli.screen import Screen

if TYPE_CHECKING:
    from sayso.settings import Settings

SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Process:
    """One process with one store. The first signal lets it end what is under way, a second ends it as ``kill`` does."""

    def __init__(self, settings: "Settings", screen: Screen) -> None:
        self._settings = settings
        self._screen = screen
        self._told = False
        self._broken = False
        self._tell: Callable[[], None] = lambda: None

    def run(self, work: Callable[[], Coroutine[None, None, None]]) -> int:
        """Work until told to stop; the exit code: 0 after a clean stop, 1 after the store broke."""
        from sayso.compose import fast_loop

        log_to(sys.stderr)
        for number in SIGNALS:
            signal.signal(number, self._signalled)
        with store.refusing(self._settings), asyncio.Runner(loop_factory=fast_loop()) as runner:
            runner.run(work())
        if self._broken:
            self._screen.note(
                "sayso: the store could not be written, so this process ends. See the log above.", "bold red"
            )
        elif self._told:
            self._screen.note("Stopped.")
        return 1 if self._broken else 0

    def when_told(self, tell: Callable[[], None]) -> None:
        """Call ``tell`` as soon as the process is told to stop: from any thread, and at once if it was told before."""
        self._tell = tell
        if self._told:
            tell()

    def broke(self) -> None:
        """The store cannot be trusted any more: stop. From any thread; what was not committed was answered so."""
        self._broken = True
        self._stop()

    def _signalled(self, _number: int, _frame: FrameType | None) -> None:
        for number in SIGNALS:
            signal.signal(number, signal.SIG_DFL)
        self._stop()

    def _stop(self) -> None:
        self._told = True
        self._tell()


def log_to(stream: TextIO) -> None:
    """Each line of the log with its moment in UTC and its level."""
    form = logging.Formatter("%(asctime)s.%(msecs)03dZ %(levelname)s %(name)s: %(message)s", "%Y-%m-%dT%H:%M:%S")
    form.converter = time.gmtime
    handler = logging.StreamHandler(stream)
    handler.setFormatter(form)
    logging.basicConfig(level=logging.WARNING, handlers=[handler])
