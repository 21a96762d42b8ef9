"""A process of an older release: it plays that release's recording on a store, a step for each line it is told.

It says the step when it is done, and what came out otherwise than recorded:
``python -m tests.upgrade.player RECORDING STORE``.
"""

import asyncio
import importlib
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Protocol, Self

from tests.upgrade.job import EXPIRING
from tests.upgrade.recording import MAKING, Statement, read

# What shows the work of others too: reference data, and what is due in the shard.
_SHARED = re.compile(r"\b(from (orgs|playbooks|callers|keys) order|from callers where|from meta|update meta|due_at <=)")


class Player(Protocol):
    """Plays recorded statements on a store."""

    async def play(self, statement: Statement) -> str: ...
    async def close(self) -> None: ...


async def played(player: Player, statements: Iterable[Statement], *, alone: bool = True) -> list[str]:
    """Play statements; those that came out otherwise than recorded. What others show in counts only if ``alone``."""
    told = [(one, await player.play(one)) for one in statements]
    return [
        f"{one.step}: {one.text[:99]!r} gives {outcome}, not {one.outcome}"
        for one, outcome in told
        if outcome != one.outcome and (alone or not _SHARED.search(one.text))
    ]


def steps(path: Path) -> Iterator[tuple[str, list[Statement]]]:
    """The steps of a recording after the store was made."""
    for step, statements in groupby(read(path), key=lambda one: one.step):
        if step != MAKING:
            yield step, list(statements)


class Older:
    """Such a process, told what to do. It is gone at the end of its context."""

    def __init__(self, recording: Path, store: str) -> None:
        command = [sys.executable, "-m", "tests.upgrade.player", str(recording), store]
        root = Path(__file__).parents[2]
        self._process = subprocess.Popen(command, cwd=root, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.left = [step for step, _ in steps(recording)]
        self._is_at_it = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()

    def begin(self) -> None:
        """Let it begin its next step."""
        assert self._process.stdin
        self._is_at_it = True
        self._process.stdin.write("go\n")
        self._process.stdin.flush()

    def done(self) -> None:
        """Wait for the end of the step, and hold that it went as recorded."""
        assert self._process.stdout
        assert self._process.stdout.readline().strip() == self.left.pop(0)
        self._is_at_it = False

    def go_on(self) -> None:
        """Wait for the step that was begun and begin the next, if any is left before it looks at what is due."""
        if self._is_at_it:
            self.done()
        if self.left[0] != EXPIRING:
            self.begin()

    def until(self, step: str) -> None:
        """All steps before this one."""
        while self.left[0] != step:
            self.begin()
            self.done()

    def end(self) -> None:
        """All steps that are left, and the end of the process."""
        while self.left:
            if not self._is_at_it:
                self.begin()
            self.done()
        assert self._process.wait(timeout=30) == 0


async def main(recording: str, store: str) -> None:
    tape = importlib.import_module(f"tests.upgrade.{Path(recording).suffixes[-2][1:]}_tape")
    player: Player = tape.Player(store)
    for step, statements in steps(Path(recording)):
        sys.stdin.readline()
        print(*await played(player, statements, alone=False), step, sep="; ", flush=True)
    await player.close()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
