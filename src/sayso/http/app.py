"""The ASGI application: every request through the same checks, in one order, to one operation and one reply.

Health, Host, Origin, preflight, credential, route, permission, body, operation: what is refused first is what tells a
stranger least.
"""

import asyncio
import itertools
import logging
import secrets
import uuid

from starlette.types import Message, Receive, Scope, Send

from sayso import __version__
from sayso.app.operations import Allowed, Outcome
from sayso.app.runtime import App
from sayso.core.values import Json
from sayso.errors import RETRY_AFTER_S, Problem, Reason, unavailable
from sayso.http import auth, entity_tags, openapi, problems, v1, wire
from sayso.http.auth import Origins
from sayso.http.routes import Found, Router, method_not_allowed
from sayso.http.wire import ClientGone, Header, Refusal, Reply
from sayso.ports import StatementFailed, StoreError
from sayso.settings import Settings

log = logging.getLogger(__name__)

NO_CONTENT = 204
_NO_STORE: Header = (b"cache-control", b"no-store")


class HttpApp:
    """The HTTP door over an app."""

    def __init__(self, app: App, settings: Settings) -> None:
        self._stopping = False
        self._app = app
        self._local = settings.local
        self._base = settings.problem_base
        self._origins = Origins(settings.allowed_origins)
        holder = auth.holder(app.keys.authenticate, app.tokens.authenticate)
        self._who = auth.developer(app.keys.any) if settings.local else holder
        self._router = Router(v1.TABLE)
        self._pages = openapi.pages(settings.problem_base)
        self._process, self._numbers = secrets.token_hex(6), itertools.count(1)
        self._at_work: set[asyncio.Task[Outcome]] = set()

    def close(self) -> None:
        """Answer nothing but ``/health`` from now on: the server is stopping."""
        self._stopping = True

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request, or the server's start and stop."""
        match scope["type"]:
            case "http":
                await self._serve(scope, receive, send)
            case "lifespan":
                await _live(receive, send)
            case _:
                await send({"type": "websocket.close", "code": 1008})

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        request_id = f"{self._process}-{next(self._numbers):x}"
        try:
            reply = await self._answer(scope, receive, request_id)
        except ClientGone:
            return
        headers = [*reply.headers, _NO_STORE, (b"x-request-id", request_id.encode()), *self._origins.headers(scope)]
        if reply.status != NO_CONTENT:
            headers.append((b"content-length", b"%d" % len(reply.body)))
        await send({"type": "http.response.start", "status": reply.status, "headers": headers})
        await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else reply.body})

    async def _answer(self, scope: Scope, receive: Receive, request_id: str) -> Reply:
        """The reply to a request, whatever happens to it."""
        try:
            return await self._reply(scope, receive)
        except Refusal as refusal:
            return problems.reply(refusal.problem, self._base, refusal.headers)
        except Problem as problem:
            if problem.reason is Reason.INTERNAL:
                return self._internal(request_id, problem)
            return problems.reply(problem, self._base, problems.challenge(problem))
        except StatementFailed as fault:
            return self._internal(request_id, fault)  # a fault of ours: it would fail again
        except StoreError as fault:
            log.warning("request %s: the store failed: %r", request_id, fault)
            return problems.reply(unavailable(), self._base)
        except ClientGone:
            raise
        except asyncio.CancelledError:
            if not self._stopping:
                raise
            return problems.reply(_stopping(), self._base)  # the server's patience with this request is over
        except Exception as fault:
            return self._internal(request_id, fault)

    def _internal(self, request_id: str, fault: Exception) -> Reply:
        """The reply that says nothing of the cause: the log has it, under the same incident."""
        incident = getattr(fault, "incident", None) or str(uuid.uuid4())
        log.error("incident urn:uuid:%s in request %s", incident, request_id, exc_info=fault)
        detail = "Something went wrong here. The server's log has it under this incident."
        return problems.reply(Problem(Reason.INTERNAL, detail, incident=incident), self._base)

    async def _reply(self, scope: Scope, receive: Receive) -> Reply:
        path = scope["path"]
        if path in {"/health", "/ready"}:
            return await self._probe(scope, path)
        if self._local:
            auth.check_local_host(scope)
        self._origins.check(scope)
        if self._origins.is_preflight(scope):
            return Reply(NO_CONTENT, b"", auth.PREFLIGHT)
        self._refuse_if_stopping()
        if path in self._pages:
            return self._page(scope, path)
        if path == "/" and scope["method"] in {"GET", "HEAD"}:
            return wire.reply(200, {"name": "sayso", "version": __version__})
        return await self._operate(scope, receive)

    async def _probe(self, scope: Scope, path: str) -> Reply:
        """Whether the process lives, or whether it can do its work: for machines that have no key."""
        if scope["method"] not in {"GET", "HEAD"}:
            raise method_not_allowed(["GET"])
        if path == "/health":
            return wire.reply(200, {"status": "ok"})
        self._refuse_if_stopping()
        await self._app.ready()
        return wire.reply(200, {"status": "ready"})

    def _page(self, scope: Scope, path: str) -> Reply:
        """What this door is, for programs and for people: it says nothing of anybody's data, and needs no key."""
        if scope["method"] not in {"GET", "HEAD"}:
            raise method_not_allowed(["GET"])
        return self._pages[path]

    def _refuse_if_stopping(self) -> None:
        if self._stopping:
            raise _stopping()

    async def _operate(self, scope: Scope, receive: Receive) -> Reply:
        principal = await self._who(scope)
        found = self._router.find(scope["method"], wire.segments(scope))
        place = found.path_fields
        allowed = self._app.operations.allow(
            principal,
            found.route.operation,
            org=place["org"],
            playbook=place.get("playbook"),
            run_id=place.get("run_id"),
        )
        fields = await _fields(scope, receive, found)
        outcome = await self._perform(allowed, fields, found.route.is_query)
        return wire.reply(found.route.status, outcome, entity_tags.of(found.route, outcome))

    async def _perform(self, allowed: Allowed, fields: dict[str, Json], is_query: bool) -> Outcome:
        """Perform an operation. A command that has begun is finished, even if whoever waits for it is cancelled."""
        performing = self._app.operations.perform(allowed, fields)
        if is_query:
            return await performing
        task = asyncio.ensure_future(performing)
        self._at_work.add(task)
        task.add_done_callback(self._at_work.discard)
        return await asyncio.shield(task)


def _stopping() -> Problem:
    detail = "The server is stopping. Send the same request again in a moment."
    return Problem(Reason.UNAVAILABLE, detail, retry_after=RETRY_AFTER_S)


async def _fields(scope: Scope, receive: Receive, found: Found) -> dict[str, Json]:
    """The operation's fields from path, query and body; those of the path that only say where are taken out."""
    route, path_fields = found
    if route.is_query:
        fields = wire.query_fields(scope, path_fields, route.readers)
    else:
        fields = await wire.command_fields(scope, receive, path_fields)
        entity_tags.expect(scope, route, fields)
    for name in route.names:
        if name not in route.carried:
            del fields[name]
    return fields


async def _live(receive: Receive, send: Send) -> None:
    """The server's start and stop. Nothing is begun or ended here: the composition root does both."""
    while True:
        message: Message = await receive()
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            return
