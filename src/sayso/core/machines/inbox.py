"""What lies in the inbox of a kept stream until its next step: what became of others, and what was left for it."""

from typing import Any, assert_never

from sayso.core import bounds
from sayso.core.commands import Post
from sayso.core.frozen import frozen
from sayso.core.heads import Outcome
from sayso.core.values import Json


@frozen
class ChildEnded:
    """A stream that this one opened has ended."""

    child: bytes
    outcome: Outcome


@frozen
class OrderRefused:
    """An order that a step of this stream gave was refused. Facts may have been recorded there all the same."""

    stream: bytes
    reason: str
    kind: str | None


@frozen
class Posted:
    """Somebody left this, at ``at``: of a kind and a version that are the machine's to know."""

    post: Post
    at: int
    by: int


Heard = ChildEnded | OrderRefused | Posted


def source(heard: Heard) -> bytes:
    """The stream that it comes from."""
    match heard:
        case ChildEnded():
            return heard.child
        case OrderRefused():
            return heard.stream
        case Posted():
            return heard.post.source
        case _:
            assert_never(heard)


def to_body(heard: Heard) -> dict[str, Json]:
    """The JSON that lies in the inbox, beside the stream that it comes from."""
    match heard:
        case ChildEnded():
            return {"heard": "child_ended", "v": 1, "outcome": int(heard.outcome)}
        case OrderRefused():
            return {"heard": "order_refused", "v": 1, "reason": heard.reason, "kind": heard.kind}
        case Posted(post=post):
            sent = {"kind": post.kind, "version": post.version, "body": post.body, "body_bytes": post.body_bytes}
            return {"heard": "posted", "v": 1, **sent, "at": heard.at, "by": heard.by}
        case _:
            assert_never(heard)


def from_body(source: bytes, body: Any) -> Heard:
    """What ``to_body`` wrote. Raises ValueError for what no release so far wrote."""
    match body:
        case {"heard": "child_ended", "v": 1, "outcome": outcome}:
            return ChildEnded(child=source, outcome=Outcome(outcome))
        case {"heard": "order_refused", "v": 1, "reason": reason, "kind": kind}:
            return OrderRefused(stream=source, reason=reason, kind=kind)
        case {"heard": "posted", "v": 1}:
            sent = {name: body[name] for name in ("kind", "version", "body", "body_bytes")}
            return Posted(post=Post(source=source, **sent), at=body["at"], by=body["by"])
        case _:
            raise ValueError("an inbox holds what no machine of this release hears")


def room(heard: Any) -> int:
    """How much of an inbox's room a body takes. Endings and refusals take none: what was ordered bounds them."""
    sent = heard.get("body_bytes")
    return 0 if sent is None else max(sent, bounds.POSTED_LEAST_BYTES)
