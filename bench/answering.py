"""Somebody who answers requests one after the other, at an even pace, while something else goes on."""

import asyncio
from collections.abc import Awaitable, Sequence
from time import perf_counter  # a loop's own clock may count whole milliseconds

from bench import studio
from sayso.app.runtime import App
from sayso.app.units.unit import Unit

PACE_S = 1 / 50


class Answering:
    """Answers fifty requests a second, however long each answer takes: a slow one holds up none of the next."""

    def __init__(self, app: App, playbook: str, asked: Sequence[Unit]) -> None:
        self._app = app
        self._playbook = playbook
        self._asked = asked
        self._begun = 0

    @property
    def answered(self) -> Sequence[Unit]:
        """What asked the requests that were answered."""
        return self._asked[: self._begun]

    async def during(self, other: Awaitable[None]) -> list[float]:
        """Answer until the other is over: how long each answer took, in milliseconds, from when it was to be sent."""
        over = asyncio.ensure_future(other)
        began, answers = perf_counter(), list[asyncio.Task[float]]()
        while not over.done():
            at = began + len(answers) * PACE_S
            await asyncio.wait([over], timeout=at - perf_counter())
            answers.append(asyncio.create_task(self._answer(at)))
        await over
        return list(await asyncio.gather(*answers))

    async def _answer(self, at: float) -> float:
        asked, self._begun = self._asked[self._begun], self._begun + 1
        await studio.answer(self._app, self._playbook, asked)
        return (perf_counter() - at) * 1000
