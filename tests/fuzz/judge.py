"""The judge: what holds of every response, whatever was asked. Each fault is said in a line."""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

from sayso.errors import STATUS, Kind, Reason
from tests.fuzz.requests import Request, Response

STATUSES = frozenset({200, 201, 204, *STATUS.values()} - {500})
BASE = "https://on.auto/problems/"
MEMBERS = frozenset({"type", "title", "status", "detail", "reason", "kind", "because", "errors", "instance"})

_POINTER = re.compile(r"(?:/(?:[^~/]|~[01])*)*", re.DOTALL)
_HEADER_NAME = re.compile(rb"[a-z0-9-]+")
_HEADER_VALUE = re.compile(rb"[\t -~]*")
_INSIDE = re.compile(
    rb"Traceback \(most recent|File \\?\"/|site-packages|sqlite3?\.|Error\(|Exception|<object at|0x[0-9a-f]{9}|\.py\b"
)
_DETAIL_CHARACTERS = 2_000
_PROBLEM_BYTES = 65_536


def faults(request: Request, response: Response, secrets: frozenset[bytes]) -> Iterator[str]:
    """What is wrong with a response."""
    if response.status not in STATUSES:
        yield f"status {response.status}"
    yield from _header_faults(request, response)
    if any(secret in response.body for secret in secrets):
        yield "a key is in the response"
    if request.method == "HEAD" or response.status == 204:
        if response.body:
            yield "a body where there is none"
        return
    yield from _body_faults(request, response)


def _header_faults(request: Request, response: Response) -> Iterator[str]:
    if response.header(b"cache-control") != [b"no-store"]:
        yield "no cache-control: no-store"
    if len(response.header(b"x-request-id")) != 1:
        yield "no x-request-id"
    for name, value in response.headers:
        if not (_HEADER_NAME.fullmatch(name) and _HEADER_VALUE.fullmatch(value)):
            yield f"the header {name!r}: {value!r}"
    needed = {401: b"www-authenticate", 405: b"allow"}.get(response.status)
    if needed and not response.header(needed):
        yield f"{response.status} without {needed.decode()}"


def _body_faults(request: Request, response: Response) -> Iterator[str]:
    try:
        told = strict(response.body)
    except ValueError as fault:
        yield f"the body is not strict JSON: {fault}"
        return
    if not isinstance(told, dict):
        yield "the body is no object"
    elif response.status < 400:
        if response.header(b"content-type") != [b"application/json"]:
            yield "success that is no application/json"
    else:
        yield from _problem_faults(told, response)
        if _INSIDE.search(response.body) and not _INSIDE.search(request.target + request.body):
            yield "the words of a refusal come from inside"


def strict(body: bytes) -> Any:
    """The JSON of a body; ValueError if it says anything that some reader of JSON would not take."""
    value = json.loads(body.decode(), object_pairs_hook=_members, parse_constant=_no_constant)
    json.dumps(value, ensure_ascii=False).encode()  # a UnicodeEncodeError is a ValueError: half a surrogate pair
    return value


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) != len(pairs):
        raise ValueError("a member twice")
    return dict(pairs)


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


def _problem_faults(told: dict[str, Any], response: Response) -> Iterator[str]:
    if response.header(b"content-type") != [b"application/problem+json"]:
        yield "a problem that is no application/problem+json"
    for claim, holds in _PROBLEM_CLAIMS.items():
        try:
            if not holds(told, response):
                yield f"not so: {claim}"
        except (KeyError, TypeError, AttributeError, ValueError) as fault:
            yield f"not so: {claim} ({fault!r})"
    for error in told.get("errors", ()):
        yield from _error_faults(error)


_PROBLEM_CLAIMS: dict[str, Callable[[dict[str, Any], Response], bool]] = {
    "no unknown member": lambda told, response: told.keys() <= MEMBERS,
    "the reason is known": lambda told, response: told["reason"] in set(Reason),
    "the type is of the reason": lambda told, response: told["type"] == BASE + told["reason"],
    "the status is the response's": lambda told, response: told["status"] == response.status,
    "the status is the reason's": lambda told, response: STATUS[Reason(told["reason"])] == response.status,
    "there is a title": lambda told, response: bool(told["title"].strip()),
    "there is a detail": lambda told, response: 0 < len(told["detail"].strip()) <= _DETAIL_CHARACTERS,
    "the kind is known": lambda told, response: told.get("kind", "taken") in set(Kind),
    "errors only where the input is at fault": lambda told, response: (
        ("errors" in told) == (told["reason"] == Reason.INVALID_INPUT)
    ),
    "at most 21 errors": lambda told, response: len(told.get("errors", ())) <= 21,
    "503 only when too many requests are open, or no tool is offered": lambda told, response: (
        response.status != 503 or told.get("kind") in {Kind.REQUESTS_FULL, Kind.TOOL_NOT_OFFERED}
    ),
    "only what may be otherwise in a moment says when": lambda told, response: (
        (told.get("kind") == Kind.REQUESTS_FULL) == bool(response.header(b"retry-after"))
    ),
    "a refusal is short": lambda told, response: len(response.body) <= _PROBLEM_BYTES,
}


def _error_faults(error: dict[str, Any]) -> Iterator[str]:
    if not error.keys() <= {"detail", "pointer", "line", "at"}:
        yield f"an error with the members {sorted(error)}"
    if not 0 < len(error.get("detail", "")) <= _DETAIL_CHARACTERS:
        yield f"an error whose detail has {len(error.get('detail', ''))} characters"
    for name in ("pointer", "at"):
        pointer = error.get(name, "")
        if not (isinstance(pointer, str) and _POINTER.fullmatch(pointer)):
            yield f"{name} is no JSON Pointer: {pointer!r}"
    if not ("line" not in error or error["line"] >= 1):
        yield f"line {error['line']}"
