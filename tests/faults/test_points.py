"""Kill -9 at every statement, before and after: what was answered is there, the rest is whole or was never there."""

import asyncio
import json
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests import stores
from tests.faults.nursery import DRY_RUN, STORIES, Nursery, nursery
from tests.faults.points import Point, Points, at_ends, once_each, table
from tests.faults.story import STORE, Story, go_on, resume

KILLED = -9
AT_ONCE = 2
# Where the tests are on no store in particular, the stories are told on both.
STORES = ("sqlite", stores.server_name()) if stores.NAME == "sqlite" else (stores.NAME,)


@pytest.fixture(scope="module")
def born() -> Iterator[Nursery]:
    with nursery() as process:
        yield process


@pytest.fixture(params=STORES)
def store(request: pytest.FixtureRequest) -> str:
    """The name of the store on which stories are told."""
    return str(request.param)


def dry_run(born: Nursery, story: str, folder: Path, store: str) -> tuple[object, list[Point]]:
    """What a story shows at its end when nobody kills it, and the points that it passes."""
    assert born.told(story, folder, store=store) == 0
    ended = json.loads((folder / DRY_RUN).read_text())
    return ended["portrait"], [Point(*point) for point in ended["points"]]


def test_the_stories_visit_every_statement_on_both_sides(born: Nursery, store: str, tmp_path: Path) -> None:
    passed = [point for name in STORIES for point in dry_run(born, name, tmp_path / name, store)[1]]
    wanted = {f"{side} {name}" for name in stores.statements(store) for side in ("before", "after")}
    assert wanted - {point.at for point in passed} == set()


@pytest.mark.slow
@pytest.mark.parametrize("story", STORIES)
def test_a_story_killed_at_any_point_ends_as_if_it_had_not_been(
    born: Nursery, tmp_path: Path, *, store: str, story: str, is_long: bool, shown: Callable[[str], None]
) -> None:
    began = time.monotonic()
    portrait, passed = dry_run(born, story, tmp_path / "dry", store)
    points = [point for point in passed if point.step != "end"]
    deadly = points if is_long else few(points, store)
    assert {point.at for point in deadly} == {point.at for point in passed}
    for point, end in killed_at_each(store, story, deadly, tmp_path):
        assert end == portrait, point
    shown(
        f"Story {story!r} on {store}: {len(deadly)} kills in {len({point.step for point in deadly})} steps; "
        f"{time.monotonic() - began:.0f} s\n{table(passed, deadly)}"
    )


@pytest.mark.slow
def test_a_process_killed_beside_one_that_serves_does_it_no_harm(born: Nursery, store: str, tmp_path: Path) -> None:
    """As a command line is that writes to the store of a running server."""
    portrait, passed = dry_run(born, "main", tmp_path / "dry", store)
    deadly = [point for point in few(passed, store) if point.at in {"before commit", "after commit"}]
    for number, point in enumerate(deadly):
        stores.prepare(tmp_path / f"{number}" / STORE, store)
        end = asyncio.run(_beside(born, STORIES["main"], point, tmp_path / f"{number}"))
        assert json.loads(json.dumps(end)) == portrait, point


async def _beside(born: Nursery, story: Story, point: Point, folder: Path) -> object:
    async with story.staged(folder / STORE, Points(), None) as stage:
        assert await asyncio.to_thread(born.told, "main", folder, point) == KILLED, point
        return await go_on(story, folder, stage)


def few(points: Sequence[Point], store: str) -> list[Point]:
    """The points of the short form: on PostgreSQL a kill costs three times what it does on SQLite."""
    return once_each(points) if store == "sqlite" else at_ends(points)


def killed_at_each(store: str, story: str, deadly: Sequence[Point], folder: Path) -> Iterator[tuple[Point, object]]:
    """Each point with the end of the story that was killed there; half of them in each of two processes."""
    parts = [list(enumerate(deadly))[start::AT_ONCE] for start in range(AT_ONCE)]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for ended in pool.map(lambda part: _ends(store, story, part, folder), parts):
            yield from ended


def _ends(store: str, story: str, numbered: Sequence[tuple[int, Point]], folder: Path) -> list[tuple[Point, object]]:
    with nursery() as born:
        return [(point, _end(born, store, story, point, folder / f"{number}")) for number, point in numbered]


def _end(born: Nursery, store: str, story: str, point: Point, folder: Path) -> object:
    """Tell the story until it is killed, and go on from there; the portrait as JSON has it."""
    assert born.told(story, folder, point, store=store) == KILLED, point
    portrait = asyncio.run(resume(STORIES[story], folder))
    stores.lent.give_back(folder / STORE)
    shutil.rmtree(folder)
    return json.loads(json.dumps(portrait))
