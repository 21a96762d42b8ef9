"""The head of a request is bounded, whoever sends it: no key is needed to send one."""

import asyncio
from collections.abc import AsyncIterator

import pytest
import uvicorn

from sayso.compose import http_app, running
from sayso.core import bounds
from sayso.http.head import BoundedHead
from sayso.settings import Settings
from tests.http.listening import listening

pytestmark = pytest.mark.anyio


@pytest.fixture
async def port() -> AsyncIterator[int]:
    settings = Settings(local=True)
    async with running(settings, work=False) as app:
        config = uvicorn.Config(http_app(app, settings), http=BoundedHead, ws="none", lifespan="off", log_config=None)
        async with listening(config) as number:
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


async def test_a_large_body_is_no_large_head(port: int) -> None:
    body = b'{"a": "' + b"x" * 500_000 + b'"}'
    head = b"POST /v1/orgs/o/playbooks HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
    got = await replied(port, head + b"content-length: %d\r\n\r\n" % len(body) + body)
    assert got.startswith(b"HTTP/1.1 422")
