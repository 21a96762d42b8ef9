"""Every row of the table of problems, from a server on a socket: each reason is met, in the order of the checks."""

import contextlib
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from uuid import UUID

import httpx2
import pytest

from sayso import compose
from sayso.errors import STATUS, Reason
from sayso.http.app import HttpApp
from sayso.settings import Settings
from tests import stores
from tests.app.world import HOUR, TurnedClock
from tests.beside import spoil
from tests.http.served import RUN, Served
from tests.listening import listening

pytestmark = pytest.mark.anyio
PLAYBOOKS = "/v1/orgs/acme/playbooks"
SALES = f"{PLAYBOOKS}/sales"
FUNCTION = f"{SALES}/definitions/interaction/approve-brief"
OTHER = RUN.replace("aaaa", "bbbb")


@dataclass(frozen=True, kw_only=True)
class Asked:
    """A request, and the reason with which it is refused; ``kind`` where the reason has one."""

    reason: Reason
    method: str = "GET"
    path: str = SALES
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes | None = None
    limited: bool = False
    nobody: bool = False
    kind: str | None = None

    def __str__(self) -> str:
        return f"{self.reason} {self.method} {self.path.removeprefix(PLAYBOOKS)[:30]}"


JSON = {"content-type": "application/json"}
EVIL = {"origin": "https://evil.example"}
LARGE = b'{"reason": "' + b"x" * 1_048_576 + b'"}'
# In the order of the checks: each but for its own fault would be refused for one of those below it.
IN_ORDER: Sequence[Asked] = (
    Asked(reason=Reason.ORIGIN_NOT_ALLOWED, path="/v1/nowhere", headers=EVIL, nobody=True),
    Asked(reason=Reason.UNAUTHENTICATED, path="/v1/nowhere", nobody=True),
    Asked(reason=Reason.BAD_REQUEST, path="/v1/nowhere", headers={"authorization": "Basic x"}, nobody=True),
    Asked(reason=Reason.NOT_FOUND, path="/v1/nowhere", method="DELETE", limited=True),
    Asked(reason=Reason.METHOD_NOT_ALLOWED, path="/v1/orgs/other/playbooks", method="DELETE", limited=True),
    Asked(reason=Reason.FORBIDDEN, path="/v1/orgs/other/playbooks/sales/runs", limited=True),
    Asked(reason=Reason.FORBIDDEN, path=FUNCTION + "/retire", method="POST", body=LARGE, limited=True),
    Asked(reason=Reason.FORBIDDEN, path=f"{PLAYBOOKS}/growth/runs?limit=x", limited=True),
    Asked(reason=Reason.CONTENT_TOO_LARGE, path=f"{SALES}/runs/x/cancel", method="POST", body=LARGE),
    Asked(
        reason=Reason.UNSUPPORTED_MEDIA_TYPE,
        path=f"{SALES}/runs/x/cancel",
        method="POST",
        headers={"content-type": "text/plain"},
        body=b"[",
    ),
    Asked(reason=Reason.BAD_REQUEST, path=f"{SALES}/runs/x/cancel", method="POST", headers=JSON, body=b"["),
    Asked(reason=Reason.INVALID_INPUT, path=f"{PLAYBOOKS}/nowhere/runs/x/cancel", method="POST"),
    Asked(reason=Reason.NOT_FOUND, path=f"{PLAYBOOKS}/nowhere/runs/{RUN}/cancel", method="POST"),
    Asked(
        reason=Reason.CONFLICT,
        path=PLAYBOOKS,
        method="POST",
        headers=JSON,
        body=b'{"playbook":"sales","name":"S"}',
        kind="taken",
    ),
)


