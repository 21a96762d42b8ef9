"""Assignments: an open request is given to another party or answerer, once, and everything that tells of it agrees."""

import asyncio

import pytest

from sayso.app.rebuild import Rebuild
from sayso.app.units.unit import Result, Unit
from sayso.core.machines import MACHINES
from sayso.core.values import Json
from sayso.errors import Kind, Problem, Reason
from tests.app.studio import DELIVERED, NOTICE, Studio
from tests.app.world import HOUR

pytestmark = pytest.mark.anyio
YES = {"verdict": "yes"}


async def refused(here: Studio, run_id: Json, **fields: Json) -> Problem:
    with pytest.raises(Problem) as caught:
        await here.do("reassign_interaction", run_id=run_id, **fields)
    return caught.value


async def listed(here: Studio, **filters: Json) -> list[str]:
    """Whom the open requests are put to."""
    return [one["to"] for one in (await here.do("list_interactions", **filters))["interactions"]]


async def history(here: Studio, run_id: Json) -> list[dict[str, Json]]:
    events: list[dict[str, Json]] = (await here.do("get_run_history", run_id=run_id))["events"]
    return events


async def test_a_request_that_is_given_away_waits_there_and_not_where_it_was(here: Studio) -> None:
    run_id = (await here.run())["run_id"]
    given = await here.do("reassign_interaction", run_id=run_id, to=" the night desk ")
    assert given == {"run_id": run_id, "to": "the night desk", "answerer": None}
    assert await listed(here) == await listed(here, to="the night desk") == ["the night desk"]
    assert await listed(here, to="the editor") == []
    assert (await here.do("answer_interaction", run_id=run_id, answer=YES))["answer"] == YES


async def test_the_history_tells_who_gave_it_to_whom(here: Studio) -> None:
    run_id = (await here.run())["run_id"]
    await here.do("reassign_interaction", run_id=run_id, **{"from": "the chief"})
    last = (await history(here, run_id))[-1]
    assert (last["type"], last["metadata"]["by"]) == ("request_reassigned", "operator")
    assert last["data"] == {"to": "the editor", "answerer": "the chief"}
    assert last["summary"] == "The request was given to the editor, for the chief to answer."
    assert (await here.do("get_event", event_id=last["id"]))["data"] == last["data"]


async def test_whom_it_is_put_to_already_it_is_not_given_again(here: Studio) -> None:
    run_id = (await here.run())["run_id"]
    for fields in ({"to": "the editor"}, {"from": "the editor"}, {"to": "the editor", "from": "the editor"}):
        assert (await here.do("reassign_interaction", run_id=run_id, **fields))["to"] == "the editor"
    assert [event["type"] for event in await history(here, run_id)] == ["run_started", "interaction_requested"]


async def test_what_is_not_named_stays(here: Studio) -> None:
    run_id = (await here.run())["run_id"]
    await here.do("reassign_interaction", run_id=run_id, **{"from": "the chief"})
    given = await here.do("reassign_interaction", run_id=run_id, to="the night desk")
    assert (given["to"], given["answerer"]) == ("the night desk", "the chief")
    back = await here.do("reassign_interaction", run_id=run_id, **{"from": "the night desk"})
    assert (back["to"], back["answerer"]) == ("the night desk", None)


async def test_what_waits_no_more_is_given_to_nobody_though_it_be_put_so_already(here: Studio) -> None:
    await here.save("tell-desk", NOTICE)
    answered, cancelled, expired = [(await here.run())["run_id"] for _ in range(3)]
    told = (await here.run("tell-desk", input={}))["run_id"]
    await here.do("answer_interaction", run_id=answered, answer=YES)
    await here.do("cancel_run", run_id=cancelled)
    here.clock.at += HOUR
    kinds = {told: None, answered: Kind.ANSWERED, cancelled: Kind.REQUESTED, expired: Kind.EXPIRED}
    for run_id, kind in kinds.items():
        for to in ("the editor", "the desk", "somebody else"):
            problem = await refused(here, run_id, to=to)
            assert (problem.reason, problem.kind) == (Reason.CONFLICT, kind)


