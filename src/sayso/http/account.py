"""The account of a request: what the log and the metrics are told of it, and nothing of what it said.

A path is named by its route, whose names stand for what was written there, and a method by one of those that are known.
"""

import itertools
import logging
import re
import secrets
import time
from dataclasses import dataclass, field

from starlette.types import Scope

from sayso.core.bounds import REQUEST_ID_CHARACTERS
from sayso.http import wire

log = logging.getLogger("sayso.request")

# Nobody reads this status: the client was gone before there was a reply.
CLIENT_GONE = 499
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})

# A caller's own id, which is written to logs. What looks like a key is none.
_KEPT = re.compile(rb"(?!say_)[A-Za-z0-9][A-Za-z0-9._:+/=@-]{0,%d}" % (REQUEST_ID_CHARACTERS - 1))


@dataclass(slots=True, kw_only=True)
class Account:
    """One request. It stays as it is once the reply was sent; until then its status says that there was none."""

    request_id: str
    method: str
    operation: str = "none"
    route: str = "none"
    caller: str | None = None
    status: int = CLIENT_GONE
    reply_bytes: int = 0
    began_at: float = field(default_factory=time.perf_counter)

    @property
    def seconds(self) -> float:
        """How long it has taken."""
        return time.perf_counter() - self.began_at


class Accounts:
    """Opens an account a request, under the caller's id for it where that can be kept."""

    def __init__(self) -> None:
        self._process, self._numbers = secrets.token_hex(6), itertools.count(1)

    def opened(self, scope: Scope) -> Account:
        """The account of a request that begins now."""
        given = wire.header(scope, b"x-request-id")
        is_kept = len(given) == 1 and _KEPT.fullmatch(given[0])
        request_id = given[0].decode() if is_kept else f"{self._process}-{next(self._numbers):x}"
        method = scope["method"] if scope["method"] in METHODS else "other"
        return Account(request_id=request_id, method=method)


def write(account: Account) -> None:
    """One line of the log."""
    if not log.isEnabledFor(logging.INFO):
        return
    ms = round(account.seconds * 1000, 3)
    fields = {
        "request_id": account.request_id,
        "method": account.method,
        "route": account.route,
        "operation": account.operation,
        "status": account.status,
        "ms": ms,
        "caller": account.caller,
        "bytes": account.reply_bytes,
    }
    words = "%s %s %d in %.1f ms"
    log.info(words, account.method, account.route, account.status, ms, extra={"fields": fields})
