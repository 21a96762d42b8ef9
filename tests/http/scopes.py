"""Requests as a server hands them over, byte by byte: for what no client library would send."""

from collections.abc import Sequence

from starlette.types import Message, Receive, Scope


def scope(
    method: str = "POST",
    path: bytes = b"/",
    query: bytes = b"",
    headers: Sequence[tuple[bytes, bytes]] = ((b"content-type", b"application/json"),),
) -> Scope:
    """The scope of a request."""
    return {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "path": path.decode(errors="replace"),
        "raw_path": path,
        "query_string": query,
        "headers": list(headers),
    }


def receiving(*chunks: bytes, whole: bool = True) -> Receive:
    """A body that comes in chunks; if it is not whole, the client goes away after them."""
    messages: list[Message] = [{"type": "http.request", "body": chunk, "more_body": True} for chunk in chunks]
    messages.append({"type": "http.request", "body": b""} if whole else {"type": "http.disconnect"})
    coming = iter(messages)

    async def receive() -> Message:
        return next(coming)

    return receive
