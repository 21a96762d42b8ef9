"""A whole app in memory, as it is composed, for tests of its operations."""

import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace

import pytest

from sayso.app.access import OPERATOR, Principal
from sayso.app.runtime import App
from sayso.core.rows import Row
from sayso.core.values import Json
from sayso.errors import Problem
from sayso.settings import Settings
from tests.app.world import TurnedClock
from tests.stores import DEFAULT_SHARD, running

QUESTION = """---
to: '{{ input.lead }}'
expires: PT1H
input:
  schema: { type: object, required: [lead], properties: { lead: { type: string } } }
output:
  schema: { type: object, required: [verdict], properties: { verdict: { type: string, enum: [yes, no] } } }
---
Shall it go out?
"""
NOTICE = "---\nto: the desk\nexpires: PT1H\n---\nIt went out.\n"
INPUT = {"lead": "the editor"}
# Operations that act in no one playbook.
OF_ORG = {"create_playbook", "list_playbooks", "list_org_interactions", "list_org_runs"}
# The same question through a chat, and a question to a system.
DELIVERED = QUESTION.replace(
    "expires: PT1H", "expires: PT1H\ndeliver: { server: chat, tool: post_message, with: { text: '{{ message }}' } }"
)
CALL = """---
description: Reads the open incidents
call: { server: pager, tool: open_incidents, with: { team: '{{ input.lead }}' } }
output: { schema: { type: array } }
---
"""


@dataclass(frozen=True)
class Studio:
    """Somebody in an org and a playbook of a running app."""

    app: App
    clock: TurnedClock
    principal: Principal = OPERATOR
    org: str = "studio"
    playbook: str = "default"

    async def do(self, operation: str, **fields: Json) -> dict[str, Json]:
        playbook = None if operation in OF_ORG else self.playbook
        allowed = self.app.operations.allow(self.principal, operation, org=self.org, playbook=playbook)
        return await self.app.operations.perform(allowed, fields)

    async def save(self, name: str, source: str = QUESTION) -> dict[str, Json]:
        return await self.do("create_definition", type="interaction", name=name, source=source)

    async def run(self, name: str = "ship-it", **fields: Json) -> dict[str, Json]:
        given = {"input": INPUT} | fields
        return await self.do("run_definition", type="interaction", name=name, **given)

    async def stored(self, name: str = "ship-it") -> Row:
        """The newest version of a definition, as the store has it."""
        (row,) = await self.app.store.query(
            "definition_version", shard=DEFAULT_SHARD, playbook=1, type="interaction", name=name, version=None
        )
        return row

    def elsewhere(self, **changes: str) -> "Studio":
        return replace(self, **changes)  # type: ignore[arg-type]


async def refused(here: Studio, operation: str, **fields: Json) -> Problem:
    """The problem that an operation ends with, which must be one."""
    with pytest.raises(Problem) as caught:
        await here.do(operation, **fields)
    return caught.value


@contextlib.asynccontextmanager
async def studio(open_requests: int = 100) -> AsyncIterator[Studio]:
    clock = TurnedClock()
    async with running(Settings(open_requests=open_requests), clock=clock, work=False) as app:
        yield Studio(app=app, clock=clock)
