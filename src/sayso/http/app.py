"""The ASGI application: every request through the same checks, in one order, to one operation and one reply.

Health, Host, Origin, preflight, credential, rate, route, permission, body, operation: what is refused first is what
tells a stranger least.
"""

import asyncio
import logging
import time
import uuid
from collections.abc import Callable

from starlette.types import Message, Receive, Scope, Send

from sayso import __version__
from sayso.app.operations import Allowed, Outcome
from sayso.app.runtime import App
from sayso.core.values import Json
from sayso.errors import RETRY_AFTER_S, Problem, Reason, unavailable
from sayso.http import account, auth, entity_tags, openapi, problems, v1, wire
from sayso.http.account import Account, Accounts
from sayso.http.auth import Origins
from sayso.http.limits import Limits
from sayso.http.outside import PROBES, Outside
from sayso.http.routes import Found, Router, method_not_allowed
from sayso.http.wire import ClientGone, Header, Refusal, Reply
from sayso.ports import StatementFailed, StoreError
from sayso.settings import Settings

log = logging.getLogger(__name__)

NO_CONTENT = 204
_NO_STORE: Header = (b"cache-control", b"no-store")


class HttpApp:
    """The HTTP door over an app. Each request's account goes to the log, and to ``observe``."""

    def __init__(
        self, app: App, settings: Settings, *, observe: Callable[[Account], None] = lambda _account: None
    ) -> None:
        self._stopping = False
        self._app = app
        self._local = settings.local
        self._base = settings.problem_base
        self._origins = Origins(settings.allowed_origins)
        holder = auth.holder(app.keys.authenticate, app.tokens.authenticate)
        who = auth.developer(app.keys.any) if settings.local else holder
        self._limits = Limits(settings.rate_limit, settings.rate_burst, time.monotonic)
        self._who = self._limits.guarding(who)
        self._outside = Outside(settings.trusted_proxies, settings.path_prefix)
        self._accounts = Accounts()
        self._observe = observe
        self._router = Router(v1.TABLE)
        self._pages = openapi.pages(settings.problem_base, settings.path_prefix or "/")
        self._at_work: set[asyncio.Task[Outcome]] = set()

    def close(self) -> None:
        """Answer nothing but ``/health`` from now on: the server is stopping."""
        self._stopping = True

    def reload(self, settings: Settings) -> None:
        """Let the origins and the rate limits of other settings count from the next request on."""
        self._origins = Origins(settings.allowed_origins)
        self._limits.change(settings.rate_limit, settings.rate_burst)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request, or the server's start and stop."""
        match scope["type"]:
            case "http":
                await self._serve(self._outside.seen(scope), receive, send)
            case "lifespan":
                await _live(receive, send)
            case _:
                await send({"type": "websocket.close", "code": 1008})

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        opened = self._accounts.opened(scope)
        try:
            reply = await self._answer(scope, receive, opened)
            await self._send(scope, send, reply, opened)
        except ClientGone:
            return
        finally:
            account.write(opened)
            self._observe(opened)

    async def _send(self, scope: Scope, send: Send, reply: Reply, opened: Account) -> None:
        request_id = (b"x-request-id", opened.request_id.encode())
        headers = [*reply.headers, _NO_STORE, request_id, *self._origins.headers(scope)]
        if reply.status != NO_CONTENT:
            headers.append((b"content-length", b"%d" % len(reply.body)))
        body = b"" if scope["method"] == "HEAD" else reply.body
        opened.status, opened.reply_bytes = reply.status, len(body)
        await send({"type": "http.response.start", "status": reply.status, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    async def _answer(self, scope: Scope, receive: Receive, opened: Account) -> Reply:
        """The reply to a request, whatever happens to it."""
        try:
            return await self._reply(scope, receive, opened)
        except Refusal as refusal:
            return problems.reply(refusal.problem, self._base, refusal.headers)
        except Problem as problem:
            if problem.reason is Reason.INTERNAL:
                return self._internal(opened.request_id, problem)
            return problems.reply(problem, self._base, problems.challenge(problem))
        except StatementFailed as fault:
            return self._internal(opened.request_id, fault)  # a fault of ours: it would fail again
        except StoreError as fault:
            log.warning("request %s: the store failed: %r", opened.request_id, fault)
            return problems.reply(unavailable(), self._base)
        except ClientGone:
            raise
        except asyncio.CancelledError:
            if not self._stopping:
                raise
            return problems.reply(_stopping(), self._base)  # the server's patience with this request is over
        except Exception as fault:
            return self._internal(opened.request_id, fault)

    def _internal(self, request_id: str, fault: Exception) -> Reply:
        """The reply that says nothing of the cause: the log has it, under the same incident."""
        incident = getattr(fault, "incident", None) or str(uuid.uuid4())
        log.error("incident urn:uuid:%s in request %s", incident, request_id, exc_info=fault)
        detail = "Something went wrong here. The server's log has it under this incident."
        return problems.reply(Problem(Reason.INTERNAL, detail, incident=incident), self._base)

    async def _reply(self, scope: Scope, receive: Receive, opened: Account) -> Reply:
        path = scope["path"]
        if path in PROBES:
            opened.operation, opened.route = path[1:], path
            return await self._probe(scope, path)
        if self._local:
            auth.check_local_host(scope)
        self._origins.check(scope)
        if self._origins.is_preflight(scope):
            return Reply(NO_CONTENT, b"", auth.PREFLIGHT)
        self._refuse_if_stopping()
        if path in self._pages:
            opened.operation, opened.route = "describe", path
            return self._page(scope, path)
        if path == "/" and scope["method"] in {"GET", "HEAD"}:
            return wire.reply(200, {"name": "sayso", "version": __version__})
        return await self._operate(scope, receive, opened)

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

    async def _operate(self, scope: Scope, receive: Receive, opened: Account) -> Reply:
        principal = await self._who(scope)
        opened.caller = principal.caller_id
        found = self._router.find(scope["method"], wire.segments(scope))
        opened.operation, opened.route = found.route.operation, found.route.path
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