async def test_a_run_that_never_asked_is_a_conflict_and_one_that_never_was_is_not_there(here: Studio) -> None:
    await here.do("update_definition", type="interaction", name="ship-it", source=DELIVERED)
    own = "0192f0c1-0000-7000-8000-00000000aaaa"
    with pytest.raises(Problem):
        await here.run(run_id=own)
    assert (await refused(here, own, to="the desk")).reason is Reason.CONFLICT
    assert (await refused(here, own[:-1] + "b", to="the desk")).reason is Reason.NOT_FOUND


@pytest.mark.parametrize("name", ["", "  ", "a\nb", "\x7f", "é" * 128 + "a", "\ud800"])
@pytest.mark.parametrize("field", ["to", "from"])
async def test_a_name_that_can_be_no_party_is_refused_where_it_stands(here: Studio, field: str, name: str) -> None:
    run_id = (await here.run())["run_id"]
    assert [issue.pointer for issue in (await refused(here, run_id, **{field: name})).issues] == [f"/{field}"]
    assert await listed(here) == ["the editor"]


async def test_to_nobody_is_refused(here: Studio) -> None:
    run_id = (await here.run())["run_id"]
    assert [issue.pointer for issue in (await refused(here, run_id)).issues] == ["/to"]
    assert [issue.pointer for issue in (await refused(here, run_id, from_="the chief", to="x")).issues] == ["/from_"]


async def test_who_give_it_to_the_same_at_once_record_it_once(here: Studio) -> None:
    run_id = (await here.run())["run_id"]
    gives = [here.do("reassign_interaction", run_id=run_id, to="the night desk") for _ in range(8)]
    assert {one["to"] for one in await asyncio.gather(*gives)} == {"the night desk"}
    assert [event["type"] for event in await history(here, run_id)].count("request_reassigned") == 1


async def test_events_and_heads_agree_on_who_was_asked(here: Studio) -> None:
    run_ids = [(await here.run())["run_id"] for _ in range(3)]
    for run_id, fields in zip(run_ids, ({"to": "a"}, {"from": "b"}, {"to": "c", "from": "d"}), strict=True):
        await here.do("reassign_interaction", run_id=run_id, **fields)
    await here.do("answer_interaction", run_id=run_ids[2], answer=YES)
    pages = [page async for page in Rebuild(here.app.store, here.app.writer, MACHINES, check=True).run()]
    assert [page for page in pages if page.changed or page.damaged or page.recounted] == []


async def test_who_was_overtaken_looks_again_and_what_is_not_named_stays(
    here: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_id = (await here.run())["run_id"]
    submit, once = here.app.writer.submit, iter([1])

    async def overtaken(unit: Unit) -> Result:
        for _ in once:
            await here.do("reassign_interaction", run_id=run_id, to="the day desk")
        return await submit(unit)

    monkeypatch.setattr(here.app.writer, "submit", overtaken)
    given = await here.do("reassign_interaction", run_id=run_id, **{"from": "the chief"})
    assert (given["to"], given["answerer"]) == ("the day desk", "the chief")


async def test_of_two_who_give_it_away_at_once_the_later_stands(here: Studio) -> None:
    run_id = (await here.run())["run_id"]
    both = (here.do("reassign_interaction", run_id=run_id, to=name) for name in ("the night desk", "the day desk"))
    assert {told["to"] for told in await asyncio.gather(*both)} == {"the night desk", "the day desk"}
    events = (await here.do("get_run_history", run_id=run_id))["events"]
    given = [event["data"]["to"] for event in events if event["type"] == "request_reassigned"]
    assert sorted(given) == ["the day desk", "the night desk"]
    assert (await here.do("get_interaction", run_id=run_id))["to"] == given[-1]
