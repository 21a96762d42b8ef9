"""Tokens over HTTP: a scheme of their own, one route, one run; and whose an answer is, whatever its body says."""

from collections.abc import AsyncIterator
from typing import Any

import httpx2
import pytest

from tests.http.served import NOBODY, RUN, Served

pytestmark = pytest.mark.anyio
RUNS = "/v1/orgs/acme/playbooks/sales/runs"
YES = {"answer": {"verdict": "approve"}}


@pytest.fixture
async def key(served: Served) -> AsyncIterator[str]:
    made = await served.key(key_id="desk")
    await served.set_up("acme", made)
    yield made


async def token(served: Served, key: str, run_id: str = RUN, **fields: Any) -> str:
    made = await served.perform("create_answer_token", key, run_id=run_id, **fields)
    assert made.status_code == 201, made.text
    assert made.json().keys() == {"run_id", "token", "expires_at"}
    return str(made.json()["token"])


async def ask(served: Served, method: str, path: str, credential: str, **more: Any) -> httpx2.Response:
    return await served.ask(method, path, headers={"authorization": credential}, **more)


async def test_a_token_answers_its_request_under_its_makers_name(served: Served, key: str) -> None:
    answered = await ask(served, "POST", f"{RUNS}/{RUN}/answer", f"request {await token(served, key)}", json=YES)
    assert (answered.status_code, answered.json()["answered_by"]) == (200, "token:desk")


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("POST", f"{RUNS}/{NOBODY}/answer", 403),
        ("POST", f"{RUNS}/{RUN}/cancel", 403),
        ("GET", f"{RUNS}/{RUN}", 403),
        ("GET", RUNS, 403),
        ("GET", "/v1/orgs/acme/playbooks", 403),
        ("POST", f"/v1/orgs/zeta/playbooks/sales/runs/{RUN}/answer", 403),
        ("POST", f"/v1/orgs/acme/playbooks/growth/runs/{RUN}/answer", 403),
        ("GET", f"{RUNS}/{RUN}/answer", 405),
        ("GET", "/v1/nowhere", 404),
    ],
)
async def test_it_opens_nothing_else(served: Served, key: str, method: str, path: str, status: int) -> None:
    more = {"json": YES} if method == "POST" else {}
    reply = await ask(served, method, path, f"Request {await token(served, key)}", **more)
    assert reply.status_code == status, reply.text
    challenge = 'Bearer error="insufficient_scope"' if status == 403 else None
    assert reply.headers.get("www-authenticate") == challenge


async def test_it_is_no_key_and_a_key_is_no_token(served: Served, key: str) -> None:
    a_token = await token(served, key)
    for credential in (f"Bearer {a_token}", f"Request {key}", "Request made-up", "Request " + "A" * 9_999):
        reply = await ask(served, "POST", f"{RUNS}/{RUN}/answer", credential, json=YES)
        assert reply.status_code == 401, credential
        assert reply.headers["www-authenticate"] == 'Bearer error="invalid_token"'


async def test_its_run_may_be_written_in_capitals(served: Served, key: str) -> None:
    credential = f"Request {await token(served, key)}"
    reply = await ask(served, "POST", f"{RUNS}/{RUN.upper()}/answer", credential, json=YES)
    assert reply.status_code == 200, reply.text


@pytest.mark.parametrize("field", ["answered_by", "by", "caller_id", "principal", "claimed_by"])
async def test_a_body_that_names_who_answers_is_refused_at_that_field(served: Served, key: str, field: str) -> None:
    for credential in (f"Bearer {key}", f"Request {await token(served, key)}"):
        reply = await ask(served, "POST", f"{RUNS}/{RUN}/answer", credential, json=YES | {field: "somebody-else"})
        assert reply.status_code == 422
        assert [error["pointer"] for error in reply.json()["errors"]] == [f"/{field}"]
    run = await served.perform("get_run", key, run_id=RUN)
    assert run.json()["status"] == "started"


async def test_a_request_is_given_to_another_over_http(served: Served, key: str) -> None:
    given = await served.perform("reassign_interaction", key, run_id=RUN, to="the night desk", **{"from": "the chief"})
    assert (given.status_code, given.json()) == (
        200,
        {"run_id": RUN, "to": "the night desk", "answerer": "the chief"},
    )
    (listed,) = (await served.perform("list_interactions", key, to="the night desk")).json()["interactions"]
    assert listed["run_id"] == RUN
    refused = await served.perform("reassign_interaction", key, run_id=RUN, to="", from_="x")
    assert [error["pointer"] for error in refused.json()["errors"]] == ["/from_"]
