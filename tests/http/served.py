"""The real app on an empty store, asked over the HTTP door as a client asks it."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import quote

import httpx2
from starlette.types import ASGIApp

from sayso import compose
from sayso.app.runtime import App
from sayso.http import v1
from sayso.settings import Settings
from tests import stores

ORIGIN = "https://app.example.com"
ROUTES = {route.operation: route for route in v1.TABLE}
RUN = "0192f0c1-0000-7000-8000-00000000aaaa"
NOBODY = "0192f0c1-0000-7000-8000-00000000ffff"

DOCUMENT = """---
description: Asks {org} whether a brief may go out
to: '{{{{ input.owner }}}}'
expires: P2D
input:
  schema:
    type: object
    required: [owner]
    properties:
      owner: {{ type: string }}
output:
  schema:
    type: object
    required: [verdict]
    additionalProperties: false
    properties:
      verdict: {{ type: string, enum: [approve, revise] }}
---
May the brief of {org} go out, {{{{ input.owner }}}}?
"""


def document(org: str = "acme") -> str:
    """A function that asks a person, whose words name the org."""
    return DOCUMENT.format(org=org)


class Served:
    """A door and what is behind it."""

    def __init__(self, app: App, door: ASGIApp, client: httpx2.AsyncClient) -> None:
        self.app = app
        self.door = door
        self.client = client

    async def key(self, org: str = "acme", **limits: Any) -> str:
        """A key of an org, with every permission unless limited."""
        made = await self.app.keys.create(org, **limits)
        return str(made["key"])

    async def ask(
        self, method: str, path: str, *, key: str | None = None, headers: dict[str, str] | None = None, **more: Any
    ) -> httpx2.Response:
        """Send one request; ``more`` is what the client library takes: json, content, params. A ``key`` may be written
        with its scheme, and so may a token."""
        credential = {} if key is None else {"authorization": key if " " in key else f"Bearer {key}"}
        return await self.client.request(method, path, headers=credential | (headers or {}), **more)

    async def perform(self, operation: str, key: str | None, *, org: str = "acme", **fields: Any) -> httpx2.Response:
        """Perform an operation at its route, each field where the route takes it; in ``sales`` unless it says where."""
        route = ROUTES[operation]
        given = {"org": org, "playbook": "sales"} | fields
        path = route.path.format(**{name: quote(str(given[name]), safe="") for name in route.names})
        rest = {name: value for name, value in fields.items() if name not in route.names}
        if route.is_query:
            return await self.ask(route.method, path, key=key, params=rest)
        return await self.ask(route.method, path, key=key, json=rest)

    async def set_up(self, org: str, key: str, run_id: str = RUN) -> None:
        """A playbook with a function and a run of it that waits."""
        steps: Sequence[tuple[str, dict[str, Any]]] = (
            ("create_playbook", {"playbook": "sales", "name": "Sales", "description": f"The briefs of {org}"}),
            ("create_definition", {"type": "interaction", "name": "approve-brief", "source": document(org)}),
            (
                "run_definition",
                {"type": "interaction", "name": "approve-brief", "input": {"owner": org}, "run_id": run_id},
            ),
        )
        for operation, fields in steps:
            reply = await self.perform(operation, key, org=org, **fields)
            assert reply.is_success, reply.text


@asynccontextmanager
async def serving(settings: Settings) -> AsyncIterator[Served]:
    """Serve until the context ends. Nothing works in the background: tests see only what they asked for."""
    async with stores.running(settings, work=False) as app:
        door = compose.http_app(app, settings)
        transport = httpx2.ASGITransport(door)
        async with httpx2.AsyncClient(transport=transport, base_url="http://localhost:8080") as client:
            yield Served(app, door, client)
