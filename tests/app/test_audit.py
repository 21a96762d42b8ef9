"""The audit trail: every event once, of one org or of all, and the keys."""

from collections.abc import AsyncIterator

import pytest

from sayso.app.audit import Audit
from sayso.core.values import Json
from tests.app.studio import Studio, studio
from tests.app.world import HOUR
from tests.beside import spoil

pytestmark = pytest.mark.anyio


@pytest.fixture
async def here() -> AsyncIterator[Studio]:
    async with studio() as made:
        await made.save("ship-it")
        await made.do("cancel_run", run_id=(await made.run())["run_id"])
        yield made


async def lines(here: Studio, org: str | None = None, since: int = 0) -> list[dict[str, Json]]:
    return [line async for line in Audit(here.app.store, here.app.reference).lines(org, since)]


async def test_each_event_is_told_in_order_and_then_the_keys(here: Studio) -> None:
    await here.app.keys.create("studio", key_id="desk")
    here.clock.at += HOUR
    await here.app.keys.revoke("desk")
    found = await lines(here)
    assert [line["type"] for line in found] == [
        *("definition_created", "run_started", "interaction_requested", "run_cancel_requested", "run_rejected"),
        *("key_created", "key_revoked"),
    ]
    assert [line["type"] for line in await lines(here, since=here.clock.at)] == ["key_revoked"]
    assert await lines(here, "another") == []


@pytest.mark.parametrize("page", [1, 500])
async def test_an_answered_run_ends_with_its_answer_as_its_history_says(
    here: Studio, monkeypatch: pytest.MonkeyPatch, page: int
) -> None:
    monkeypatch.setattr("sayso.app.audit.PAGE", page)
    run_id = (await here.run())["run_id"]
    await here.do("answer_interaction", run_id=run_id, answer={"verdict": "yes"})
    history = (await here.do("get_run_history", run_id=run_id))["events"]
    assert history[-1]["data"] == {"output": {"verdict": "yes"}}
    told = await lines(here)
    assert [line["data"] for line in told[-len(history) :]] == [event["data"] for event in history]


async def test_pages_are_read_to_their_end(here: Studio, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sayso.app.audit.PAGE", 5)
    assert len(await lines(here)) == 5


async def test_a_damaged_event_is_told_as_such_and_takes_no_other_with_it(here: Studio) -> None:
    await spoil(here.app.store, "update events set data = 'x' where seq = 1 and type = 1")
    found = await lines(here)
    assert [("damaged" in line) for line in found] == [False, True, False, False, False]
