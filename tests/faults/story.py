"""A story: steps that a client has done one after the other, and how it goes on after the server was killed."""

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any, Protocol

from tests.faults.journal import Journal, Told
from tests.faults.points import Points

STORE, JOURNAL = "store", "journal"


class Stage(Protocol):
    """An open store with what acts on it."""

    async def perform(self, step: str, *, again: bool) -> Told:
        """Do a step. ``again`` says that it was sent before and its answer never came."""

    async def check(self, step: str, told: Told) -> None:
        """Assert that what the step was told is true."""

    async def portrait(self) -> Any:
        """All that can be seen, without minted ids and times."""


class Story(Protocol):
    """Its steps, and its stage on the store of a folder; ``step`` is where the clock then stands."""

    steps: Sequence[str]

    def staged(self, store: Path, points: Points, step: str | None) -> AbstractAsyncContextManager[Stage]: ...


async def tell(story: Story, folder: Path, points: Points) -> Any:
    """The story from its beginning on a fresh store, journalled as a client would; the portrait at its end."""
    journal = Journal(path=folder / JOURNAL)
    async with story.staged(folder / STORE, points, None) as stage:
        for step in story.steps:
            points.step = step
            journal.sent(step)
            journal.told(step, await stage.perform(step, again=False))
        points.step = "end"
        return await stage.portrait()


async def resume(story: Story, folder: Path) -> Any:
    """Go on where the journal ends: check all that was told, send again what was not, and do the rest."""
    sent, told = Journal(path=folder / JOURNAL).read()
    points = Points()
    async with story.staged(folder / STORE, points, sent[-1] if sent else None) as stage:
        for step in told:
            await stage.check(step, told[step])
        for step in story.steps[len(told) :]:
            await stage.perform(step, again=step in sent)
        return await stage.portrait()
