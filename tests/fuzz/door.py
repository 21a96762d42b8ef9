"""The door as a server calls it, byte by byte: what no client library would send can be sent here."""

import asyncio
from time import perf_counter
from urllib.parse import unquote

from starlette.types import ASGIApp, Message, Receive, Scope

from sayso.errors import Problem
from sayso.http import v1, wire
from sayso.http.routes import Router
from tests.fuzz.requests import Request, Response

_ROUTER = Router(v1.TABLE)

# A request that takes longer hangs.
PATIENCE_SECONDS = 60


class Broken(AssertionError):
    """The application broke the rules of ASGI, raised, or never answered."""


def scope(request: Request) -> Scope:
    """What a server hands over for this request."""
    return {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "scheme": "http",
        "method": request.method,
        "path": unquote(request.path.decode("latin-1")),
        "raw_path": request.path,
        "query_string": request.query,
        "root_path": "",
        "headers": list(request.headers),
        "client": ("127.0.0.1", 50_000),
        "server": ("127.0.0.1", 8_080),
    }


def _receiving(request: Request) -> Receive:
    messages: list[Message] = [{"type": "http.request", "body": chunk, "more_body": True} for chunk in request.chunks]
    if not request.leaves:
        messages = messages or [{"type": "http.request", "body": b""}]
        messages[-1]["more_body"] = False
    coming = iter(messages)

    async def receive() -> Message:
        return next(coming, {"type": "http.disconnect"})

    return receive


def meaning(request: Request) -> tuple[str, dict[str, str]] | None:
    """The operation that the request's method and path ask for, however they were spoilt, and the path's fields."""
    try:
        route, fields = _ROUTER.find(request.method, wire.segments(scope(request)))
    except (Problem, wire.Refusal):
        return None
    return route.operation, fields


async def ask(application: ASGIApp, request: Request) -> Response | None:
    """The response; None where the client left and nobody answered. Raises Broken."""
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    begun = perf_counter()
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            await application(scope(request), _receiving(request), send)
    except Exception as fault:
        raise Broken(f"the application raised {fault!r}") from fault
    seconds = perf_counter() - begun
    if not sent and request.leaves:
        return None
    if [message["type"] for message in sent] != ["http.response.start", "http.response.body"]:
        raise Broken(f"the application sent {[message['type'] for message in sent]}")
    headers = tuple((bytes(name), bytes(value)) for name, value in sent[0]["headers"])
    return Response(status=sent[0]["status"], headers=headers, body=sent[1].get("body", b""), seconds=seconds)
