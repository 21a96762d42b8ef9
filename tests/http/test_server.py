"""The server in front of the door: it rests while nobody asks, and ends as soon as it is told to."""

import asyncio
import socket

import pytest
from starlette.responses import Response

from sayso.http.server import Server, http_server

# Less than the second after which a server that rests would look by itself.
AT_ONCE_S = 0.5


@pytest.mark.anyio
async def test_a_server_that_rests_ends_as_soon_as_it_is_told_to() -> None:
    closed = asyncio.Event()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = http_server(Response(), closed.set)
        serving = asyncio.create_task(server.serve(sockets=[listener]))
        while not server.started:
            await asyncio.sleep(0)
        server.stop()
        await asyncio.wait_for(serving, AT_ONCE_S)
    assert closed.is_set()


def test_a_server_whose_loop_is_gone_may_be_told_to_stop() -> None:
    async def made() -> Server:
        return http_server(Response(), lambda: None)

    asyncio.run(made()).stop()
