"""Who is at the door: the checks of Host, Origin and credential. What the caller may do is the access table's word."""

import re
from collections.abc import Awaitable, Callable

from starlette.types import Scope

from sayso.app.access import LOCAL, Principal
from sayso.errors import Problem, Reason
from sayso.http.wire import Header, Refusal, header

Authenticate = Callable[[str], Awaitable[Principal]]

# RFC 6750: the scheme in any case, then one key; a token for one request has a scheme of its own.
_BEARER = re.compile(rb"bearer +([A-Za-z0-9._~+/-]+=*) *", re.IGNORECASE)
_REQUEST = re.compile(rb"request +([A-Za-z0-9_-]+) *", re.IGNORECASE)
_LOOPBACK = re.compile(rb"(?:localhost|127\.0\.0\.1|\[::1\])(?::[0-9]{0,5})?", re.IGNORECASE)

_VARY: Header = (b"vary", b"origin")
_EXPOSED: Header = (b"access-control-expose-headers", b"x-request-id")
PREFLIGHT: tuple[Header, ...] = (
    (b"access-control-allow-methods", b"GET, HEAD, POST, PUT"),
    (b"access-control-allow-headers", b"authorization, content-type"),
    (b"access-control-max-age", b"600"),
)


class Origins:
    """The origins whose pages may read what this door says. Never all, and never with cookies."""

    def __init__(self, allowed: tuple[str, ...]) -> None:
        self._allowed = frozenset(origin.encode() for origin in allowed)

    def headers(self, scope: Scope) -> tuple[Header, ...]:
        """What every response to this request carries, so that no cache mixes origins up."""
        given = header(scope, b"origin")
        if not given or not self._allows(given):
            return (_VARY,)
        return (_VARY, _EXPOSED, (b"access-control-allow-origin", given[0]))

    def check(self, scope: Scope) -> None:
        """Refuse a page of another origin. A request without the header comes from no page."""
        given = header(scope, b"origin")
        if given and not self._allows(given):
            raise Problem(Reason.ORIGIN_NOT_ALLOWED, "Pages of this origin may not use this server: ALLOWED_ORIGINS.")

    def is_preflight(self, scope: Scope) -> bool:
        """Whether a browser asks, for an allowed page, what that page may send."""
        if scope["method"] != "OPTIONS":
            return False
        return bool(header(scope, b"origin") and header(scope, b"access-control-request-method"))

    def _allows(self, given: list[bytes]) -> bool:
        return len(given) == 1 and given[0].lower() in self._allowed


def check_local_host(scope: Scope) -> None:
    """Refuse a name that is not this machine's own: a page elsewhere may have made its name point here."""
    given = header(scope, b"host")
    if len(given) != 1 or not _LOOPBACK.fullmatch(given[0]):
        detail = "In local mode this server answers only as localhost, 127.0.0.1 or [::1]."
        raise Refusal(Problem(Reason.FORBIDDEN, detail))


def developer(any_keys: Callable[[], Awaitable[bool]]) -> Callable[[Scope], Awaitable[Principal]]:
    """Who asks in local mode: the developer at this machine, whatever credential is sent, until there are keys."""

    async def who(_scope: Scope) -> Principal:
        if await any_keys():
            detail = "This store has keys now, so local mode is over. Serve it without --local."
            raise Problem(Reason.UNAUTHENTICATED, detail)
        return LOCAL

    return who


def holder(of_key: Authenticate, of_token: Authenticate) -> Callable[[Scope], Awaitable[Principal]]:
    """What tells who asks by the one key, or the one token for one request, that a request carries."""

    async def who(scope: Scope) -> Principal:
        given = header(scope, b"authorization")
        if not given:
            problem = Problem(Reason.UNAUTHENTICATED, "A key is needed: send Authorization: Bearer <key>.")
            raise Refusal(problem, (b"www-authenticate", b"Bearer"))
        for form, authenticate in ((_BEARER, of_key), (_REQUEST, of_token)):
            if len(given) == 1 and (found := form.fullmatch(given[0])):
                return await authenticate(found[1].decode())
        detail = "Send exactly one Authorization header: Bearer <key>, or Request <token>."
        raise Refusal(Problem(Reason.BAD_REQUEST, detail), (b"www-authenticate", b'Bearer error="invalid_request"'))

    return who
