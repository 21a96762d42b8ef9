"""The checks of every request, in their order: what is refused first tells a stranger least."""

import asyncio
from typing import Any

import pytest
from starlette.types import Message

from sayso import __version__
from sayso.http.app import HttpApp
from tests.http.served import ORIGIN, Served

pytestmark = pytest.mark.anyio
PLAYBOOKS = "/v1/orgs/acme/playbooks"
NOWHERE = "/v1/nowhere"
EVIL = {"origin": "https://evil.example"}
PREFLIGHT = {"origin": ORIGIN, "access-control-request-method": "POST"}


async def reason(served: Served, method: str, path: str, **more: Any) -> tuple[int, str]:
    reply = await served.ask(method, path, **more)
    assert reply.headers["content-type"] == "application/problem+json"
    document = reply.json()
    assert document["status"] == reply.status_code
    return reply.status_code, document["reason"]


async def test_health_is_answered_before_every_check(served: Served, local: Served) -> None:
    assert (await served.ask("GET", "/health", headers=EVIL)).json() == {"status": "ok"}
    assert (await local.ask("GET", "/health", headers={"host": "evil.example"})).status_code == 200
    head = await served.ask("HEAD", "/health")
    assert (head.status_code, head.content) == (200, b"")
    refused = await served.ask("POST", "/health")
    assert (refused.status_code, refused.headers["allow"]) == (405, "GET, HEAD")


async def test_ready_tells_whether_the_store_can_be_written(served: Served) -> None:
    assert (await served.ask("GET", "/ready")).json() == {"status": "ready"}


async def test_the_front_page_names_the_server(served: Served) -> None:
    assert (await served.ask("GET", "/")).json() == {"name": "sayso", "version": __version__}


async def test_in_local_mode_the_host_comes_first(local: Served) -> None:
    elsewhere = EVIL | {"host": "evil.example"}
    refused = await local.ask("GET", PLAYBOOKS, headers=elsewhere)
    assert (refused.status_code, refused.json()["reason"]) == (403, "forbidden")
    assert "www-authenticate" not in refused.headers
    assert await reason(local, "GET", PLAYBOOKS, headers=EVIL) == (403, "origin_not_allowed")
    assert (await local.ask("GET", PLAYBOOKS)).json() == {"playbooks": []}


async def test_in_local_mode_no_credential_is_looked_at(local: Served) -> None:
    reply = await local.ask("GET", "/v1/orgs/any_Org-1/playbooks", headers={"authorization": "Basic abc"})
    assert reply.status_code == 200


async def test_the_origin_comes_before_the_credential(served: Served) -> None:
    assert await reason(served, "GET", NOWHERE, headers=EVIL) == (403, "origin_not_allowed")
    assert await reason(served, "OPTIONS", NOWHERE, headers=PREFLIGHT | EVIL) == (403, "origin_not_allowed")


async def test_a_preflight_is_answered_before_the_credential(served: Served) -> None:
    reply = await served.ask("OPTIONS", PLAYBOOKS, headers=PREFLIGHT)
    assert (reply.status_code, reply.content) == (204, b"")
    assert reply.headers["access-control-allow-origin"] == ORIGIN
    assert reply.headers["access-control-allow-methods"] == "GET, HEAD, POST, PUT"
    assert reply.headers["access-control-allow-headers"] == "authorization, content-type"
    assert reply.headers["access-control-max-age"] == "600"
    assert "content-length" not in reply.headers


async def test_options_alone_is_a_method_as_any_other(served: Served) -> None:
    key = await served.key()
    assert await reason(served, "OPTIONS", PLAYBOOKS, headers={"origin": ORIGIN}) == (401, "unauthenticated")
    refused = await served.ask("OPTIONS", PLAYBOOKS, key=key, headers={"origin": ORIGIN})
    assert (refused.status_code, refused.headers["allow"]) == (405, "GET, HEAD, POST")


@pytest.mark.parametrize(
    ("method", "path"), [("GET", NOWHERE), ("DELETE", PLAYBOOKS), ("POST", PLAYBOOKS), ("GET", "/ ")]
)
async def test_without_a_key_every_path_is_401(served: Served, method: str, path: str) -> None:
    assert await reason(served, method, path) == (401, "unauthenticated")


async def test_the_challenges_say_what_is_wrong_with_the_key(served: Served) -> None:
    none = await served.ask("GET", PLAYBOOKS)
    assert (none.status_code, none.headers["www-authenticate"]) == (401, "Bearer")
    bad = await served.ask("GET", PLAYBOOKS, key="say_none_" + "x" * 43)
    assert (bad.status_code, bad.headers["www-authenticate"]) == (401, 'Bearer error="invalid_token"')
    malformed = await served.ask("GET", PLAYBOOKS, headers={"authorization": "Basic abc"})
    assert (malformed.status_code, malformed.headers["www-authenticate"]) == (400, 'Bearer error="invalid_request"')
    key = await served.key(permissions=["org:read"])
    lacking = await served.ask("POST", PLAYBOOKS, key=key, json={})
    assert (lacking.status_code, lacking.headers["www-authenticate"]) == (403, 'Bearer error="insufficient_scope"')


