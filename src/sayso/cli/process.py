"""A process that works until it is told to stop: its signals, its log, its exit code."""

import asyncio
import logging
import signal
import sys
from collections.abc import Callable, Coroutine
from types import FrameType
from typing import TYPE_CHECKING

from sayso.cli import store
from sayso.cli.screen import Screen

if TYPE_CHECKING:
    from sayso.settings import Settings

SIGNALS = (signal.SIGINT, signal.SIGTERM)

log = logging.getLogger("sayso.process")


class Process:
    """One process with one store. The first signal lets it end what is under way, a second ends it as ``kill`` does.

    SIGHUP has it read its configuration anew, where there is something to read; elsewhere it ends the process, as ever.
    """

    def __init__(self, settings: "Settings", screen: Screen) -> None:
        self._settings = settings
        self._screen = screen
        self._told = False
        self._broken = False
        self._tell: Callable[[], None] = lambda: None

    def run(self, work: Callable[[], Coroutine[None, None, None]]) -> int:
        """Work until told to stop; the exit code: 0 after a clean stop, 1 after the store broke."""
        from sayso import logs
        from sayso.compose import fast_loop

        logs.start(sys.stderr, level=self._settings.log_level, form=self._settings.log_format)
        for number in SIGNALS:
            signal.signal(number, self._signalled)
        with store.refusing(self._settings), asyncio.Runner(loop_factory=fast_loop()) as runner:
            runner.run(work())
        if self._broken:
            words = "the store could not be written, so this process ends. See the log above."
            self.say(f"sayso: {words}", "bold red", logging.ERROR)
        elif self._told:
            self.say("Stopped.", "dim")
        return 1 if self._broken else 0

    def say(self, words: str, style: str, level: int = logging.INFO) -> None:
        """A line for whoever started the process; where everything is to be JSON, one of the log."""
        if self._settings.log_format == "json":
            log.log(level, words)
        else:
            self._screen.note(words, style)

    def when_told(self, tell: Callable[[], None]) -> None:
        """Call ``tell`` as soon as the process is told to stop: from any thread, and at once if it was told before."""
        self._tell = tell
        if self._told:
            tell()

    def when_hung_up(self, reload: Callable[[], None]) -> None:
        """Call ``reload`` on the running loop at every SIGHUP."""
        loop = asyncio.get_running_loop()
        signal.signal(signal.SIGHUP, lambda _number, _frame: _call(loop, reload))

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


def _call(loop: asyncio.AbstractEventLoop, work: Callable[[], None]) -> None:
    if not loop.is_closed():
        loop.call_soon_threadsafe(work)
