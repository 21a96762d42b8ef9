"""The judge accuses: each promise that a response breaks is seen, and only that."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.fuzz import judge
from tests.fuzz.asking import request
from tests.fuzz.requests import Request, Response

ASKED = request("get_run", run_id="0192f0c1-0000-7000-8000-00000000aaaa")
HEADERS = ((b"cache-control", b"no-store"), (b"x-request-id", b"a-1"))
KEY = b"k" * 43
PROBLEM: dict[str, Any] = {
    "type": "https://on.auto/problems/invalid_input",
    "title": "Invalid input",
    "status": 422,
    "detail": "It cannot be taken.",
    "reason": "invalid_input",
    "errors": [{"detail": "It is no number.", "pointer": "/a~1b"}],
}


def refusal(status: int = 422, **changes: Any) -> Response:
    body = json.dumps(PROBLEM | changes).encode()
    return Response(
        status=status, headers=(*HEADERS, (b"content-type", b"application/problem+json")), body=body, seconds=0
    )


def outcome(body: bytes, *more: tuple[bytes, bytes]) -> Response:
    return Response(status=200, headers=(*HEADERS, (b"content-type", b"application/json"), *more), body=body, seconds=0)


def found(response: Response, asked: Request = ASKED) -> list[str]:
    return [*judge.faults(asked, response, frozenset({KEY}))]


@pytest.mark.parametrize("response", [refusal(), outcome(b'{"a": [1, 2.5, null]}')], ids=["refusal", "outcome"])
def test_what_keeps_every_promise_is_not_accused(response: Response) -> None:
    assert found(response) == []


@pytest.mark.parametrize(
    ("response", "said"),
    [
        (refusal(500), "status 500"),
        (refusal(status=418), "status 418"),
        (refusal(errors=[{"detail": "a", "pointer": "a"}]), "pointer is no JSON Pointer"),
        (refusal(errors=[{"detail": "a", "pointer": "/~2"}]), "pointer is no JSON Pointer"),
        (refusal(errors=[{"detail": "", "pointer": ""}]), "an error whose detail has 0 characters"),
        (refusal(errors=[{"detail": "a", "pointer": "", "value": 1}]), "an error with the members"),
        (refusal(errors=[{"detail": "a", "pointer": ""}] * 22), "at most 21 errors"),
        (refusal(reason="because"), "the reason is known"),
        (refusal(detail=" "), "there is a detail"),
        (refusal(stack=[]), "no unknown member"),
        (refusal(detail='File "/srv/sayso/app/runs.py", line 3'), "the words of a refusal come from inside"),
        (outcome(b'{"a": 1, "a": 1}'), "not strict JSON"),
        (outcome(b'{"a": NaN}'), "not strict JSON"),
        (outcome(b'"\\ud800"'), "not strict JSON"),
        (outcome(b"[]"), "the body is no object"),
        (outcome(b'{"key": "say_x_' + KEY + b'"}'), "a key is in the response"),
        (outcome(b"{}", (b"x-evil", b"a\r\nb: c")), "the header b'x-evil'"),
        (outcome(b"{}", (b"cache-control", b"public")), "no cache-control: no-store"),
    ],
)
def test_a_broken_promise_is_seen(response: Response, said: str) -> None:
    assert any(said in fault for fault in found(response)), found(response)


@pytest.mark.parametrize("change", [lambda body: body, lambda body: b""], ids=["with a body", "without"])
def test_the_answer_to_head_has_no_body(change: Callable[[bytes], bytes]) -> None:
    asked = Request(operation="", place=ASKED.place, method="HEAD", path=b"/")
    body = change(b"{}")
    assert found(outcome(body), asked) == (["a body where there is none"] if body else [])
