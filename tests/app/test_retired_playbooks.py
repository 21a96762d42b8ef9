"""A retired playbook: it is read as before, takes no command, and what waits in it still ends."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from sayso.errors import Kind, Reason
from sayso.http import v1
from tests.app.studio import QUESTION, Studio, refused, studio
from tests.app.world import HOUR

pytestmark = pytest.mark.anyio
FUNCTION = {"type": "interaction", "name": "ship-it"}
RUN = "0192f0c1-0000-7000-8000-00000000aaaa"
# What each command of a playbook needs, beside the playbook.
COMMANDS: dict[str, dict[str, Any]] = {
    "update_playbook": {"playbook": "sales", "name": "Trade", "description": ""},
    "create_definition": FUNCTION | {"name": "another", "source": QUESTION},
    "update_definition": FUNCTION | {"source": QUESTION + "Now?"},
    "retire_definition": FUNCTION,
    "run_definition": FUNCTION | {"input": {"lead": "the editor"}},
    "cancel_run": {"run_id": RUN},
    "answer_interaction": {"run_id": RUN, "answer": {"verdict": "yes"}},
    "reassign_interaction": {"run_id": RUN, "to": "the night desk"},
    "create_answer_token": {"run_id": RUN},
    "send_run_event": {"run_id": RUN, "event": {"type": "stock.low"}},
    "publish_event": {"event": {"type": "stock.low"}},
}
QUERIES: dict[str, dict[str, Any]] = {
    "get_playbook": {"playbook": "sales"},
    "list_definitions": {"type": "interaction"},
    "get_definition": FUNCTION,
    "list_definition_versions": FUNCTION,
    "compare_definition": FUNCTION,
    "list_runs": {},
    "get_run": {"run_id": RUN},
    "get_run_input": {"run_id": RUN},
    "get_run_history": {"run_id": RUN},
    "list_interactions": {},
    "get_interaction": {"run_id": RUN},
    "list_playbook_events": {},
    "list_org_interactions": {},
    "list_org_runs": {},
}


@pytest.fixture
async def sales() -> AsyncIterator[Studio]:
    """A playbook with one request that waits, about to be retired."""
    async with studio() as here:
        await here.do("create_playbook", playbook="sales", name="Sales")
        made = here.elsewhere(playbook="sales")
        await made.save("ship-it")
        await made.run(run_id=RUN)
        yield made


async def retire(sales: Studio) -> dict[str, Any]:
    return await sales.do("retire_playbook", playbook="sales")


def test_every_command_of_a_playbook_is_tried_here() -> None:
    commands = {route.operation for route in v1.TABLE if not route.is_query}
    assert COMMANDS.keys() == commands - {"create_playbook", "retire_playbook", "erase_run"}
    assert QUERIES.keys() == {route.operation for route in v1.TABLE if route.is_query} - {"list_playbooks", "get_event"}


@pytest.mark.parametrize("operation", COMMANDS)
async def test_a_command_is_refused_as_retired(sales: Studio, operation: str) -> None:
    await retire(sales)
    problem = await refused(sales, operation, **COMMANDS[operation])
    assert (problem.reason, problem.kind) == (Reason.CONFLICT, Kind.RETIRED)


@pytest.mark.parametrize("operation", QUERIES)
async def test_a_query_tells_the_same_as_before(sales: Studio, operation: str) -> None:
    before = await sales.do(operation, **QUERIES[operation])
    await retire(sales)
    after = await sales.do(operation, **QUERIES[operation])
    its_own = {"status", "retired_at"} if operation == "get_playbook" else set()
    assert {name: after[name] for name in after.keys() - its_own} == {
        name: before[name] for name in before if name not in its_own
    }


async def test_it_is_retired_once_and_listed_on_demand(sales: Studio) -> None:
    first = await retire(sales)
    assert (first["status"], first["updated_at"]) == ("retired", first["created_at"])
    sales.clock.at += HOUR
    assert await retire(sales) == first == await sales.do("get_playbook", playbook="sales")
    assert (await sales.do("list_playbooks"))["playbooks"] == []
    assert (await sales.do("list_playbooks", include_retired=True))["playbooks"] == [first]


async def test_its_id_is_never_free_again(sales: Studio) -> None:
    await retire(sales)
    assert (await refused(sales, "create_playbook", playbook="sales", name="Again")).kind is Kind.TAKEN


async def test_what_waits_in_it_ends_when_it_expires(sales: Studio) -> None:
    await retire(sales)
    sales.clock.at += HOUR
    await sales.app.worker.sweep()
    run = await sales.do("get_run", run_id=RUN)
    assert (run["status"], run["rejection"]["kind"]) == ("rejected", "expired")
    assert (await sales.do("list_interactions"))["interactions"] == []
    (newest, *_) = (await sales.do("list_playbook_events"))["events"]
    assert newest["type"] == "run_rejected"


async def test_default_is_never_retired(sales: Studio) -> None:
    default = sales.elsewhere(playbook="default")
    assert (await refused(default, "retire_playbook", playbook="default")).reason is Reason.NOT_FOUND
    await default.save("ship-it")
    problem = await refused(default, "retire_playbook", playbook="default")
    assert (problem.reason, problem.kind) == (Reason.CONFLICT, None)
    assert (await default.run())["status"] == "started"


async def test_what_never_was_is_not_found(sales: Studio) -> None:
    assert (await refused(sales, "retire_playbook", playbook="nowhere")).reason is Reason.NOT_FOUND


async def test_what_was_written_in_it_is_erased_once_it_has_ended(sales: Studio) -> None:
    await retire(sales)
    assert (await refused(sales, "erase_run", run_id=RUN)).kind is None
    sales.clock.at += HOUR
    await sales.app.worker.sweep()
    assert "erased_at" in await sales.do("erase_run", run_id=RUN)
