"""An exchange an operation over the HTTP door of a real app, whose clock and chance repeat."""

import asyncio
import json
from dataclasses import dataclass, field
from typing import Any

import httpx2

from sayso import compose
from sayso.settings import Settings
from tests.app.world import Counted, TurnedClock
from tests.docs import pages

ORG = "/v1/orgs/acme"
BASE = f"{ORG}/playbooks"
PLAYBOOK = f"{BASE}/front-desk"
FUNCTION = f"{PLAYBOOK}/definitions/interaction/refund-order"
RUN = "01910000-0000-7000-8000-000000000001"
SECOND = 1_000_000
# The first second of March 2027.
START = 1_803_859_200 * SECOND

# The document that the tutorial has its reader write.
TUTORIAL = pages.ROOT / "docs/tutorial/first-question.md"
DOCUMENT = next(block.text for block in pages.blocks(TUTORIAL) if "refund-order.md" in block.words)


@dataclass
class Told:
    """The exchanges so far, as a page shows them."""

    client: httpx2.AsyncClient
    key: str
    clock: TurnedClock
    parts: list[str] = field(default_factory=list)

    async def ask(self, words: str, method: str, path: str, body: Any = None) -> Any:
        """Send a request, and keep what was said on both sides."""
        reply = await self.send(method, path, body)
        said = reply.json()
        sent = f"{method} {path}" + ("" if body is None else f"\n\n{_shown(body)}")
        self.parts.append(
            f"### {words}\n\n```text\n{sent}\n```\n\nThe reply, {reply.status_code}:\n\n```json\n{_shown(said)}\n```"
        )
        return said

    async def send(self, method: str, path: str, body: Any = None) -> httpx2.Response:
        """Send a request a second after the one before."""
        self.clock.at += SECOND
        headers = {"authorization": f"Bearer {self.key}"}
        reply = await self.client.request(method, path, headers=headers, json=body)
        assert reply.status_code < 500, f"{method} {path} was answered {reply.status_code}"
        return reply


def listed() -> str:
    """The exchanges, in an order in which they make sense."""
    return asyncio.run(_exchanges())


async def _exchanges() -> str:
    settings, clock = Settings(data=None), TurnedClock(at=START)
    async with compose.running(settings, clock=clock, entropy=Counted(), work=False) as app:
        made = await app.keys.create("acme", key_id="desk")
        transport = httpx2.ASGITransport(compose.http_app(app, settings))
        async with httpx2.AsyncClient(transport=transport, base_url="http://localhost") as client:
            told = Told(client=client, key=str(made["key"]), clock=clock)
            await _tell(told)
    return "\n\n".join(told.parts)


async def _tell(told: Told) -> None:
    await told.ask("`create_playbook`", "POST", BASE, {"playbook": "front-desk", "name": "Front desk"})
    document = {"name": "refund-order", "source": DOCUMENT}
    await told.ask("`create_definition`", "POST", f"{PLAYBOOK}/definitions/interaction", document)
    await told.ask("`get_definition`", "GET", FUNCTION)
    order = {"lead": "support lead", "order": "A-1042", "amount": 38.5, "reason": "The parcel arrived wet."}
    await told.ask("`run_definition`", "POST", f"{FUNCTION}/run", {"run_id": RUN, "input": order})
    await told.ask("`list_interactions`", "GET", f"{PLAYBOOK}/interactions?to=support+lead")
    other_desk = {"to": "refunds desk", "from": "support lead"}
    await told.ask("`reassign_interaction`", "POST", f"{PLAYBOOK}/runs/{RUN}/reassign", other_desk)
    too_much = {"answer": {"decision": "refund", "amount": -5}}
    await told.ask("`answer_interaction`, refused", "POST", f"{PLAYBOOK}/runs/{RUN}/answer", too_much)
    answer = {"answer": {"decision": "refund", "amount": 38.5}, "claimed_for": "the support team"}
    await told.ask("`answer_interaction`", "POST", f"{PLAYBOOK}/runs/{RUN}/answer", answer)
    other = {"answer": {"decision": "decline"}}
    await told.ask("`answer_interaction`, too late", "POST", f"{PLAYBOOK}/runs/{RUN}/answer", other)
    await told.ask("`get_run`", "GET", f"{PLAYBOOK}/runs/{RUN}")
    await told.ask("`get_run_input`", "GET", f"{PLAYBOOK}/runs/{RUN}/input")
    await told.ask("`get_interaction`", "GET", f"{PLAYBOOK}/interactions/{RUN}")
    await told.ask("`list_runs`", "GET", f"{PLAYBOOK}/runs?status=succeeded")
    history = await told.ask("`get_run_history`", "GET", f"{PLAYBOOK}/runs/{RUN}/history")
    asked = history["events"][1]["id"]
    await told.ask("`get_event`", "GET", f"{PLAYBOOK}/events/{asked}")
    await told.ask(
        "`list_playbook_events`", "GET", f"{PLAYBOOK}/events?type=request_answered&since=2027-03-01T00:00:00Z"
    )
    event = {"type": "parcel.sent", "id": "A-1042", "source": "/warehouse", "data": {"weight": 3.5}}
    await told.ask("`publish_event`", "POST", f"{PLAYBOOK}/events", {"event": event})
    await told.ask("`list_org_runs`", "GET", f"{ORG}/runs?limit=1")
    await told.send("PUT", FUNCTION, {"source": DOCUMENT.replace("expires: P3D", "expires: P5D")})
    await told.ask("`list_definition_versions`", "GET", f"{FUNCTION}/versions")
    await told.ask("`compare_definition`", "GET", f"{FUNCTION}/diff?from_version=1&to_version=2")
    await told.ask("`retire_playbook`", "POST", f"{PLAYBOOK}/retire", {})


def _shown(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)
