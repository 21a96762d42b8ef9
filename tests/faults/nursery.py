"""A process that has imported everything and forks a child for each story, so that a kill costs no start of Python.

A line of JSON on its standard input orders a child; a line on its standard output says how the child ended.
"""

import asyncio
import contextlib
import json
import os
import subprocess
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests import stores
from tests.faults.kept_story import KeptStory
from tests.faults.main_story import MainStory
from tests.faults.points import Point, Points
from tests.faults.story import STORE, Story, tell

STORIES: dict[str, Story] = {"main": MainStory(), "kept": KeptStory()}
DRY_RUN = "dry-run.json"


class Nursery:
    """The client's side of a nursery process."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def told(self, story: str, folder: Path, deadly: Point | None = None, *, store: str = stores.NAME) -> int:
        """How a child ended that told the story in the folder: 0, or minus the signal that ended it.

        ``store`` is the name of a store, as `stores` has them.
        """
        folder.mkdir(exist_ok=True)
        stores.prepare(folder / STORE, store)
        order = {"story": story, "folder": str(folder), "deadly": deadly}
        assert self._process.stdin and self._process.stdout
        print(json.dumps(order), file=self._process.stdin, flush=True)
        return int(self._process.stdout.readline())


@contextlib.contextmanager
def nursery() -> Iterator[Nursery]:
    """A nursery, gone at the end of the context."""
    process = subprocess.Popen(
        [sys.executable, "-m", __name__],
        cwd=Path(__file__).parents[2],
        text=True,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    with process:
        yield Nursery(process)


def _child(order: dict[str, Any]) -> int:
    folder, deadly = Path(order["folder"]), order["deadly"]
    points = Points(deadly=Point(*deadly) if deadly else None)
    try:
        portrait = asyncio.run(tell(STORIES[order["story"]], folder, points))
    except Exception:
        traceback.print_exc()
        return 1
    (folder / DRY_RUN).write_text(json.dumps({"portrait": portrait, "points": points.passed}))
    return 0


def _serve() -> None:
    for line in sys.stdin:
        process = os.fork()
        if process == 0:
            status = _child(json.loads(line))
            sys.stderr.flush()
            os._exit(status)
        _, status = os.waitpid(process, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


if __name__ == "__main__":
    _serve()
