"""Requests as bytes, what was meant by them, and how one is shown so that it can be sent again."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.fuzz.known import Place

_SHOWN_BYTES = 600


@dataclass(frozen=True, kw_only=True)
class Request:
    """One request. ``meant`` are the fields that it was made from, before anything was spoilt on the wire.

    With ``leaves`` the client goes away after its last chunk instead of ending the body.
    """

    operation: str
    place: Place
    method: str
    path: bytes
    query: bytes = b""
    headers: tuple[tuple[bytes, bytes], ...] = ()
    chunks: tuple[bytes, ...] = ()
    leaves: bool = False
    meant: Mapping[str, Any] = field(default_factory=dict)

    @property
    def body(self) -> bytes:
        """The whole body."""
        return b"".join(self.chunks)

    @property
    def target(self) -> bytes:
        """Path and query as they stand in the first line."""
        return self.path + (b"?" + self.query if self.query else b"")

    def shown(self) -> str:
        """The request for a person who looks for the fault; a long body by its two ends and its length."""
        body = self.body
        if len(body) > _SHOWN_BYTES:
            half = _SHOWN_BYTES // 2
            body_shown = f"{body[:half]!r} ... {body[-half:]!r} ({len(body)} bytes)"
        else:
            body_shown = repr(body)
        headers = "\n".join(f"  {name!r}: {value!r}" for name, value in self.headers)
        return f"{self.method} {self.target!r}  (meant: {self.operation})\n{headers}\n  body: {body_shown}"


@dataclass(frozen=True, kw_only=True)
class Response:
    """What came back; ``seconds`` from the first byte sent to the last one heard."""

    status: int
    headers: tuple[tuple[bytes, bytes], ...]
    body: bytes
    seconds: float

    def header(self, name: bytes) -> list[bytes]:
        """Every value of a header."""
        return [value for its_name, value in self.headers if its_name == name]
