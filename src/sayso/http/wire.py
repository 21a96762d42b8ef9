"""The wire: what a request says, as one object of fields, and what a reply is."""

import asyncio
import contextlib
import re
from collections.abc import Callable, Mapping
from typing import NamedTuple
from urllib.parse import unquote

from starlette.types import Receive, Scope

from sayso.core import bounds, json_text, values
from sayso.core.values import Json
from sayso.errors import Problem, Reason

JSON_TYPE = b"application/json"
# How much of a body that is too large is passed over, and for how long, before its client hears so.
PASSED_OVER_BYTES = 16 * bounds.BODY_BYTES
PASSING_OVER_SECONDS = 0.5

Header = tuple[bytes, bytes]
Read = Callable[[str], Json]

_WHOLE = re.compile(r"-?(?:0|[1-9][0-9]{0,18})")
_TRUTHS = {"true": True, "false": False}


class Reply(NamedTuple):
    """What is sent back, before the headers that every response carries."""

    status: int
    body: bytes
    headers: tuple[Header, ...]


class Refusal(Exception):
    """A problem that this door alone meets, with the headers that belong to it."""

    def __init__(self, problem: Problem, *headers: Header) -> None:
        super().__init__(problem.detail)
        self.problem = problem
        self.headers = headers


class ClientGone(Exception):
    """The client closed the connection before it had sent its request: nobody waits for a reply."""


def reply(status: int, value: Json, headers: tuple[Header, ...] = ()) -> Reply:
    """A reply of JSON, with headers of its own."""
    return Reply(status, values.compact(value).encode(), ((b"content-type", JSON_TYPE), *headers))


def header(scope: Scope, name: bytes) -> list[bytes]:
    """Every value that the request gives a header; the name in lower case, as ASGI hands it over."""
    return [value for its_name, value in scope["headers"] if its_name == name]


def truth(text: str) -> Json:
    """A boolean of a query; another text stays one, which the operation's fields refuse at its pointer."""
    return _TRUTHS.get(text, text)


def whole(text: str) -> Json:
    """An integer of a query; another text stays one."""
    return int(text) if _WHOLE.fullmatch(text) else text


def segments(scope: Scope) -> list[str]:
    """The parts of the path, each percent-decoded after the split, so that %2F never makes two of one."""
    raw: bytes = scope.get("raw_path") or scope["path"].encode(errors="surrogatepass")
    try:
        text = raw.decode()
        return [unquote(part, errors="strict") if "%" in part else part for part in text.split("/")[1:]]
    except UnicodeDecodeError:
        raise Problem(Reason.BAD_REQUEST, "The path is not percent-encoded UTF-8.") from None


def query_fields(scope: Scope, path_fields: dict[str, str], readers: Mapping[str, Read]) -> dict[str, Json]:
    """The fields of a query: those of the path and those after the question mark, each from one place."""
    _refuse_body(scope)
    fields: dict[str, Json] = dict(path_fields)
    for part in scope["query_string"].split(b"&"):
        if part:
            name, _, value = part.partition(b"=")
            _put(fields, _unquoted(name), _unquoted(value), readers)
    return fields


def _put(fields: dict[str, Json], name: str, value: str, readers: Mapping[str, Read]) -> None:
    if name in fields:
        raise _twice(name)
    read = readers.get(name)
    fields[name] = read(value) if read else value


def _unquoted(text: bytes) -> str:
    try:
        return unquote(text.decode().replace("+", " "), errors="strict")
    except UnicodeDecodeError:
        raise Problem(Reason.BAD_REQUEST, "The query is not percent-encoded UTF-8.") from None


def _refuse_body(scope: Scope) -> None:
    length = header(scope, b"content-length")
    if header(scope, b"transfer-encoding") or (length and length[0].strip() != b"0"):
        raise Problem(Reason.BAD_REQUEST, "A GET takes no body: give its fields after the question mark.")


async def command_fields(scope: Scope, receive: Receive, path_fields: dict[str, str]) -> dict[str, Json]:
    """The fields of a command: those of the path and those of the body, each from one place."""
    if scope["query_string"]:
        raise Problem(Reason.BAD_REQUEST, "Query parameters belong to GET: give these fields in the body.")
    body = await _body(scope, receive)
    if not body:
        return dict(path_fields)
    _refuse_other_media(scope)
    if not body.lstrip(b" \t\r\n").startswith(b"{"):
        raise Problem(Reason.BAD_REQUEST, "The body must be one JSON object, in UTF-8.")
    fields: dict[str, Json] = json_text.parse(body)
    for name in path_fields:
        if name in fields:
            raise _twice(name)
    return path_fields | fields


async def _body(scope: Scope, receive: Receive) -> bytes:
    """The whole body, refused as soon as it is known to be too large, be it by its own word."""
    declared = header(scope, b"content-length")
    if declared and declared[0].isdigit() and (len(declared[0]) > 12 or int(declared[0]) > bounds.BODY_BYTES):
        if not header(scope, b"expect"):
            await _pass_over(receive)
        raise _too_large()
    chunks: list[bytes] = []
    size, more = 0, True
    while more:
        chunk, more = await _chunk(receive)
        size += len(chunk)
        if size > bounds.BODY_BYTES:
            await _pass_over(receive, more)
            raise _too_large()
        chunks.append(chunk)
    return chunks[0] if len(chunks) == 1 else b"".join(chunks)


async def _chunk(receive: Receive) -> tuple[bytes, bool]:
    message = await receive()
    if message["type"] == "http.disconnect":
        raise ClientGone
    return message.get("body", b""), message.get("more_body", False)


async def _pass_over(receive: Receive, more: bool = True) -> None:
    """Read on for a moment and keep nothing: a connection closed over an unread body is reset, and its client would
    never hear why."""
    passed = 0
    with contextlib.suppress(ClientGone, TimeoutError):
        async with asyncio.timeout(PASSING_OVER_SECONDS):
            while more and passed < PASSED_OVER_BYTES:
                chunk, more = await _chunk(receive)
                passed += len(chunk)


def _refuse_other_media(scope: Scope) -> None:
    if any(coding.strip().lower() != b"identity" for coding in header(scope, b"content-encoding")):
        raise Problem(Reason.UNSUPPORTED_MEDIA_TYPE, "Compressed bodies are not taken: send the JSON as it is.")
    given = header(scope, b"content-type")
    if len(given) != 1 or given[0].partition(b";")[0].strip().lower() != JSON_TYPE:
        raise Problem(Reason.UNSUPPORTED_MEDIA_TYPE, "The body must be JSON: send Content-Type: application/json.")


def _too_large() -> Problem:
    return Problem(Reason.CONTENT_TOO_LARGE, f"The body is larger than {bounds.BODY_BYTES:,} bytes.")


def _twice(name: str) -> Problem:
    return Problem(Reason.BAD_REQUEST, f"The field {name[:64]} is given twice: a field comes from one place.")
