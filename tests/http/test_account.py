"""The account of a request: what the log is told of it, and nothing that anybody wrote."""

import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest

from sayso import logs
from sayso.http.account import Account, Accounts
from tests.http.scopes import scope
from tests.http.served import Served

pytestmark = pytest.mark.anyio
CANARY = "canary-7f3a"


@pytest.fixture
def lines(caplog: pytest.LogCaptureFixture) -> Iterator[pytest.LogCaptureFixture]:
    with caplog.at_level(logging.DEBUG):
        yield caplog


def told(caplog: pytest.LogCaptureFixture) -> list[dict[str, object]]:
    """The lines of requests."""
    form = logs.Lines()
    return [json.loads(form.format(record)) for record in caplog.records if record.name == "sayso.request"]


async def test_a_request_is_one_line(served: Served, lines: pytest.LogCaptureFixture) -> None:
    key = await served.key(key_id="front-desk")
    reply = await served.ask("GET", "/v1/orgs/acme/playbooks", key=key)
    (line,) = told(lines)
    assert {name: line[name] for name in ("method", "route", "operation", "status", "caller", "bytes")} == {
        "method": "GET",
        "route": "/v1/orgs/{org}/playbooks",
        "operation": "list_playbooks",
        "status": 200,
        "caller": "front-desk",
        "bytes": len(reply.content),
    }
    assert line["request_id"] == reply.headers["x-request-id"]
    assert isinstance(line["ms"], float)
    assert line["ms"] > 0


async def test_no_line_has_what_anybody_wrote(served: Served, lines: pytest.LogCaptureFixture) -> None:
    key = await served.key()
    await served.set_up("acme", key)
    run: dict[str, Any] = {"type": "interaction", "name": "approve-brief", "input": {"owner": CANARY}}
    asked = (await served.perform("run_definition", key, **run)).json()["run_id"]
    await served.perform("answer_interaction", key, run_id=asked, answer={"verdict": CANARY})
    await served.perform("answer_interaction", key, run_id=asked, answer={"verdict": "approve"}, claimed_for=CANARY)
    await served.perform("run_definition", key, **run | {"input": {CANARY: 1}})
    await served.ask("GET", f"/v1/orgs/{CANARY}/playbooks/{CANARY}/runs", key=key, params={CANARY: CANARY})
    await served.ask("GET", f"/{CANARY}?{CANARY}", key=f"say_{CANARY}_" + "x" * 43)
    await served.ask(CANARY.upper(), "/")
    form = logs.Lines()
    said = "\n".join(form.format(record) for record in lines.records if record.name.startswith("sayso"))
    assert len(told(lines)) >= 9
    assert CANARY not in said.lower()
    assert key not in said
    assert key[-43:] not in said


@pytest.mark.parametrize("given", ["0192f0c1-0000-7000-8000-00000000aaaa", "req:1/a+b=@c._-", "7", "x" * 128])
async def test_an_id_that_the_caller_gives_is_kept(served: Served, given: str) -> None:
    assert (await served.ask("GET", "/health", headers={"x-request-id": given})).headers["x-request-id"] == given


@pytest.mark.parametrize(
    "given", [b"", b"x" * 129, b"a b", b'"', b"\xff", b"-a", b"a\x01", b"say_k_" + b"x" * 43, b"{}"]
)
def test_another_id_gives_way_to_ours(given: bytes) -> None:
    opened = Accounts().opened(scope(headers=[(b"x-request-id", given)]))
    assert opened.request_id.encode() != given
    assert opened.request_id.endswith("-1")


def test_two_ids_are_none() -> None:
    assert Accounts().opened(scope(headers=[(b"x-request-id", b"a")] * 2)).request_id != "a"


def test_a_request_without_a_reply_says_so() -> None:
    assert Account(request_id="1", method="GET").status == 499


async def test_where_lines_are_not_wanted_none_is_made(served: Served, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        await served.ask("GET", "/health")
    assert not told(caplog)
