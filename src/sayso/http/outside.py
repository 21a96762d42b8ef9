"""What stands between a client and this server: proxies that say for whom they ask, and a path that they put before."""

import re
from collections.abc import Sequence
from ipaddress import ip_address
from urllib.parse import quote

from starlette.types import Scope

from sayso.config.lists import Network
from sayso.core.bounds import PROXY_HOPS
from sayso.http import wire

PROBES = frozenset({"/health", "/ready"})

_HOST = re.compile(rb"(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]{1,253})(?::[0-9]{1,5})?")
_SCHEMES = {b"http": "http", b"https": "https"}


class Outside:
    """Reads a request as its client sent it."""

    def __init__(self, trusted: Sequence[Network], prefix: str | None) -> None:
        self._trusted = tuple(trusted)
        self._prefix = (prefix or "").encode()

    def seen(self, scope: Scope) -> Scope:
        """The request as it was sent, and below the prefix; the same where there is nothing between."""
        if self._trusted and self._trusts(_host(scope)):
            scope = self._forwarded(scope)
        return self._below(scope) if self._prefix else scope

    def _trusts(self, host: str | None) -> bool:
        try:
            address = ip_address(host or "")
        except ValueError:
            return False
        mapped = getattr(address, "ipv4_mapped", None) or address
        return any(mapped in network for network in self._trusted)

    def _forwarded(self, scope: Scope) -> Scope:
        """What the proxy at the other end says of the request. Each header's last word is its own."""
        scope = dict(scope)
        scope["client"] = (self._client(scope), 0)
        scheme = _SCHEMES.get(_last(scope, b"x-forwarded-proto"))
        if scheme is not None:
            scope["scheme"] = scheme
        host = _last(scope, b"x-forwarded-host")
        if _HOST.fullmatch(host):
            others = [(name, value) for name, value in scope["headers"] if name != b"host"]
            scope["headers"] = [*others, (b"host", host)]
        return scope

    def _client(self, scope: Scope) -> str:
        """The nearest address that is no trusted proxy's; where what they say ends or cannot be read, the last."""
        nearest = _host(scope) or ""
        for hop in reversed(_listed(scope, b"x-forwarded-for")[-PROXY_HOPS:]):
            try:
                nearest = str(ip_address(_bare(hop)))
            except ValueError:
                return nearest
            if not self._trusts(nearest):
                return nearest
        return nearest

    def _below(self, scope: Scope) -> Scope:
        """The path below the prefix. Outside it nothing is but the probes: an empty path is no route's."""
        raw = scope.get("raw_path") or quote(scope["path"]).encode()
        prefix = self._prefix
        if raw == prefix or raw.startswith(prefix + b"/"):
            inner, path = raw[len(prefix) :] or b"/", scope["path"][len(prefix) :] or "/"
            return dict(scope, raw_path=inner, path=path, root_path=prefix.decode())
        return scope if scope["path"] in PROBES else dict(scope, raw_path=b"", path="")


def _host(scope: Scope) -> str | None:
    client = scope.get("client")
    return client[0] if client else None


def _listed(scope: Scope, name: bytes) -> list[bytes]:
    return [part.strip() for value in wire.header(scope, name) for part in value.split(b",")]


def _last(scope: Scope, name: bytes) -> bytes:
    return next(reversed(_listed(scope, name)), b"").lower()


def _bare(hop: bytes) -> str:
    """The address without the port that some proxies write with it."""
    text = hop.decode("ascii", errors="replace")
    if text.startswith("["):
        return text[1:].partition("]")[0]
    return text.partition(":")[0] if text.count(":") == 1 else text