@dataclass
class Door:
    """A server on a socket with one playbook, in it one run that waits, and two keys."""

    served: Served
    client: httpx2.AsyncClient
    key: str
    limited: str
    clock: TurnedClock

    async def ask(self, asked: Asked) -> httpx2.Response:
        """Ask, and hold the refusal to what every refusal is."""
        credential = {} if asked.nobody else {"authorization": f"Bearer {self.limited if asked.limited else self.key}"}
        headers = {"content-type": "application/json"} | asked.headers if asked.body is LARGE else asked.headers
        reply = await self.client.request(asked.method, asked.path, headers=credential | headers, content=asked.body)
        told = reply.json()
        assert reply.headers["content-type"] == "application/problem+json"
        assert (told["reason"], reply.status_code) == (asked.reason, STATUS[asked.reason])
        assert told.keys() >= {"type", "title", "status", "detail", "reason"}
        assert (told["status"], told["type"]) == (reply.status_code, f"https://on.auto/problems/{asked.reason}")
        assert told.get("kind") == asked.kind
        assert ("errors" in told) == (asked.reason is Reason.INVALID_INPUT)
        return reply


@pytest.fixture
async def door() -> AsyncIterator[Door]:
    settings, clock = Settings(open_requests=1), TurnedClock()
    async with contextlib.AsyncExitStack() as stack:
        app = await stack.enter_async_context(stores.running(settings, clock=clock, work=False))
        its = compose.http_app(app, settings)
        port = await stack.enter_async_context(listening(its))
        client = await stack.enter_async_context(httpx2.AsyncClient(base_url=f"http://127.0.0.1:{port}"))
        served = Served(app, its, client)
        key = await served.key()
        await served.set_up("acme", key)
        limited = await served.key(permissions=["playbook:read"], playbooks=["sales"])
        yield Door(served, client, key, limited, clock)


async def run(
    door: Door, reason: Reason, run_id: str = RUN, owner: str = "acme", kind: str | None = None
) -> httpx2.Response:
    """Start a run that is refused."""
    body = f'{{"run_id":"{run_id}","input":{{"owner":"{owner}"}}}}'.encode()
    return await door.ask(
        Asked(reason=reason, path=FUNCTION + "/run", method="POST", headers=JSON, body=body, kind=kind)
    )


@pytest.mark.parametrize("asked", IN_ORDER, ids=str)
async def test_what_is_refused_first_tells_a_stranger_least(door: Door, asked: Asked) -> None:
    reply = await door.ask(asked)
    challenged = asked.reason in {Reason.UNAUTHENTICATED, Reason.FORBIDDEN} or (
        asked.nobody and asked.reason is Reason.BAD_REQUEST
    )
    assert ("www-authenticate" in reply.headers) == challenged
    assert ("allow" in reply.headers) == (asked.reason is Reason.METHOD_NOT_ALLOWED)
    assert "retry-after" not in reply.headers


async def test_endings_and_a_full_playbook_are_told_under_a_run_id(door: Door) -> None:
    full = await run(door, Reason.UNAVAILABLE, OTHER, kind="requests_full")
    assert full.headers["retry-after"] == "5"
    await door.served.perform("cancel_run", door.key, run_id=RUN)
    await run(door, Reason.CANCELLED, kind="requested")


async def test_a_request_that_expired_is_gone_under_its_run_id(door: Door) -> None:
    door.clock.at += 48 * HOUR
    await door.served.app.worker.sweep()
    await run(door, Reason.UNANSWERED, kind="expired")


async def test_a_damaged_row_is_an_incident_and_says_nothing_of_itself(door: Door) -> None:
    await spoil(door.served.app.store, "update events set data = 'x' where seq = 2 and type = 2")
    reply = await door.ask(Asked(reason=Reason.INTERNAL, path=f"{SALES}/runs/{RUN}"))
    incident = reply.json()["instance"]
    assert incident == f"urn:uuid:{UUID(incident.removeprefix('urn:uuid:'))}"


async def test_a_server_that_stops_says_when_to_come_back(door: Door) -> None:
    assert isinstance(door.served.door, HttpApp)
    door.served.door.close()
    reply = await door.ask(Asked(reason=Reason.UNAVAILABLE))
    assert reply.headers["retry-after"] == "5"


def test_no_reason_is_left_out() -> None:
    by_others = {Reason.CANCELLED, Reason.UNANSWERED, Reason.INTERNAL, Reason.UNAVAILABLE, Reason.RATE_LIMITED}
    assert {asked.reason for asked in IN_ORDER} | by_others == set(Reason)
