"""A disk that takes no more: what was told as done is there, the rest was told as not done, and space makes it well.

A child process may write files only up to a size, which to a store is a write that fails.
"""

import json
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from sayso.compose import running
from sayso.settings import Settings
from tests.app.studio import Studio
from tests.app.world import TurnedClock

pytestmark = pytest.mark.anyio
FILE_BYTES = 1_500_000

CHILD = """
import asyncio, json, sys
from pathlib import Path
from sayso.compose import running
from sayso.errors import Problem
from sayso.settings import Settings
from tests.app.studio import Studio
from tests.app.world import TurnedClock

async def main():
    told, broken = [], []
    clock, settings = TurnedClock(), Settings(data=Path(sys.argv[1]))
    async with running(settings, clock=clock, on_broken=lambda: broken.append(1)) as app:
        here = Studio(app=app, clock=clock)
        await here.save("ship-it")
        given = {"lead": "the editor", "long": "x" * 4000}
        while not broken:
            calls = (here.run(input=given) for _ in range(16))
            for one in await asyncio.gather(*calls, return_exceptions=True):
                told.append(one["run_id"] if isinstance(one, dict) else one.status)
    print(json.dumps(told))

asyncio.run(main())
"""


def limit() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_BYTES, FILE_BYTES))


async def test_a_disk_that_takes_no_more_loses_nothing_that_was_told(tmp_path: Path) -> None:
    child = subprocess.run(
        [sys.executable, "-c", CHILD, str(tmp_path)], preexec_fn=limit, capture_output=True, timeout=60, check=True
    )
    told = json.loads(child.stdout)
    done = [one for one in told if isinstance(one, str)]
    assert done
    assert {one for one in told if not isinstance(one, str)} == {503}
    async with running(Settings(data=tmp_path), clock=TurnedClock(), work=False) as app:
        here = Studio(app=app, clock=TurnedClock())
        for run_id in done:
            assert (await here.do("get_run", run_id=run_id))["status"] == "started"
        assert (await here.run())["status"] == "started"
