"""Answer tokens: good for one answer to one request as it was put, for whoever holds one, and for nothing else."""

import base64
from dataclasses import replace

import pytest

from sayso.app.tokens import Token, Tokens
from sayso.core.values import Json
from sayso.errors import Kind, Problem, Reason
from tests.app.studio import NOTICE, Studio
from tests.app.world import HOUR

pytestmark = pytest.mark.anyio
YES, NO = {"verdict": "yes"}, {"verdict": "no"}
TOKEN = Token(org="acme", playbook="sales", run_id="r", seen_seq=2, expires_at=9, maker="desk")


async def with_key(here: Studio, **limits: object) -> Studio:
    made = await here.app.keys.create(here.org, key_id="desk", **limits)  # type: ignore[arg-type]
    return replace(here, principal=await here.app.keys.authenticate(made["key"]))


async def made(here: Studio, run_id: Json, **fields: Json) -> str:
    return str((await here.do("create_answer_token", run_id=run_id, **fields))["token"])


async def holding(here: Studio, token: str) -> Studio:
    return replace(here, principal=await here.app.tokens.authenticate(token))


async def answer(here: Studio, token: str, run_id: Json, answer: Json = YES) -> dict[str, Json]:
    """Answer as a door has it done: the run is in the path, and known before all else."""
    principal, operations = await here.app.tokens.authenticate(token), here.app.operations
    allowed = operations.allow(
        principal, "answer_interaction", org=here.org, playbook=here.playbook, run_id=str(run_id)
    )
    return await operations.perform(allowed, {"run_id": run_id, "answer": answer})


async def is_refused(here: Studio, token: str, run_id: Json, answer_: Json = YES) -> Problem:
    with pytest.raises(Problem) as caught:
        await answer(here, token, run_id, answer_)
    return caught.value


async def test_whoever_holds_one_answers_in_the_name_of_its_maker(here: Studio) -> None:
    desk = await with_key(here)
    run_id = (await here.run())["run_id"]
    fact = await answer(here, await made(desk, run_id), run_id.upper())
    assert (fact["answer"], fact["answered_by"]) == (YES, "token:desk")
    assert (await here.do("get_run", run_id=run_id))["record"]["answered_by"] == "token:desk"


async def test_the_operator_makes_them_too(here: Studio) -> None:
    run_id = (await here.run())["run_id"]
    assert (await answer(here, await made(here, run_id), run_id))["answered_by"] == "token:operator"


async def test_a_wrong_answer_is_refused_at_its_field_and_the_right_one_then_taken(here: Studio) -> None:
    run_id = (await here.run())["run_id"]
    token = await made(here, run_id)
    assert (await is_refused(here, token, run_id, {})).reason is Reason.INVALID_INPUT
    assert (await answer(here, token, run_id))["answer"] == YES


async def test_after_the_answer_it_gets_what_was_recorded_and_changes_nothing(here: Studio) -> None:
    run_id = (await here.run())["run_id"]
    token = await made(here, run_id)
    fact = await answer(here, token, run_id)
    assert await answer(here, token, run_id) == fact
    assert (await is_refused(here, token, run_id, NO)).kind is Kind.ANSWERED


async def test_it_is_good_for_no_other_run_and_no_other_operation(here: Studio) -> None:
    mine, other = [(await here.run())["run_id"] for _ in range(2)]
    token = await made(here, mine)
    assert (await is_refused(here, token, other)).reason is Reason.FORBIDDEN
    who = await holding(here, token)
    for operation, fields in (("list_interactions", {}), ("get_run", {"run_id": mine}), ("list_playbooks", {})):
        with pytest.raises(Problem) as caught:
            await who.do(operation, **fields)
        assert caught.value.reason is Reason.FORBIDDEN


async def test_it_dies_at_its_expiry_and_never_after_the_request(here: Studio) -> None:
    run_id = (await here.run())["run_id"]
    short, long = await made(here, run_id, expires="PT1M"), await made(here, run_id, expires="P20D")
    assert (await here.do("create_answer_token", run_id=run_id, expires="P20D"))["expires_at"] == (
        await here.do("list_interactions")
    )["interactions"][0]["expires_at"]
    here.clock.at += HOUR // 60
    assert (await is_refused(here, short, run_id)).reason is Reason.UNAUTHENTICATED
    here.clock.at += HOUR
    assert (await is_refused(here, long, run_id)).reason is Reason.UNAUTHENTICATED


async def test_it_dies_with_the_key_that_made_it(here: Studio) -> None:
    desk = await with_key(here)
    run_id = (await here.run())["run_id"]
    token = await made(desk, run_id)
    await here.app.keys.rotate("desk")
    await holding(here, token)
    await here.app.keys.revoke("desk")
    assert (await is_refused(here, token, run_id)).reason is Reason.UNAUTHENTICATED


async def test_it_dies_when_the_request_is_given_to_another(here: Studio) -> None:
    run_id = (await here.run())["run_id"]
    token = await made(here, run_id)
    await here.do("reassign_interaction", run_id=run_id, to="the night desk")
    assert (await is_refused(here, token, run_id)).kind is Kind.REASSIGNED
    assert (await answer(here, await made(here, run_id), run_id))["answer"] == YES


async def test_there_is_none_for_what_waits_for_no_answer(here: Studio) -> None:
    await here.save("tell-desk", NOTICE)
    answered, told = (await here.run())["run_id"], (await here.run("tell-desk", input={}))["run_id"]
    await here.do("answer_interaction", run_id=answered, answer=YES)
    expired = (await here.run())["run_id"]
    here.clock.at += HOUR
    for run_id in (answered, told, expired):
        with pytest.raises(Problem) as caught:
            await here.do("create_answer_token", run_id=run_id)
        assert caught.value.reason is Reason.CONFLICT


@pytest.mark.parametrize("expires", ["PT0S", "tomorrow", "P1M", "2020-01-01T00:00:00Z", "2027-13-01T00:00:00Z", ""])
async def test_an_expiry_that_is_none_is_refused(here: Studio, expires: str) -> None:
    run_id = (await here.run())["run_id"]
    with pytest.raises(Problem) as caught:
        await made(here, run_id, expires=expires)
    assert [issue.pointer for issue in caught.value.issues] == ["/expires"]


def test_what_was_written_with_this_secret_is_read_and_nothing_else() -> None:
    written = Tokens(bytes(32)).write(TOKEN)
    assert Tokens(bytes(32)).read(written) == TOKEN
    assert Tokens(b"x" * 32).read(written) is None
    raw = bytearray(base64.urlsafe_b64decode(written + "=="))
    for place in range(len(raw)):
        changed = bytearray(raw)
        changed[place] ^= 1
        assert Tokens(bytes(32)).read(base64.urlsafe_b64encode(changed).decode().rstrip("=")) is None


@pytest.mark.parametrize("text", ["", "x", "é", "a b", "A" * 44, "A" * 100_000, "====", "\0"])
def test_a_text_that_is_no_token_is_none(text: str) -> None:
    assert Tokens(bytes(32)).read(text) is None


async def test_a_cursor_is_no_token_and_a_token_no_cursor(here: Studio) -> None:
    run_id = (await here.run())["run_id"]
    await here.run()
    cursor = (await here.do("list_interactions", limit=1))["next_cursor"]
    with pytest.raises(Problem) as caught:
        await here.app.tokens.authenticate(cursor)
    assert caught.value.reason is Reason.UNAUTHENTICATED
    with pytest.raises(Problem) as caught:
        await here.do("list_interactions", cursor=await made(here, run_id))
    assert [issue.pointer for issue in caught.value.issues] == ["/cursor"]
