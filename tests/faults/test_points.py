"""Kill -9 at every statement, before and after: what was answered is there, the rest is whole or was never there."""

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from sayso.core.machines import MACHINES
from sayso.store.sqlite import statements
from tests.faults import kept_story
from tests.faults.audit import audit
from tests.faults.nursery import DRY_RUN, STORIES, Nursery, nursery
from tests.faults.points import Point, once_each, table
from tests.faults.story import STORE, resume

KILLED = -9


@pytest.fixture(scope="module")
def born() -> Iterator[Nursery]:
    with nursery() as process:
        yield process


def dry_run(born: Nursery, story: str, folder: Path) -> tuple[object, list[Point]]:
    """What a story shows at its end when nobody kills it, and the points that it passes."""
    assert born.told(story, folder) == 0
    ended = json.loads((folder / DRY_RUN).read_text())
    return ended["portrait"], [Point(*point) for point in ended["points"]]


def test_the_stories_visit_every_statement_on_both_sides(born: Nursery, tmp_path: Path) -> None:
    passed = [point for name in STORIES for point in dry_run(born, name, tmp_path / name)[1]]
    wanted = {f"{side} {name}" for name in statements() for side in ("before", "after")}
    assert wanted - {point.at for point in passed} == set()


@pytest.mark.slow
@pytest.mark.parametrize("story", STORIES)
def test_a_story_killed_at_any_point_ends_as_if_it_had_not_been(
    born: Nursery, story: str, tmp_path: Path, is_long: bool, shown: Callable[[str], None]
) -> None:
    portrait, passed = dry_run(born, story, tmp_path / "dry")
    deadly = [point for point in passed if point.step != "end"]
    if not is_long:
        deadly = once_each(deadly)
    for number, point in enumerate(deadly):
        folder = tmp_path / f"{number}"
        assert born.told(story, folder, point) == KILLED, point
        assert end_after_restart(story, folder) == portrait, point
    assert {point.at for point in deadly} == {point.at for point in passed}
    steps = len(Counter(point.step for point in deadly))
    shown(f"story {story}: {len(deadly)} kills in {steps} steps, each before or after a statement\n{table(passed, deadly)}")


def end_after_restart(story: str, folder: Path) -> object:
    """What the story shows once it was gone on with, as JSON has it; the file is audited on the way."""
    portrait = asyncio.run(resume(STORIES[story], folder))
    audit(folder / STORE, kept_story.MACHINES if story == "kept" else MACHINES)
    return json.loads(json.dumps(portrait))
