"""Lists over an org: every playbook that the caller may act in, newest first, each item once."""

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest

from sayso import compose
from sayso.app.access import OPERATOR
from sayso.errors import Problem
from sayso.settings import Settings
from tests.app.studio import CALL, NOTICE, Studio, studio
from tests.app.world import TurnedClock

pytestmark = pytest.mark.anyio
PLAYBOOKS = ("alpha", "beta", "gamma", "delta", "default")
ITEMS = {"list_org_interactions": "interactions", "list_org_runs": "runs"}


@pytest.fixture
async def here() -> AsyncIterator[Studio]:
    """Five playbooks, in several shards where there are several, each with a function that asks and one that tells."""
    async with studio(open_requests=2_000) as made:
        await furnish(made)
        yield made


async def furnish(made: Studio) -> None:
    for name in PLAYBOOKS:
        its = made.elsewhere(playbook=name)
        if name != "default":
            await its.do("create_playbook", playbook=name, name=name)
        await its.save("ship-it")
        await its.save("tell", NOTICE)


async def asked(here: Studio, count: int) -> list[tuple[str, str]]:
    """Runs in one playbook after another, as (playbook, run id), newest first."""
    found: list[tuple[str, str]] = []
    for n in range(count):
        name = PLAYBOOKS[n * n % len(PLAYBOOKS)]
        here.clock.at += 1_000
        found.append((name, str((await here.elsewhere(playbook=name).run())["run_id"])))
    return found[::-1]


async def every(here: Studio, operation: str, **fields: Any) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    cursor: dict[str, Any] = {}
    while True:
        page = await here.do(operation, **fields, **cursor)
        found += [(item["playbook"], item["run_id"]) for item in page[ITEMS[operation]]]
        if page["next_cursor"] is None:
            return found
        cursor = {"cursor": page["next_cursor"]}


@pytest.mark.parametrize("operation", ITEMS)
@pytest.mark.parametrize("limit", [1, 3, 100])
async def test_all_playbooks_are_listed_newest_first_and_each_item_once(
    here: Studio, operation: str, limit: int
) -> None:
    runs = await asked(here, 13)
    assert await every(here, operation, limit=limit) == runs


@pytest.mark.parametrize("operation", ITEMS)
async def test_a_page_is_the_newest_of_all_shards(operation: str) -> None:
    clock = TurnedClock()
    async with compose.running(Settings(shards=4), clock=clock, work=False) as app:
        here = Studio(app=app, clock=clock)
        await furnish(here)
        runs = await asked(here, 13)
        assert await every(here, operation, limit=3) == runs


async def test_an_item_is_as_its_playbook_lists_it(here: Studio) -> None:
    ((name, _), *_) = await asked(here, 1)
    its = here.elsewhere(playbook=name)
    for operation, in_playbook in (("list_org_interactions", "list_interactions"), ("list_org_runs", "list_runs")):
        items = ITEMS[operation]
        (listed,) = (await its.do(in_playbook))[items]
        assert (await here.do(operation))[items] == [{"playbook": name} | listed]


async def test_what_ended_is_a_run_and_no_request_any_more(here: Studio) -> None:
    runs = await asked(here, 6)
    name, run_id = runs.pop(2)
    await here.elsewhere(playbook=name).do("answer_interaction", run_id=run_id, answer={"verdict": "yes"})
    assert await every(here, "list_org_interactions", limit=2) == runs
    assert await every(here, "list_org_runs", limit=2, status="succeeded") == [(name, run_id)]


async def test_runs_of_all_kinds_are_listed(here: Studio) -> None:
    beta = here.elsewhere(playbook="beta")
    await beta.save("read-incidents", CALL)
    with pytest.raises(Problem):
        await beta.run("read-incidents")
    told = await beta.run("tell")
    listed = (await here.do("list_org_runs"))["runs"]
    assert [(run["name"], run["status"]) for run in listed] == [("tell", "succeeded"), ("read-incidents", "rejected")]
    assert await every(here, "list_org_runs", name="tell") == [("beta", told["run_id"])]


@pytest.mark.parametrize("operation", ITEMS)
async def test_a_limited_key_sees_its_playbooks_alone(here: Studio, operation: str) -> None:
    runs = await asked(here, 12)
    limited = replace(here, principal=replace(OPERATOR, playbooks=frozenset({"beta", "delta", "not-there"})))
    mine = [(name, run_id) for name, run_id in runs if name in {"beta", "delta"}]
    assert await every(limited, operation, limit=2) == mine


@pytest.mark.parametrize("operation", ITEMS)
async def test_another_org_is_empty_and_takes_no_cursor_of_this_one(here: Studio, operation: str) -> None:
    await asked(here, 3)
    other = here.elsewhere(org="other")
    assert await every(other, operation) == []
    cursor = (await here.do(operation, limit=1))["next_cursor"]
    with pytest.raises(Problem, match="another listing"):
        await other.do(operation, cursor=cursor)


async def test_retired_playbooks_stay_in_the_lists(here: Studio) -> None:
    runs = await asked(here, 5)
    await here.do("retire_playbook", playbook="beta")
    for operation in ITEMS:
        assert await every(here, operation) == runs


async def test_requests_are_filtered_by_their_party(here: Studio) -> None:
    await asked(here, 4)
    mine = (await here.elsewhere(playbook="delta").run(input={"lead": "the desk"}))["run_id"]
    assert await every(here, "list_org_interactions", to="the desk", type="interaction") == [("delta", mine)]


@pytest.mark.parametrize("operation", ITEMS)
async def test_a_key_for_parties_sees_what_is_theirs_alone(here: Studio, operation: str) -> None:
    await asked(here, 4)
    mine = (await here.elsewhere(playbook="delta").run(input={"lead": "the desk"}))["run_id"]
    await asked(here, 4)
    theirs = replace(here, principal=replace(OPERATOR, parties=frozenset({"the desk"})))
    assert await every(theirs, operation, limit=2) == [("delta", mine)]


async def test_what_is_asked_while_a_page_is_read_pushes_nothing_out(
    here: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    its = here.elsewhere(playbook="beta")
    ids = [(await its.run())["run_id"] for _ in range(5)]
    query, late = here.app.store.query, iter([1])

    async def asks_meanwhile(name: str, **fields: Any) -> Any:
        found = await query(name, **fields)
        if name == "open_among" and found:
            for _ in late:
                await its.run()
        return found

    monkeypatch.setattr(here.app.store, "query", asks_meanwhile)
    assert [run_id for _, run_id in await every(here, "list_org_interactions", limit=2)] == ids[::-1]


async def test_a_walk_over_many_runs_says_that_there_is_more(here: Studio) -> None:
    gamma = here.elsewhere(playbook="gamma")
    first = (await gamma.run("tell"))["run_id"]
    for _ in range(1_001):
        await gamma.run()
    page = await here.do("list_org_runs", status="succeeded")
    assert (page["runs"], page["has_more"]) == ([], True)
    assert await every(here, "list_org_runs", status="succeeded") == [("gamma", first)]
