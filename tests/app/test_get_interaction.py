"""One request by its run: as the list shows it while it is open, and afterwards with how it ended."""

from dataclasses import replace
from typing import Any

import pytest

from sayso.app import interaction_view
from sayso.app.run_view import Run
from sayso.app.snapshot import Snapshot
from sayso.core.events import Event, RunCancelRequested, RunFailed, RunRejected
from sayso.core.heads import Birth, Outcome, StreamKind, born
from sayso.errors import Problem, Reason
from tests.app.studio import CALL, DELIVERED, NOTICE, Studio
from tests.app.world import HOUR
from tests.store.examples import NOW, REQUESTED, STARTED, recorded, stream

pytestmark = pytest.mark.anyio
NOBODY = "0192f0c1-0000-7000-8000-00000000ffff"


async def shown(here: Studio, run_id: Any) -> dict[str, Any]:
    return await here.do("get_interaction", run_id=run_id)


async def test_an_open_one_is_as_the_list_shows_it(here: Studio) -> None:
    run_id = (await here.run())["run_id"]
    (listed,) = (await here.do("list_interactions"))["interactions"]
    assert await shown(here, run_id) == listed | {"status": "open", "ended_at": None}


async def test_an_answered_one_has_the_fact_that_settled_it(here: Studio) -> None:
    run_id = (await here.run())["run_id"]
    (listed,) = (await here.do("list_interactions"))["interactions"]
    here.clock.at += 1_000_000
    fact = await here.do("answer_interaction", run_id=run_id, answer={"verdict": "yes"}, claimed_for="the board")
    over = await shown(here, run_id)
    assert over == listed | {"standing": None, "status": "answered", "ended_at": fact["answered_at"]} | fact


async def test_one_that_nobody_answered_says_how_it_ended(here: Studio) -> None:
    cancelled, expired = [(await here.run())["run_id"] for _ in range(2)]
    await here.do("cancel_run", run_id=cancelled)
    here.clock.at += HOUR
    await here.app.worker.sweep()
    assert [(await shown(here, run_id))["status"] for run_id in (cancelled, expired)] == ["cancelled", "expired"]
    assert "answer" not in await shown(here, expired)


async def test_a_notification_is_over_as_soon_as_it_is_put(here: Studio) -> None:
    await here.save("tell", NOTICE)
    told = await shown(here, (await here.run("tell"))["run_id"])
    assert (told["status"], told["takes_answer"], told["answer_schema"]) == ("notified", False, None)


@pytest.mark.parametrize("document", [DELIVERED, CALL])
async def test_a_run_that_asked_nothing_has_none(here: Studio, document: str) -> None:
    await here.save("other", document)
    with pytest.raises(Problem):
        await here.run("other", run_id=NOBODY)
    assert (await here.do("get_run", run_id=NOBODY))["status"] == "rejected"
    with pytest.raises(Problem, match="no such interaction") as caught:
        await shown(here, NOBODY)
    assert caught.value.reason is Reason.NOT_FOUND


async def test_the_input_of_a_run_is_read_back_as_it_was_given(here: Studio) -> None:
    given = {"lead": "the desk", "long": "é" * 3000, "number": 10**30}
    run_id = (await here.run(input=given))["run_id"]
    told = await here.do("get_run_input", run_id=run_id.upper())
    assert (told["run_id"], told["input"]) == (run_id, given)
    assert told["input_bytes"] > 6000


def over(last: Event) -> Run:
    """A run that put its request, and ended with this."""
    head = born(stream(1), 0, Birth(kind=StreamKind.REQUEST, org=1, playbook=1), NOW, 1)
    ended = replace(head, outcome=Outcome.FAILED, ended_at=NOW)
    return Run(head=ended, events=recorded(head.stream, STARTED, REQUESTED, last), playbook="sales")


def test_every_ending_has_a_word() -> None:
    snapshot = Snapshot(orgs={}, org_names={}, playbooks={}, callers={}, caller_ids={1: "desk"}, keys={})
    undelivered = RunRejected(reason=Reason.UNANSWERED, kind="undelivered")
    for last, word in ((RunFailed(), "failed"), (undelivered, "undelivered"), (RunRejected(reason="other"), "other")):
        shown = interaction_view.whole(over(last), None, snapshot)
        assert shown is not None
        assert (shown["status"], shown["standing"]) == (word, None)
    with pytest.raises(TypeError, match="RunCancelRequested"):
        interaction_view.whole(over(RunCancelRequested(kind="requested")), None, snapshot)
