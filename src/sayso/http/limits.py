"""Rate limits: how often a caller may ask, and how often an address may fail to say who it is.

They are kept in the memory of one process: with several, each counts what it serves itself.
"""

import math
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from ipaddress import IPv6Address, ip_address, ip_network

from starlette.types import Scope

from sayso.app.access import Principal
from sayso.core.bounds import CALLERS_REMEMBERED
from sayso.errors import Problem, Reason

# Machines are given addresses of version 6 by such ranges: one has as many as it likes.
RANGE_OF_6 = 64

Who = Callable[[Scope], Awaitable[Principal]]
_FAILURES = frozenset({Reason.UNAUTHENTICATED, Reason.BAD_REQUEST})


class Limiter:
    """So many a second and so many at once, for each of many names; in constant time and bounded memory.

    A name is kept with the moment at which all that it took is made up for. Whoever was met longest ago is forgotten
    first, and begins anew.
    """

    def __init__(self, rate: float, burst: int, clock: Callable[[], float]) -> None:
        self._each = 1 / rate
        self._ahead = (burst - 1) / rate
        self._clock = clock
        self._even_at: OrderedDict[str, float] = OrderedDict()

    def take(self, name: str) -> None:
        """Count one. Raises ``rate_limited`` where there is none left, and then counts nothing."""
        self.check(name)
        self._even_at[name] = max(self._even_at.get(name, 0.0), self._clock()) + self._each
        self._even_at.move_to_end(name)
        if len(self._even_at) > CALLERS_REMEMBERED:
            self._even_at.popitem(last=False)

    def check(self, name: str) -> None:
        """Refuse where there is none left, without counting."""
        waits = self._even_at.get(name, 0.0) - self._ahead - self._clock()
        if waits > 0:
            raise _limited(math.ceil(waits))

    def __len__(self) -> int:
        return len(self._even_at)


class Limits:
    """The limits of a door, or none."""

    def __init__(self, rate: int | None, burst: int | None, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._chosen: tuple[int | None, int | None] = (None, None)
        self._callers: Limiter | None = None
        self._failures: Limiter | None = None
        self.change(rate, burst)

    def change(self, rate: int | None, burst: int | None) -> None:
        """Let other numbers count. Everybody begins anew, unless they are the same."""
        if (rate, burst) == self._chosen:
            return
        self._chosen = (rate, burst)
        self._callers = None if rate is None else Limiter(rate, burst or rate, self._clock)
        self._failures = None if rate is None else Limiter(rate, burst or rate, self._clock)

    def guarding(self, who: Who) -> Who:
        """The same finding of who asks, within the limits: before a credential is looked at, and after."""

        async def guarded(scope: Scope) -> Principal:
            callers, failures = self._callers, self._failures
            if callers is None or failures is None:
                return await who(scope)
            address = of_client(scope)
            failures.check(address)
            try:
                principal = await who(scope)
            except Exception as refusal:
                if getattr(getattr(refusal, "problem", refusal), "reason", None) in _FAILURES:
                    failures.take(address)
                raise
            callers.take(principal.caller_id)
            return principal

        return guarded


def of_client(scope: Scope) -> str:
    """The address that a request came from, of version 6 the range; what is no address of a machine is one name."""
    client = scope.get("client")
    try:
        address = ip_address(client[0]) if client else None
    except ValueError:
        return ""
    if isinstance(address, IPv6Address):
        return str(address.ipv4_mapped or ip_network((address, RANGE_OF_6), strict=False))
    return str(address or "")


def _limited(seconds: int) -> Problem:
    detail = "Too many requests: send this one again when Retry-After has passed."
    return Problem(Reason.RATE_LIMITED, detail, retry_after=max(1, seconds))
