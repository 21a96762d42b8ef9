"""Requests over a real socket: bytes that are HTTP, and bytes that are not quite."""

import asyncio
import re
from collections.abc import Iterator
from random import Random
from time import perf_counter

from tests.fuzz import judge, texts
from tests.fuzz.known import Place
from tests.fuzz.requests import Request, Response

_STATUS = re.compile(rb"HTTP/1\.1 ([0-9]{3}) [^\r\n]*\r\n")
# What the server says by itself, before the door: of bytes that are no HTTP, and of a head without end.
_NO_HTTP = (b"Invalid HTTP request received.", b"The head of the request is too large.")

HEADS: tuple[bytes, ...] = (
    b"GET / HTTP/0.9\r\n\r\n",
    b"GET /health\r\n\r\n",
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    b"GET http://evil.example/health HTTP/1.1\r\nhost: localhost\r\n\r\n",
    b"OPTIONS * HTTP/1.1\r\nhost: localhost\r\n\r\n",
    b"CONNECT localhost:80 HTTP/1.1\r\nhost: localhost\r\n\r\n",
    b"GET /\xff\xfe HTTP/1.1\r\nhost: localhost\r\n\r\n",
    b"GET /v1/orgs/\xc3\xa9/playbooks HTTP/1.1\r\nhost: localhost\r\n\r\n",
    b"GET / HTTP/1.1\nhost: localhost\n\n",
    b"GET / HTTP/1.1\r\nhost : localhost\r\n\r\n",
    b"GET / HTTP/1.1\r\nhost: localhost\r\n folded: x\r\n\r\n",
    b"GET / HTTP/1.1\r\n" + b"x: " + b"a" * 100_000 + b"\r\n\r\n",
    b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\nhost: localhost\r\n\r\n",
    b"GET / HTTP/1.1\r\n" + b"a: b\r\n" * 5_000 + b"host: localhost\r\n\r\n",
    b"POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
    b"POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\nabcdef",
    b"POST / HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\nzz\r\nabc\r\n0\r\n\r\n",
    b"POST / HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\nffffffffffffffff1\r\nabc",
    b"\r\n\r\n\r\nGET / HTTP/1.1\r\nhost: localhost\r\n\r\n",
    b"\x00" * 100,
    b"",
)


def raw(chance: Random, request: Request) -> bytes:
    """The request as it goes over the wire; one in five is hurt on its way, or is something else."""
    pick = chance.random()
    if pick < 0.05:
        return chance.choice(HEADS)
    body = request.body
    headers = [header for header in request.headers if header[0] != b"content-length" or not body]
    if body and chance.random() < 0.3:
        headers.append((b"transfer-encoding", b"chunked"))
        body = b"%x\r\n%b\r\n0\r\n\r\n" % (len(body), body)
    elif body:
        headers.append((b"content-length", b"%d" % len(body)))
    lines = b"".join(b"%b: %b\r\n" % header for header in (*headers, (b"connection", b"close")))
    whole = b"%b %b HTTP/1.1\r\n%b\r\n%b" % (request.method.encode(), request.target, lines, body)
    if pick > 0.15:
        return whole
    at = chance.randint(0, min(len(whole), 300))
    return whole[:at] + chance.choice(texts.BYTES) + whole[at + chance.randint(0, 3) :]


async def ask(port: int, sent: bytes) -> Response | None:
    """What came back until the server closed; None when that was nothing."""
    begun = perf_counter()
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        async with asyncio.timeout(30):
            writer.write(sent)
            writer.write_eof()
            told = await reader.read()
    except ConnectionError:
        return None
    finally:
        writer.close()
    return _parsed(told, perf_counter() - begun)


def _parsed(told: bytes, seconds: float) -> Response | None:
    told = told.removeprefix(b"HTTP/1.1 100 Continue\r\n\r\n")
    status = _STATUS.match(told)
    if status is None:
        assert told == b"", f"the server said {told[:200]!r}"
        return None
    head, _, body = told.partition(b"\r\n\r\n")
    pairs = [line.partition(b": ") for line in head.split(b"\r\n")[1:]]
    headers = tuple((name.lower(), value) for name, _, value in pairs)
    return Response(status=int(status[1]), headers=headers, body=body, seconds=seconds)


def faults(sent: bytes, response: Response, secrets: frozenset[bytes]) -> Iterator[str]:
    """What is wrong with what came back: the server's own word for what is no HTTP aside."""
    if response.status == 400 and response.body in _NO_HTTP:
        return
    if not response.header(b"x-request-id"):
        yield f"status {response.status} {response.body[:100]!r}, and not from the application"
        return
    method = sent.lstrip(b"\r\n").partition(b" ")[0].decode(errors="replace")
    request = Request(operation="", place=Place("", ""), method=method, path=sent)
    yield from judge.faults(request, response, secrets)
