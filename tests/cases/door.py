"""The two doors that cases go through: the operations themselves, or real HTTP on a loopback port.

Both show a reply in the same form, so that an area cannot tell one from the other.
"""

import json
from dataclasses import dataclass, field
from typing import Protocol

import httpx2

from sayso.app.access import LOCAL
from sayso.app.runtime import App
from sayso.core.values import Json
from sayso.errors import Problem

ORG = "studio"
PLAYBOOK = "default"

_HOME = f"/v1/orgs/{ORG}/playbooks/{PLAYBOOK}"
# Every operation that cases need: its method, its path, and the status of its success.
_ROUTES: dict[str, tuple[str, str, int]] = {
    "create_definition": ("POST", "/definitions/{type}", 201),
    "get_definition": ("GET", "/definitions/{type}/{name}", 200),
    "update_definition": ("PUT", "/definitions/{type}/{name}", 200),
    "run_definition": ("POST", "/definitions/{type}/{name}/run", 200),
    "get_run": ("GET", "/runs/{run_id}", 200),
    "list_runs": ("GET", "/runs", 200),
    "get_run_history": ("GET", "/runs/{run_id}/history", 200),
    "cancel_run": ("POST", "/runs/{run_id}/cancel", 200),
    "erase_run": ("POST", "/runs/{run_id}/erase", 200),
    "list_interactions": ("GET", "/interactions", 200),
    "answer_interaction": ("POST", "/runs/{run_id}/answer", 200),
    "get_event": ("GET", "/events/{event_id}", 200),
}


@dataclass(frozen=True, kw_only=True)
class Refusal:
    """A problem as its caller sees it. ``issues`` have ``pointer`` and ``detail``, and ``line`` and ``at`` if known."""

    reason: str
    kind: str | None = None
    because: str | None = None
    issues: list[dict[str, Json]] = field(default_factory=list)


@dataclass(frozen=True, kw_only=True)
class Reply:
    """What a caller was given: the outcome or the refusal, and every word of it."""

    outcome: dict[str, Json] = field(default_factory=dict)
    refusal: Refusal | None = None
    words: str


class Door(Protocol):
    """A way to perform operations on the app of a case."""

    async def ask(self, operation: str, fields: dict[str, Json]) -> Reply:
        """Perform one operation, and show what its caller is given."""


class OperationsDoor:
    """Straight to the app's operations. Fields and outcome become JSON and come back, as at any other door."""

    def __init__(self, app: App) -> None:
        self._operations = app.operations

    async def ask(self, operation: str, fields: dict[str, Json]) -> Reply:
        """Perform one operation as the local developer."""
        allowed = self._operations.allow(LOCAL, operation, org=ORG, playbook=PLAYBOOK)
        try:
            outcome = await self._operations.perform(allowed, json.loads(json.dumps(fields)))
        except Problem as problem:
            return _refused(problem)
        words = json.dumps(outcome, ensure_ascii=False)
        return Reply(outcome=json.loads(words), words=words)


class HttpDoor:
    """Requests over a real socket. The status and the media type of every response are held to the contract too."""

    def __init__(self, client: httpx2.AsyncClient) -> None:
        self._client = client

    async def ask(self, operation: str, fields: dict[str, Json]) -> Reply:
        """Send one request and read its response."""
        method, path, success = _ROUTES[operation]
        rest = dict(fields)
        url = _HOME + path.format_map({name: rest.pop(name) for name in list(rest) if f"{{{name}}}" in path})
        if method == "GET":
            response = await self._client.get(url, params={name: str(value) for name, value in rest.items()})
        else:
            body = json.dumps(rest).encode("ascii")
            headers = {"content-type": "application/json"}
            response = await self._client.request(method, url, content=body, headers=headers)
        return _read(response, success)


def _refused(problem: Problem) -> Reply:
    issues = [{name: value for name, value in vars(issue).items() if value is not None} for issue in problem.issues]
    kind = problem.kind.value if problem.kind else None
    refusal = Refusal(reason=problem.reason.value, kind=kind, because=problem.because, issues=issues)
    return Reply(refusal=refusal, words=json.dumps([problem.detail, issues], ensure_ascii=False))


def _read(response: httpx2.Response, success: int) -> Reply:
    media_type = response.headers["content-type"].partition(";")[0]
    body = response.json()
    if response.status_code == success:
        assert media_type == "application/json", media_type
        return Reply(outcome=body, words=response.text)
    assert media_type == "application/problem+json", f"{response.status_code} {media_type}"
    assert body["status"] == response.status_code, body
    refusal = Refusal(
        reason=body["reason"], kind=body.get("kind"), because=body.get("because"), issues=body.get("errors", [])
    )
    return Reply(refusal=refusal, words=response.text)
