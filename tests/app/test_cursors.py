"""Cursors while the world goes on: what stays is seen once, whatever is added, answered or cancelled between pages."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.app.studio import Studio, studio

pytestmark = pytest.mark.anyio
ASKED, PAGE, AT_ONCE = 1_000, 7, 50


@pytest.fixture
async def here() -> AsyncIterator[Studio]:
    """A thousand requests, all asked at one instant: the clock stands."""
    async with studio(open_requests=10_000) as made:
        await made.save("ship-it")
        yield made


async def asked(here: Studio, count: int) -> list[str]:
    found: list[str] = []
    for _ in range(0, count, AT_ONCE):
        found += [str(run["run_id"]) for run in await asyncio.gather(*(here.run() for _ in range(AT_ONCE)))]
    return found


async def settle(here: Studio, run_id: str, number: int) -> None:
    if number % 2:
        await here.do("answer_interaction", run_id=run_id, answer={"verdict": "yes"})
    else:
        await here.do("cancel_run", run_id=run_id)


@pytest.mark.parametrize("operation", ["list_interactions", "list_org_interactions"])
async def test_each_request_that_stays_open_is_seen_once(here: Studio, operation: str) -> None:
    before = await asked(here, ASKED)
    ended = before[::9]
    settling = iter(enumerate(ended))
    seen: Counter[str] = Counter()
    cursor: dict[str, Any] = {}
    while True:
        page = await here.do(operation, limit=PAGE, **cursor)
        seen.update(item["run_id"] for item in page["interactions"])
        if page["next_cursor"] is None:
            break
        cursor = {"cursor": page["next_cursor"]}
        await asyncio.gather(here.run(), *(settle(here, run_id, n) for n, run_id in [*_next(settling)]))
    assert {seen[run_id] for run_id in set(before) - set(ended)} == {1}
    assert max(seen.values()) == 1
    left = await here.do(operation, limit=100)
    assert {item["run_id"] for item in left["interactions"]}.isdisjoint(ended)


def _next(settling: Any) -> Any:
    """One more, while there is one."""
    yield from [one for one in [next(settling, None)] if one is not None]


@pytest.mark.parametrize("operation", ["list_runs", "list_org_runs", "list_playbook_events"])
async def test_what_is_never_taken_away_is_seen_once(here: Studio, operation: str) -> None:
    items, key = ("events", "id") if operation == "list_playbook_events" else ("runs", "run_id")
    await asked(here, ASKED // 5)
    seen: list[str] = []
    cursor: dict[str, Any] = {}
    while True:
        page = await here.do(operation, limit=PAGE, **cursor)
        seen += [item[key] for item in page[items]]
        if page["next_cursor"] is None:
            break
        cursor = {"cursor": page["next_cursor"]}
        await here.run()
    assert len(seen) == len(set(seen)) == (ASKED // 5 if items == "runs" else ASKED // 5 * 2 + 1)
