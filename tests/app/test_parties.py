"""Keys for some parties: what is put to others is not there for them, and what others are to answer they only see."""

from dataclasses import replace

import pytest

from sayso.core.values import Json
from sayso.errors import Problem, Reason
from tests.app.studio import CALL, QUESTION, Studio

pytestmark = pytest.mark.anyio
YES = {"verdict": "yes"}
LED = QUESTION.replace("expires:", "from: '{{ input.lead }} in chief'\nexpires:")
OWN = "0192f0c1-0000-7000-8000-00000000aaaa"


async def holding(here: Studio, *parties: str, permissions: list[str] | None = None) -> Studio:
    """Somebody with a key for some parties."""
    made = await here.app.keys.create(here.org, permissions, parties=parties)
    return replace(here, principal=await here.app.keys.authenticate(made["key"]))


async def ask(here: Studio, lead: str, name: str = "ship-it", **fields: Json) -> str:
    return str((await here.run(name, input={"lead": lead}, **fields))["run_id"])


async def reason(who: Studio, operation: str, **fields: Json) -> Reason:
    with pytest.raises(Problem) as caught:
        await who.do(operation, **fields)
    return caught.value.reason


async def listed(who: Studio, **filters: Json) -> list[str]:
    return [one["run_id"] for one in (await who.do("list_interactions", **filters))["interactions"]]


async def test_a_key_lists_what_is_put_to_its_parties_and_what_is_theirs_to_answer(here: Studio) -> None:
    await here.save("ask-lead", LED)
    mine, _, both = [await ask(here, lead) for lead in ("ann", "bob", "ann")]
    led = await ask(here, "cid", "ask-lead")
    who = await holding(here, "ann", "cid in chief")
    assert await listed(who) == [led, both, mine]
    assert await listed(who, to="ann") == [both, mine]
    assert await listed(who, to="cid") == [led]
    assert await listed(who, to="bob") == []
    assert await listed(who, function="ask-lead") == [led]


async def test_pages_of_several_parties_show_each_request_once_newest_first(here: Studio) -> None:
    asked = [await ask(here, lead) for _ in range(10) for lead in ("ann", "bob", "cid")]
    who = await holding(here, "ann", "cid")
    seen, cursor = [], None
    while True:
        page = await who.do("list_interactions", limit=7, **({"cursor": cursor} if cursor else {}))
        seen += [one["run_id"] for one in page["interactions"]]
        await ask(here, "ann")  # what comes meanwhile is newer, and moves nothing
        cursor = page["next_cursor"]
        if cursor is None:
            break
    assert seen == [run_id for n, run_id in enumerate(asked) if n % 3 != 1][::-1]


@pytest.mark.parametrize(
    ("operation", "fields"),
    [
        ("get_run", {}),
        ("get_run_history", {}),
        ("cancel_run", {}),
        ("answer_interaction", {"answer": YES}),
        ("reassign_interaction", {"to": "ann"}),
        ("create_answer_token", {}),
    ],
)
async def test_a_run_that_is_another_partys_is_as_if_it_never_was(
    here: Studio, operation: str, fields: dict[str, Json]
) -> None:
    who, theirs = await holding(here, "ann"), await ask(here, "bob")
    problems = []
    for run_id in (theirs, OWN):
        with pytest.raises(Problem) as caught:
            await who.do(operation, run_id=run_id, **fields)
        problems.append(caught.value)
    assert {(one.reason, one.detail) for one in problems} == {(Reason.NOT_FOUND, "There is no such run.")}


async def test_its_events_are_not_there_either(here: Studio) -> None:
    who, theirs = await holding(here, "ann"), await ask(here, "bob")
    events = (await here.do("get_run_history", run_id=theirs))["events"]
    for event in events:
        assert await reason(who, "get_event", event_id=event["id"]) is Reason.NOT_FOUND


async def test_runs_are_listed_without_those_of_others_ended_or_not(here: Studio) -> None:
    await here.save("read-incidents", CALL)
    mine, theirs = await ask(here, "ann"), await ask(here, "bob")
    await reason(here, "run_definition", type="interaction", name="read-incidents", input={"lead": "ann"})
    for run_id in (mine, theirs):
        await here.do("answer_interaction", run_id=run_id, answer=YES)
    who = await holding(here, "ann")
    assert [run["run_id"] for run in (await who.do("list_runs"))["runs"]] == [mine]
    assert (await who.do("get_run", run_id=mine))["output"] == YES


async def test_a_run_id_that_another_partys_run_has_is_taken_and_tells_nothing(here: Studio) -> None:
    await ask(here, "bob", run_id=OWN)
    who = await holding(here, "ann")
    for lead in ("ann", "bob"):
        again = {"type": "interaction", "name": "ship-it", "input": {"lead": lead}, "run_id": OWN}
        assert await reason(who, "run_definition", **again) is Reason.CONFLICT
    await here.do("retire_definition", type="interaction", name="ship-it")
    assert await reason(who, "run_definition", **again) is Reason.CONFLICT


async def test_who_is_asked_and_is_not_the_answerer_sees_it_and_may_not_answer(here: Studio) -> None:
    await here.save("ask-lead", LED)
    run_id = await ask(here, "ann", "ask-lead")
    watching, answering = await holding(here, "ann"), await holding(here, "ann in chief")
    assert await listed(watching) == await listed(answering) == [run_id]
    assert await reason(watching, "answer_interaction", run_id=run_id, answer=YES) is Reason.FORBIDDEN
    assert await reason(watching, "answer_interaction", run_id=run_id, answer={}) is Reason.FORBIDDEN
    assert await reason(watching, "create_answer_token", run_id=run_id) is Reason.FORBIDDEN
    assert (await answering.do("answer_interaction", run_id=run_id, answer=YES))["answer"] == YES


async def test_a_request_goes_with_its_party(here: Studio) -> None:
    run_id = await ask(here, "ann")
    ann, bob = await holding(here, "ann"), await holding(here, "bob")
    await ann.do("reassign_interaction", run_id=run_id, to="bob")
    assert (await listed(ann), await listed(bob)) == ([], [run_id])
    assert await reason(ann, "answer_interaction", run_id=run_id, answer=YES) is Reason.NOT_FOUND
    assert (await bob.do("answer_interaction", run_id=run_id, answer=YES))["answer"] == YES


async def test_a_key_that_only_answers_does_so_for_its_parties(here: Studio) -> None:
    mine, theirs = await ask(here, "ann"), await ask(here, "bob")
    who = await holding(here, "ann", permissions=["interaction:answer"])
    assert await listed(who) == [mine]
    assert await reason(who, "get_run", run_id=mine) is Reason.FORBIDDEN
    assert await reason(who, "answer_interaction", run_id=theirs, answer=YES) is Reason.NOT_FOUND
    assert (await who.do("answer_interaction", run_id=mine, answer=YES))["answer"] == YES