async def test_a_revoked_key_is_401(served: Served) -> None:
    made = await served.app.keys.create("acme")
    await served.app.keys.revoke(str(made["id"]))
    assert await reason(served, "GET", PLAYBOOKS, key=made["key"]) == (401, "unauthenticated")


async def test_only_who_has_a_key_hears_of_paths_and_methods(served: Served) -> None:
    key = await served.key()
    assert await reason(served, "GET", NOWHERE, key=key) == (404, "not_found")
    refused = await served.ask("DELETE", PLAYBOOKS, key=key)
    assert (refused.status_code, refused.json()["reason"]) == (405, "method_not_allowed")
    assert refused.headers["allow"] == "GET, HEAD, POST"


async def test_route_then_org_then_permission_then_playbook_then_body(served: Served) -> None:
    key = await served.key(permissions=["playbook:read"], playbooks=["sales"])
    large: dict[str, Any] = {"content": b"x" * 1_048_577, "key": key}
    assert await reason(served, "DELETE", "/v1/orgs/other/playbooks", **large) == (405, "method_not_allowed")
    other = await served.ask("POST", "/v1/orgs/other/playbooks/growth/definitions/interaction", **large)
    assert (other.status_code, "organisation" in other.json()["detail"]) == (403, True)
    lacking = await served.ask("POST", f"{PLAYBOOKS}/growth/definitions/interaction", **large)
    assert (lacking.status_code, "playbook:write" in lacking.json()["detail"]) == (403, True)
    limited = await served.ask("GET", f"{PLAYBOOKS}/growth/runs", key=key, params={"limit": "x"})
    assert (limited.status_code, "other playbooks" in limited.json()["detail"]) == (403, True)
    allowed = await served.key(permissions=["playbook:write"])
    path = f"{PLAYBOOKS}/nowhere/definitions/interaction"
    assert await reason(served, "POST", path, **large | {"key": allowed}) == (413, "content_too_large")


async def test_the_media_type_comes_before_the_fields(served: Served) -> None:
    key = await served.key()
    sent = {"content-type": "text/plain"}
    assert await reason(served, "POST", PLAYBOOKS, key=key, headers=sent, content=b"{") == (
        415,
        "unsupported_media_type",
    )
    assert await reason(served, "POST", PLAYBOOKS, key=key, headers=sent) == (422, "invalid_input")
    sent = {"content-type": "application/json", "content-encoding": "gzip"}
    assert await reason(served, "POST", PLAYBOOKS, key=key, headers=sent, content=b"{}") == (
        415,
        "unsupported_media_type",
    )


@pytest.mark.parametrize("path", ["/health", "/", PLAYBOOKS, NOWHERE])
async def test_every_response_carries_the_same_headers(served: Served, path: str) -> None:
    for headers in ({}, {"origin": ORIGIN}, EVIL):
        reply = await served.ask("GET", path, headers=headers)
        assert reply.headers["cache-control"] == "no-store"
        assert reply.headers["vary"] == "origin"
        assert reply.headers["x-request-id"]
        assert reply.headers["content-length"] == str(len(reply.content))
        assert reply.headers.get("access-control-allow-origin") == (ORIGIN if headers.get("origin") == ORIGIN else None)
        assert "access-control-allow-credentials" not in reply.headers


async def test_every_request_has_an_id_of_its_own(served: Served) -> None:
    ids = {(await served.ask("GET", "/health")).headers["x-request-id"] for _ in range(10)}
    assert len(ids) == 10


async def test_a_stopping_server_answers_only_that_it_lives(served: Served) -> None:
    assert isinstance(served.door, HttpApp)
    served.door.close()
    assert (await served.ask("GET", "/health")).status_code == 200
    for path in ("/ready", PLAYBOOKS, "/"):
        reply = await served.ask("GET", path, headers={"origin": ORIGIN})
        assert (reply.status_code, reply.json()["reason"], reply.headers["retry-after"]) == (503, "unavailable", "5")
        assert reply.headers["access-control-allow-origin"] == ORIGIN


async def test_a_request_that_the_server_gives_up_at_its_stop_hears_so(served: Served) -> None:
    assert isinstance(served.door, HttpApp)
    sent: list[Message] = []
    waits = asyncio.Event()

    async def never() -> Message:
        waits.set()
        await asyncio.Event().wait()
        raise AssertionError("nobody sets it")

    async def send(message: Message) -> None:
        sent.append(message)

    credential = (b"authorization", f"Bearer {await served.key()}".encode())
    headers = [credential, (b"content-length", b"9"), (b"content-type", b"application/json")]
    scope = {"type": "http", "method": "POST", "path": PLAYBOOKS, "query_string": b"", "headers": headers}
    serving = asyncio.create_task(served.door(scope, never, send))
    await waits.wait()
    served.door.close()
    serving.cancel()
    await serving
    assert (sent[0]["status"], b"stopping" in sent[1]["body"]) == (503, True)
