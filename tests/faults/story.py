"""A story: steps that a client has done one after the other, and how it goes on after the server was killed."""

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any, Protocol

from sayso.core.machines.machine import Machines
from tests.faults.audit import audit
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
    """Its steps, the machines that its streams have, and its stage on a store.

    ``step`` tells the time there, which is never past ``until``.
    """

    @property
    def steps(self) -> Sequence[str]: ...
    @property
    def machines(self) -> Machines: ...
    @property
    def until(self) -> int: ...

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
    """Open the store that a killed process left, and go on."""
    sent, _ = Journal(path=folder / JOURNAL).read()
    async with story.staged(folder / STORE, Points(), sent[-1] if sent else None) as stage:
        return await go_on(story, folder, stage)


async def go_on(story: Story, folder: Path, stage: Stage) -> Any:
    """Go on where the journal ends: check all that was told, send again what was not, and do the rest.

    The file is audited as it was left, before anything is sent again, and at the end.
    """
    sent, told = Journal(path=folder / JOURNAL).read()
    audit(folder / STORE, story.machines, story.until)
    for step in told:
        await stage.check(step, told[step])
    for step in story.steps[len(told) :]:
        await stage.perform(step, again=step in sent)
    audit(folder / STORE, story.machines, story.until)
    return await stage.portrait()
