"""A few hundred requests made from the OpenAPI document, to a server on a socket: each response is what it says.

The long form, by a tool that knows nothing of ours, is ``make fuzz-openapi``.
"""

import asyncio
import contextlib
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import httpx2
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sayso import compose
from sayso.http import v1
from sayso.http.openapi.document import document
from sayso.http.routes import Route
from sayso.settings import Settings
from tests import stores
from tests.http.openapi import Told
from tests.http.served import RUN, Served
from tests.listening import listening
from tests.openapi.made import made

DOCUMENT = document(Settings.problem_base)
TOLD = Told(DOCUMENT)
FEW = settings(database=None, deadline=None, max_examples=12, suppress_health_check=list(HealthCheck))
KNOWN = {"org": "acme", "playbook": "sales", "type": "interaction", "name": "approve-brief", "run_id": RUN}
# What ends something is asked of nothing that the others need.
OVER = {"retire_playbook": {"playbook": "over-and-done"}, "retire_definition": {"name": "ask-no-more"}}


class Door:
    """A server asked from plain functions: Hypothesis draws in them, which it cannot do from within a loop."""

    def __init__(self, runner: asyncio.Runner, client: httpx2.AsyncClient, key: str) -> None:
        self._runner = runner
        self._client = client
        self._headers = {"authorization": f"Bearer {key}"}

    def ask(self, method: str, path: str, **more: Any) -> httpx2.Response:
        return self._runner.run(self._client.request(method, path, headers=self._headers, **more))


@pytest.fixture(scope="module")
def door() -> Iterator[Door]:
    """A playbook with a run that waits, and one that may end."""
    with asyncio.Runner() as runner, stores.lending():
        stack = contextlib.AsyncExitStack()
        made = runner.run(_set_up(stack))
        yield Door(runner, *made)
        runner.run(stack.aclose())


async def _set_up(stack: contextlib.AsyncExitStack) -> tuple[httpx2.AsyncClient, str]:
    app = await stack.enter_async_context(stores.running(Settings(), work=False))
    its = compose.http_app(app, Settings())
    port = await stack.enter_async_context(listening(its))
    client = await stack.enter_async_context(httpx2.AsyncClient(base_url=f"http://127.0.0.1:{port}"))
    served = Served(app, its, client)
    key = await served.key()
    await served.set_up("acme", key)
    assert (await served.perform("create_playbook", key, playbook="over-and-done", name="Over")).is_success
    return client, key


def requests(route: Route) -> st.SearchStrategy[tuple[dict[str, str], dict[str, Any], Any]]:
    """Path, query and body of an operation: where something is mostly, and else anywhere."""
    its = DOCUMENT["paths"][route.path][route.method.lower()]
    known = KNOWN | OVER.get(route.operation, {})
    path, query = (
        {one["name"]: one["schema"] for one in its["parameters"] if one["in"] == where} for where in ("path", "query")
    )
    paths = {name: st.just(known[name]) if name in known else made(schema) for name, schema in path.items()}
    queries = st.fixed_dictionaries({}, optional={name: made(schema) for name, schema in query.items()})
    body = its.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
    return st.tuples(st.fixed_dictionaries(paths), queries, made(body) if body else st.none())


@FEW
@given(drawn=st.data())
@pytest.mark.parametrize("route", v1.TABLE, ids=lambda route: route.operation)
def test_a_response_is_what_the_document_says(door: Door, route: Route, drawn: st.DataObject) -> None:
    path, query, body = drawn.draw(requests(route))
    url = route.path.format(**{name: quote(value, safe="") for name, value in path.items()})
    texts = {name: str(value).lower() if isinstance(value, bool) else value for name, value in query.items()}
    reply = door.ask(route.method, url, **({"params": texts} if route.is_query else {"json": body}))
    assert TOLD.faults(route.operation, reply.status_code, reply.json(), reply.headers["content-type"]) == []
    assert reply.status_code < 500
