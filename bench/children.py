"""Processes of a benchmark's own: each makes itself ready, waits for the word to begin, and tells what came of it."""

import asyncio
import multiprocessing
from collections.abc import Callable, Coroutine, Sequence
from multiprocessing.connection import Connection
from types import TracebackType
from typing import Any, Generic, Self, TypeVar

import uvloop

T = TypeVar("T")
SPAWN = multiprocessing.get_context("spawn")


class Gate:
    """What a child waits at."""

    def __init__(self, parent: Connection) -> None:
        self._parent = parent

    async def ready(self) -> None:
        """Say that all is prepared, and wait for the word."""
        self._parent.send(None)
        await asyncio.to_thread(self._parent.recv)


class Children(Generic[T]):
    """One process for each tuple of arguments, with ``work`` on a loop of its own there. None outlives the context."""

    def __init__(self, work: Callable[..., Coroutine[Any, Any, T]], arguments: Sequence[tuple[Any, ...]]) -> None:
        self._pipes = [SPAWN.Pipe() for _ in arguments]
        self._processes = [
            SPAWN.Process(target=_run, args=(theirs, work, given), daemon=True)
            for (_, theirs), given in zip(self._pipes, arguments, strict=True)
        ]

    async def __aenter__(self) -> Self:
        for process, (_, theirs) in zip(self._processes, self._pipes, strict=True):
            process.start()
            theirs.close()  # so that a child that dies ends its pipe
        await self._told()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        for process in self._processes:
            if error is not None:
                process.terminate()
            process.join()

    def go(self) -> None:
        """Give the word."""
        for ours, _ in self._pipes:
            ours.send(None)

    async def results(self) -> Sequence[T]:
        """What each came to, once all have ended."""
        return await self._told()

    async def _told(self) -> list[Any]:
        return [await asyncio.to_thread(ours.recv) for ours, _ in self._pipes]


def _run(parent: Connection, work: Callable[..., Coroutine[Any, Any, T]], given: tuple[Any, ...]) -> None:
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        parent.send(runner.run(work(Gate(parent), *given)))
