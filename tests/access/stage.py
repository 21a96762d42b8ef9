"""A server that listens, two orgs in it that chose every name alike, and a key of every kind."""

import asyncio
import contextlib
import itertools
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import httpx2

from sayso import compose
from sayso.app.access import Permission
from sayso.cli.listening import listening, url
from sayso.http.server import http_server
from sayso.settings import Settings
from tests import stores
from tests.app.world import TurnedClock
from tests.http.served import Served

OWN, OTHER, NEVER = "acme", "zeta", "never"
RUN = "0192f0c1-0000-7000-8000-00000000aaaa"
NOBODYS = "0192f0c1-0000-7000-8000-00000000ffff"
FUNCTION = {"type": "interaction", "name": "approve-brief"}
OWNER, LEAD = "the owner", "the lead"
DOCUMENT = f"""---
to: {OWNER}
from: {LEAD}
expires: P2D
output: {{ schema: {{ type: string }} }}
---
May it go out?
"""
# What a key is limited to: the playbook or another; the answerer, the party that only watches, or somebody else.
PLAYBOOKS = {"allowed": ["sales", *(f"new-{n}" for n in range(99))], "elsewhere": ["growth"], "unknown": None}
PARTIES = {"seen": [LEAD], "watched": [OWNER], "unseen": ["somebody else"]}
STANDINGS = ("live", "expired", "revoked")


@dataclass(frozen=True, kw_only=True)
class Holder:
    """A kind of key: what it may do, where, for whom, and whether it is good."""

    permission: str
    playbooks: str = "allowed"
    parties: str = "seen"
    standing: str = "live"


KINDS = [
    Holder(permission=permission, playbooks=playbooks, parties=parties, standing=standing)
    for permission, playbooks, parties, standing in product(Permission, PLAYBOOKS, PARTIES, STANDINGS)
]


@dataclass(kw_only=True)
class Stage:
    """What is asked, and with which key."""

    served: Served
    clock: TurnedClock
    admin: str
    event_id: str
    token: str
    keys: dict[Holder, str] = field(default_factory=dict)
    _numbers: "itertools.count[int]" = field(default_factory=itertools.count)

    async def key(self, kind: Holder) -> str:
        """A key of a kind, the same again for the same kind."""
        if kind not in self.keys:
            self.keys[kind] = await self._made(kind)
        return self.keys[kind]

    async def _made(self, kind: Holder) -> str:
        keys, playbooks, parties = self.served.app.keys, PLAYBOOKS[kind.playbooks], PARTIES[kind.parties]
        expires = "PT1S" if kind.standing == "expired" else None
        made = await keys.create(OWN, [kind.permission], playbooks, parties=parties, expires=expires)
        if kind.standing == "expired":
            self.clock.at += 1_000_000
        if kind.standing == "revoked":
            await keys.revoke(str(made["id"]))
        return f"Bearer {made['key']}"

    async def ask(self, operation: str, credential: str, **changed: Any) -> httpx2.Response:
        """Perform an operation on what is there, with fields that do no harm; ``credential`` is the whole header."""
        fields = {"org": OWN} | self.fields(operation) | changed
        return await self.served.perform(operation, credential, **fields)

    def fields(self, operation: str) -> dict[str, Any]:
        """Fields that the operation takes."""
        new = f"new-{next(self._numbers) % 90}"
        definition = {"create_definition": FUNCTION | {"name": new, "source": DOCUMENT}}
        own: dict[str, dict[str, Any]] = definition | {
            "create_playbook": {"playbook": new, "name": "New"},
            "list_playbooks": {},
            "update_playbook": {"name": "Sales", "description": ""},
            "list_definitions": {"type": "interaction"},
            "update_definition": FUNCTION | {"source": DOCUMENT},
            "run_definition": FUNCTION,
            "list_runs": {},
            "list_interactions": {},
            "retire_playbook": {},
            "list_playbook_events": {},
            "list_org_interactions": {},
            "list_org_runs": {},
            "publish_event": {"event": {"type": "stock.low"}},
            "send_run_event": {"run_id": RUN, "event": {"type": "stock.low"}},
            "get_playbook": {},
            "answer_interaction": {"run_id": RUN, "answer": "yes"},
            "reassign_interaction": {"run_id": RUN, "to": OWNER},
            "get_event": {"event_id": self.event_id},
        }
        if operation in own:
            return own[operation]
        return FUNCTION if "definition" in operation else {"run_id": RUN}

    async def fresh(self, operation: str) -> dict[str, Any]:
        """Something that an operation may end: a run that waits, a definition that is active."""
        if operation == "retire_definition":
            made = await self.admins("create_definition", name=f"old-{next(self._numbers)}", source=DOCUMENT)
            return {"name": made["name"]}
        if operation == "retire_playbook":
            name = f"new-{90 + next(self._numbers) % 9}"
            await self.served.perform("create_playbook", self.admin, org=OWN, playbook=name, name="New")
            return {"playbook": name}
        if operation == "erase_run":
            made = await self.admins("run_definition")
            await self.served.perform("cancel_run", self.admin, org=OWN, run_id=made["run_id"])
            return {"run_id": made["run_id"]}
        if operation in {"cancel_run", "answer_interaction"}:
            return {"run_id": (await self.admins("run_definition"))["run_id"]}
        return {}

    async def admins(self, operation: str, **fields: Any) -> dict[str, Any]:
        """What an operation answers to who may do everything."""
        reply = await self.served.perform(operation, self.admin, org=OWN, **FUNCTION | fields)
        assert reply.is_success, reply.text
        told: dict[str, Any] = reply.json()
        return told


@contextlib.asynccontextmanager
async def serving(clock: TurnedClock) -> AsyncIterator[Served]:
    """The whole app behind a socket."""
    async with stores.running(Settings(), clock=clock, work=False) as app:
        door = compose.http_app(app, Settings())
        with listening("127.0.0.1", 0, next_free=False) as listener:
            server = http_server(door, door.close)
            serves = asyncio.create_task(server.serve(sockets=[listener]))
            async with httpx2.AsyncClient(base_url=url("127.0.0.1", listener), trust_env=False, timeout=30) as client:
                yield Served(app, door, client)
            server.stop()
            await serves


@contextlib.asynccontextmanager
async def staged() -> AsyncIterator[Stage]:
    clock = TurnedClock()
    async with serving(clock) as served:
        admins = {org: await served.key(org) for org in (OWN, OTHER)}
        for org, key in admins.items():
            await _furnish(served, org, key)
        made = await served.perform("create_answer_token", admins[OWN], run_id=RUN)
        history = await served.perform("get_run_history", admins[OWN], run_id=RUN)
        event_id, token = history.json()["events"][0]["id"], f"Request {made.json()['token']}"
        yield Stage(served=served, clock=clock, admin=admins[OWN], event_id=event_id, token=token)


async def _furnish(served: Served, org: str, key: str) -> None:
    steps: list[tuple[str, dict[str, Any]]] = [
        ("create_playbook", {"playbook": "sales", "name": "Sales"}),
        ("create_playbook", {"playbook": "growth", "name": "Growth"}),
        ("create_definition", FUNCTION | {"source": DOCUMENT}),
        ("update_definition", FUNCTION | {"source": DOCUMENT + "\nIt is due.\n"}),
        ("run_definition", FUNCTION | {"run_id": RUN}),
    ]
    for operation, fields in steps:
        reply = await served.perform(operation, key, org=org, **fields)
        assert reply.is_success, reply.text
