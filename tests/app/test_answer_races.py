"""Answers under way while the run changes, and numbers that must not be taken for one another."""

import asyncio
import threading
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from sayso.core import values
from sayso.errors import Problem, Reason
from sayso.ports import Transaction
from sayso.settings import Settings
from tests.app.studio import INPUT, QUESTION, Studio, studio
from tests.app.world import TurnedClock
from tests.stores import running

pytestmark = pytest.mark.anyio
RUN_ID = "0199a3c4-7d2e-7c1a-9b3f-0000000000ab"


@pytest.fixture
async def full(tmp_path: Path) -> AsyncIterator[Studio]:
    """A playbook with room for one request, and a run that was refused since another took it."""
    async with running(Settings(data=tmp_path, open_requests=1), clock=TurnedClock(), work=False) as app:
        here = Studio(app=app, clock=TurnedClock())
        await here.save("ship-it")
        waiting = (await here.run())["run_id"]
        with pytest.raises(Problem):
            await here.run(run_id=RUN_ID)
        await here.do("cancel_run", run_id=waiting)
        yield here


async def test_an_unchecked_answer_is_never_taken(full: Studio) -> None:
    """It is looked at only while the request waits; one that begins to wait after the look takes no unchecked one."""
    go_on = threading.Event()  # the writer has a thread and a loop of its own

    async def hold(transaction: Transaction) -> None:
        assert await asyncio.to_thread(go_on.wait, 5)

    held = asyncio.ensure_future(full.app.writer.change(hold))
    again = asyncio.ensure_future(full.run(run_id=RUN_ID))
    await until_queued(full, 1)
    answering = asyncio.ensure_future(full.do("answer_interaction", run_id=RUN_ID, answer={"verdict": "nonsense"}))
    await until_queued(full, 2)
    go_on.set()
    await held
    assert (await again)["status"] == "started"
    (refused,) = await asyncio.gather(answering, return_exceptions=True)
    assert isinstance(refused, Problem)
    assert refused.reason is Reason.CONFLICT
    assert (await full.do("get_run", run_id=RUN_ID))["status"] == "started"
    await full.do("answer_interaction", run_id=RUN_ID, answer={"verdict": "yes"})


async def until_queued(here: Studio, count: int) -> None:
    """Until so much waits for the writer: by then whoever sent it has looked at what it needs."""
    async with asyncio.timeout(5):
        while len(here.app.writer._mailbox._queue) < count:
            await asyncio.sleep(0.001)


EQUAL: list[tuple[Any, Any]] = [
    (1, 1.0),
    (0, -0.0),
    (1e22, 10**22),
    (1e23, 10**23),
    (-1e308, -(10**308)),
    ({"a": 1, "b": [2.0]}, {"b": [2], "a": 1.0}),
]
DIFFERENT: list[tuple[Any, Any]] = [
    (1, True),
    (0, False),
    (1, "1"),
    (None, "null"),
    ([], {}),
    ([1, 2], [2, 1]),
    (2**53, 2**53 + 1),
    (1e23, 99999999999999991611392),  # the double nearest to it, which nobody wrote
    (1.5, 1.5000000000000002),
    ("é", "e\u0301"),
    ({"a": None}, {}),
]


@pytest.mark.parametrize(("one", "other"), EQUAL)
def test_equal_values_have_one_digest(one: Any, other: Any) -> None:
    assert values.digest(one) == values.digest(other)


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_different_values_have_different_digests(one: Any, other: Any) -> None:
    assert values.digest(one) != values.digest(other)


@pytest.mark.parametrize("answer", [None, False, 0, "", [], {}, -0.0, 1e308, 10**4_299, {"answer": None}])
async def test_an_empty_or_huge_answer_is_kept_and_given_again(answer: Any) -> None:
    async with studio() as here:
        await here.save("anything", QUESTION.split("output:")[0] + "output:\n  schema: {}\n---\nWhat then?\n")
        run_id = (await here.run("anything", input=INPUT))["run_id"]
        fact = await here.do("answer_interaction", run_id=run_id, answer=answer)
        assert await here.do("answer_interaction", run_id=run_id, answer=answer) == fact
        run = await here.do("get_run", run_id=run_id)
        assert (run["status"], repr(run["output"])) == ("succeeded", repr(answer))
