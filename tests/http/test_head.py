"""The head of a request is bounded, whoever sends it: no key is needed to send one."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from sayso.compose import http_app
from sayso.core import bounds
from sayso.settings import Settings
from tests.listening import listening
from tests.stores import running

pytestmark = pytest.mark.anyio


@pytest.fixture
async def port() -> AsyncIterator[int]:
    settings = Settings(local=True)
    async with running(settings, work=False) as app, listening(http_app(app, settings)) as number:
        yield number


async def replied(port: int, *pieces: bytes) -> bytes:
    """What comes back until the server closes or goes quiet after a whole reply."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        for piece in pieces:
            writer.write(piece)
            await writer.drain()
        async with asyncio.timeout(10):
            return await reader.read(65_536)
    except ConnectionError:
        return b"closed"
    finally:
        writer.close()


async def test_a_head_within_its_bound_is_read(port: int) -> None:
    long = b"x" * (bounds.HEAD_BYTES - 1_000)
    got = await replied(port, b"GET /health HTTP/1.1\r\nhost: localhost\r\nx: " + long + b"\r\n\r\n")
    assert got.startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize("start", [b"GET /health HTTP/1.1\r\nx: ", b"GET /"])
async def test_a_head_without_end_is_refused(port: int, start: bytes) -> None:
    got = await replied(port, start, *[b"a" * 65_536] * 64)
    assert got.startswith(b"HTTP/1.1 400") or got == b"closed"


@pytest.mark.parametrize("size", [1_000, 60_000, 65_536, 70_000, 200_000, 300_000, 1_000_000])
@pytest.mark.parametrize("pieces", [1, 3])
async def test_a_large_body_is_no_large_head(port: int, size: int, pieces: int) -> None:
    body = b'{"a": "' + b"x" * size + b'"}'
    head = b"POST /v1/orgs/o/playbooks HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
    whole = head + b"content-length: %d\r\n\r\n" % len(body) + body
    step = len(whole) // pieces + 1
    got = await replied(port, *(whole[at : at + step] for at in range(0, len(whole), step)))
    assert got.startswith(b"HTTP/1.1 422")
    assert b"too large" not in got


async def test_request_after_request_on_one_connection_is_read(port: int) -> None:
    body = b'{"a": "' + b"x" * 70_000 + b'"}'
    head = b"POST /v1/orgs/o/playbooks HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
    whole = head + b"content-length: %d\r\n\r\n" % len(body) + body
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    async with asyncio.timeout(10):
        for _ in range(5):
            writer.write(whole)
            told = await reader.readuntil(b"\r\n\r\n")
            (length,) = (line for line in told.split(b"\r\n") if line.startswith(b"content-length"))
            await reader.readexactly(int(length.split(b":")[1]))
            assert told.startswith(b"HTTP/1.1 422")
    writer.close()
