"""The kinds of input that broke something once, or that the promise names: each by itself."""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from sayso.core.pointers import SHOWN_CHARACTERS, shortened
from tests.fuzz import asking
from tests.fuzz.known import Known
from tests.fuzz.listings import Listings
from tests.fuzz.stage import Stage, stage

pytestmark = pytest.mark.anyio

CLOSED = """---
to: the treasurer
expires: P2D
input:
  schema: { type: object, additionalProperties: false }
---
What do you say?
"""
DEEP_512, DEEP_513 = "[" * 512 + "]" * 512, "[" * 513 + "]" * 513
LONG_NAME = "x" * 100_000


COUNTED = "---\nto: the treasurer\nexpires: P2D\noutput: {schema: {type: integer}}\n---\nHow many?\n"


@pytest.fixture
async def staged(tmp_path: Path) -> AsyncIterator[Stage]:
    async with stage(tmp_path, "kinds") as its:
        await asking.set_up(its)
        yield its


async def problem(staged: Stage, answer: str) -> tuple[int, list[str]]:
    """How an answer of this JSON text is refused: its status and its pointers."""
    run_id = await asking.run(staged)
    asked = asking.raw("answer_interaction", f'{{"answer": {answer}}}'.encode(errors="surrogatepass"), run_id=run_id)
    response = await asking.send(staged, asked)
    return response.status, [error["pointer"] for error in json.loads(response.body).get("errors", ())]


@pytest.mark.parametrize(
    ("answer", "status", "pointers"),
    [
        ('"\\ud800"', 422, ["/answer"]),
        ('{"a": "\\udc00\\ud800"}', 422, ["/answer/a"]),
        ('{"\\ud800": 1}', 422, ["/answer/\ufffd"]),
        ('"\ud800"', 400, []),
        ('[1, "a\\u0000b"]', 422, ["/answer/1"]),
        ("NaN", 422, ["/answer"]),
        ("[-Infinity]", 422, ["/answer/0"]),
        ("1e400", 422, ["/answer"]),
        ('{"a": 1, "a": 1}', 422, ["/answer/a"]),
        (DEEP_513, 422, ["/answer"]),
        ("[" * 100_000, 422, ["/answer"]),
        ("9" * 4_301, 422, ["/answer"]),
        ('"' + "x" * 65_535 + '"', 422, ["/answer"]),
        ('"a\nb"', 400, []),
        ("01", 400, []),
    ],
)
async def test_a_value_with_no_one_meaning_is_refused_where_it_stands(
    staged: Stage, answer: str, status: int, pointers: list[str]
) -> None:
    assert await problem(staged, answer) == (status, pointers)


@pytest.mark.parametrize(
    "answer",
    [
        *(
            "9007199254740993",
            "-9007199254740993",
            "123456789012345678901234567890",
            "9" * 4_300,
            "1.7976931348623157e308",
        ),
        *('"\\ud83d\\ude00"', '"\\\\u0000"', '"\ufeff\u202e\u2028"', '{"": [], "__proto__": {"~": "/"}}', DEEP_512),
    ],
)
async def test_a_value_at_the_edge_is_kept_to_its_last_digit_and_listed(staged: Stage, answer: str) -> None:
    run_id = await asking.run(staged, input=json.loads(answer))
    response = await asking.send(
        staged, asking.raw("answer_interaction", b'{"answer": %b}' % answer.encode(), run_id=run_id)
    )
    assert response.status == 200, response.body
    assert (await asking.perform(staged, "get_run", run_id=run_id))["output"] == json.loads(answer)
    assert (await Listings(staged, Known()).read())["events"] == 5


async def test_a_run_is_found_again_by_the_id_that_it_was_told(staged: Stage) -> None:
    """Without an id of its own a run is known by its stream's: asking again under that makes no second run."""
    run_id = await asking.run(staged, input={"a": 1})
    assert await asking.run(staged, input={"a": 1}, run_id=run_id) == run_id
    other = asking.request("run_definition", type="interaction", name="ask-anything", input={}, run_id=run_id)
    assert (await asking.send(staged, other)).status == 409
    listed = await asking.perform(staged, "list_runs")
    assert [run["run_id"] for run in listed["runs"]] == [run_id]


async def test_a_run_that_starts_again_takes_no_answer_that_nobody_checked(tmp_path: Path) -> None:
    """An answer is not held to the schema of a run that has ended; by the time it is decided the run may wait again."""
    async with stage(tmp_path, "again", open_requests=1) as its:
        await asking.set_up(its, source=COUNTED)
        for number in range(10):
            first = await asking.run(its)
            run_id = f"0192f0c1-0000-7000-8000-{number:012x}"
            again = asking.request("run_definition", type="interaction", name="ask-anything", run_id=run_id)
            assert (await asking.send(its, again)).status == 503
            await asking.perform(its, "cancel_run", run_id=first)
            answer = asking.request("answer_interaction", run_id=run_id, answer="no number")
            replies = await asyncio.gather(asking.send(its, again), asking.send(its, answer))
            assert [reply.status for reply in replies] in ([200, 409], [200, 422])
            await asking.perform(its, "cancel_run", run_id=run_id)


@pytest.mark.parametrize(("version", "status"), [(2**53 - 1, 409), (2**53, 422), (10**4_000, 422)])
async def test_an_expected_version_is_a_number_that_can_be_repeated(staged: Stage, version: int, status: int) -> None:
    fields: dict[str, Any] = {"type": "interaction", "name": "ask-anything", "source": COUNTED}
    asked = asking.request("update_definition", expected_version=version, **fields)
    assert (await asking.send(staged, asked)).status == status


async def test_a_long_name_is_not_repeated_in_a_pointer(staged: Stage) -> None:
    fields: dict[str, Any] = {"playbook": "legal", "name": "Legal", LONG_NAME: 1}
    response = await asking.send(staged, asking.request("create_playbook", **fields))
    assert [error["pointer"] for error in json.loads(response.body)["errors"]] == [""]


async def test_a_refused_input_with_a_long_name_is_stored_without_it(staged: Stage) -> None:
    await asking.perform(staged, "create_definition", type="interaction", name="ask-closed", source=CLOSED)
    given: dict[str, Any] = {
        "type": "interaction",
        "name": "ask-closed",
        "run_id": "0192f0c1-0000-7000-8000-00000000aaaa",
    }
    refused = await asking.send(staged, asking.request("run_definition", input={LONG_NAME: 1}, **given))
    assert refused.status == 422
    run = await asking.perform(staged, "get_run", run_id=given["run_id"])
    assert [issue["pointer"] for issue in run["rejection"]["issues"]] == ["/input"]


@pytest.mark.parametrize(
    ("pointer", "shown"),
    [
        ("", ""),
        ("/a/b", "/a/b"),
        ("/a/" + "b" * SHOWN_CHARACTERS, "/a"),
        ("/" + "b" * (SHOWN_CHARACTERS - 1), "/" + "b" * (SHOWN_CHARACTERS - 1)),
        ("/" + "b" * (SHOWN_CHARACTERS - 1) + "/c", "/" + "b" * (SHOWN_CHARACTERS - 1)),
        ("/" + "b" * SHOWN_CHARACTERS, ""),
    ],
)
def test_a_pointer_is_shown_whole_or_that_of_a_holder(pointer: str, shown: str) -> None:
    assert shortened(pointer) == shown
