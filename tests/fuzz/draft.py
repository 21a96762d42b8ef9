"""A request in the making: first its fields, then its bytes, so that either can be spoilt."""

from dataclasses import dataclass, field
from random import Random
from typing import Any
from urllib.parse import quote

from sayso.http.routes import Route
from tests.fuzz.json_text import Verbatim, written
from tests.fuzz.known import Place
from tests.fuzz.requests import Request


@dataclass
class Draft:
    """What is meant: an operation on its route, its fields, and who asks (a whole Authorization header, or none)."""

    route: Route
    place: Place
    fields: dict[str, Any]
    credential: bytes = b""

    def wire(self, chance: Random) -> "Wire":
        """The draft as bytes: each field where the route takes it."""
        where = {"org": self.place.org, "playbook": self.place.playbook} | self.fields
        parts = [
            segment(where.get(part[1:-1], "")) if part.startswith("{") else part.encode() for part in self.route.parts
        ]
        rest = {name: value for name, value in self.fields.items() if name not in self.route.names}
        wire = Wire(draft=self, method=self.route.method, parts=parts)
        wire.headers.append((b"host", b"localhost:8080"))
        if self.credential:
            wire.headers.append((b"authorization", self.credential))
        if self.route.is_query:
            wire.query = [(segment(name), segment(value)) for name, value in rest.items()]
        elif rest or chance.random() < 0.5:
            wire.headers.append((b"content-type", b"application/json"))
            wire.body = written(rest, escaped=chance.random() < 0.5)
        return wire


@dataclass
class Wire:
    """A request whose parts are bytes and can still be changed."""

    draft: Draft
    method: str
    parts: list[bytes]
    query: list[tuple[bytes, bytes]] = field(default_factory=list)
    headers: list[tuple[bytes, bytes]] = field(default_factory=list)
    body: bytes = b""
    leaves: bool = False

    def request(self, chance: Random) -> Request:
        """The finished request, its body in one chunk or in several."""
        draft = self.draft
        if self.body and chance.random() < 0.8:
            self.headers.append((b"content-length", b"%d" % len(self.body)))
        return Request(
            operation=draft.route.operation,
            place=draft.place,
            method=self.method,
            path=b"/" + b"/".join(self.parts),
            query=b"&".join(name + b"=" + value for name, value in self.query),
            headers=tuple(self.headers),
            chunks=_chunks(chance, self.body),
            leaves=self.leaves,
            meant=draft.fields,
        )


def segment(value: Any) -> bytes:
    """A field as it stands in a path or a query, percent-encoded; halves of surrogate pairs as bytes of no UTF-8."""
    if isinstance(value, Verbatim):
        value = value.text
    raw = value.encode(errors="surrogatepass") if isinstance(value, str) else written(value)
    return quote(raw[:2_000], safe="").encode()


def _chunks(chance: Random, body: bytes) -> tuple[bytes, ...]:
    if not body or chance.random() < 0.8:
        return (body,) if body else ()
    cut = chance.randint(0, len(body))
    return (body[:cut], b"", body[cut:])
