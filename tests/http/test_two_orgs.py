"""Two orgs with the same playbook ids, definition names and run ids never meet, on any route of the table."""

from collections.abc import AsyncIterator
from typing import Any, NamedTuple

import httpx2
import pytest

from sayso.app.inputs import INPUTS
from sayso.http import v1
from sayso.http.routes import Route
from tests.http.served import NOBODY, RUN, Served, document

pytestmark = pytest.mark.anyio
QUERIES = [route for route in v1.TABLE if route.is_query]
COMMANDS = [route for route in v1.TABLE if not route.is_query]
# Nothing takes these so far.
NEVER = {"send_run_event": 404}
# What makes a new thing is given a name that is new, and a type of events is none of functions.
NEW = {
    "create_playbook": {"playbook": "growth"},
    "create_definition": {"name": "approve-more"},
    "list_playbook_events": {"type": "run_started"},
}
# What gives something away is told to whom.
GIVEN = {"reassign_interaction": {"to": "the night desk"}}


class Org(NamedTuple):
    name: str
    key: str
    event_id: str


class Two(NamedTuple):
    served: Served
    acme: Org
    zeta: Org


@pytest.fixture
async def two(served: Served) -> AsyncIterator[Two]:
    """Two orgs that chose every id and name alike; all that they wrote holds their own name."""
    orgs = [await _org(served, name) for name in ("acme", "zeta")]
    yield Two(served, *orgs)


async def _org(served: Served, name: str) -> Org:
    key = await served.key(name, key_id=f"{name}-key")
    await served.set_up(name, key)
    again = {"type": "interaction", "name": "approve-brief", "source": document(f"{name}, again")}
    assert (await served.perform("update_definition", key, org=name, **again)).is_success
    history = await served.perform("get_run_history", key, org=name, run_id=RUN)
    return Org(name, key, history.json()["events"][0]["id"])


def sample(route: Route, org: Org) -> dict[str, Any]:
    """A value for each field that the operation must have, by the field's name; they do not differ but in words."""
    known = {
        "playbook": "sales",
        "type": "interaction",
        "name": "approve-brief",
        "run_id": RUN,
        "event_id": org.event_id,
        "source": document(f"{org.name}, once more"),
        "input": {"owner": org.name},
        "answer": {"verdict": "approve"},
        "claimed_for": org.name,
        "reason": org.name,
        "description": f"New words of {org.name}",
        "event": {"type": "brief.sent", "source": "/desk", "subject": org.name},
    }
    fields = INPUTS[route.operation].model_fields
    needed = {name for name in fields if fields[name].is_required()} | (known.keys() & fields.keys())
    return {name: known[name] for name in needed} | NEW.get(route.operation, {}) | GIVEN.get(route.operation, {})


async def ask(two: Two, route: Route, of: Org, *, key: str | None = None, **changed: Any) -> httpx2.Response:
    """Ask for what an org has, with its own key unless another is given."""
    fields = {"org": of.name} | sample(route, of) | changed
    return await two.served.perform(route.operation, key or of.key, **fields)


async def everything(two: Two, org: Org) -> list[str]:
    """All that an org sees."""
    return [(await ask(two, route, org)).text for route in QUERIES]


@pytest.mark.parametrize("route", QUERIES, ids=lambda route: route.operation)
async def test_each_sees_its_own_and_nothing_of_the_other(two: Two, route: Route) -> None:
    for own, other in ((two.acme, two.zeta), (two.zeta, two.acme)):
        reply = await ask(two, route, own)
        assert reply.status_code == 200, reply.text
        assert own.name in reply.text
        assert other.name not in reply.text


@pytest.mark.parametrize("route", COMMANDS, ids=lambda route: route.operation)
async def test_what_one_changes_changes_nothing_for_the_other(two: Two, route: Route) -> None:
    if route.operation == "erase_run":  # it takes what has ended alone
        for org in (two.acme, two.zeta):
            await two.served.perform("cancel_run", org.key, org=org.name, run_id=RUN)
    before = await everything(two, two.zeta)
    reply = await ask(two, route, two.acme)
    assert reply.status_code == NEVER.get(route.operation, route.status), reply.text
    assert await everything(two, two.zeta) == before
    assert (await ask(two, route, two.zeta)).status_code == reply.status_code


@pytest.mark.parametrize("route", v1.TABLE, ids=lambda route: route.operation)
async def test_a_key_of_the_other_is_403_as_in_an_org_that_never_was(two: Two, route: Route) -> None:
    reply = await ask(two, route, two.zeta, key=two.acme.key)
    never = await ask(two, route, two.zeta, key=two.acme.key, org="never")
    assert reply.status_code == never.status_code == 403
    assert reply.json() == never.json()


@pytest.mark.parametrize("route", [route for route in v1.TABLE if "run_id" in route.names], ids=lambda r: r.operation)
async def test_a_run_of_the_other_is_404_as_what_never_was(two: Two, route: Route) -> None:
    theirs = "0192f0c1-0000-7000-8000-00000000bbbb"
    fields = {"type": "interaction", "name": "approve-brief", "input": {"owner": "zeta"}, "run_id": theirs}
    assert (await two.served.perform("run_definition", two.zeta.key, org="zeta", **fields)).is_success
    reply = await ask(two, route, two.acme, run_id=theirs)
    assert reply.status_code == 404
    assert reply.json() == (await ask(two, route, two.acme, run_id=NOBODY)).json()


async def test_an_event_of_the_other_is_404_as_what_never_was(two: Two) -> None:
    theirs = await two.served.perform("get_event", two.acme.key, event_id=two.zeta.event_id)
    never = await two.served.perform("get_event", two.acme.key, event_id=NOBODY)
    assert theirs.status_code == never.status_code == 404
    assert theirs.json() == never.json()
