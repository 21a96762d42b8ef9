"""A client of HTTP v1: as little of one as there can be, since it shares the machine with the server."""

import asyncio
import json
import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, Self

from bench.questions import ANSWER, NAME
from bench.studio import ORG
from sayso.core.values import Json

_LENGTH = re.compile(rb"content-length: (\d+)", re.IGNORECASE)
_PLAYBOOKS = f"/v1/orgs/{ORG}/playbooks"

Told = tuple[int, dict[str, Any]]


class Client:
    """One connection, kept alive; one request at a time."""

    def __init__(self, port: int, key: str) -> None:
        self._port = port
        self._head = f"host: 127.0.0.1\r\nauthorization: Bearer {key}\r\ncontent-type: application/json\r\n"

    async def __aenter__(self) -> Self:
        self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self._port)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._writer.close()

    async def ask(self, playbook: str, given: Json, run_id: str | None = None) -> Told:
        """Start a run."""
        fields = {"input": given} if run_id is None else {"input": given, "run_id": run_id}
        return await self.send("POST", f"{_PLAYBOOKS}/{playbook}/definitions/interaction/{NAME}/run", fields)

    async def answer(self, playbook: str, run_id: str) -> Told:
        """Answer a run's request."""
        return await self.send("POST", f"{_PLAYBOOKS}/{playbook}/runs/{run_id}/answer", {"answer": ANSWER})

    async def run(self, playbook: str, run_id: str) -> Told:
        """A run as it stands."""
        return await self.send("GET", f"{_PLAYBOOKS}/{playbook}/runs/{run_id}")

    async def inbox(self, playbook: str) -> Told:
        """The first page of what waits."""
        return await self.send("GET", f"{_PLAYBOOKS}/{playbook}/interactions?limit=50")

    async def send(self, method: str, path: str, fields: Json = None) -> Told:
        """The status and the JSON of any request."""
        body = b"" if fields is None else json.dumps(fields).encode()
        head = f"{method} {path} HTTP/1.1\r\n{self._head}content-length: {len(body)}\r\n\r\n"
        self._writer.write(head.encode() + body)
        told = await self._reader.readuntil(b"\r\n\r\n")
        length = _LENGTH.search(told)
        assert length is not None, told
        return int(told[9:12]), json.loads(await self._reader.readexactly(int(length[1])))


@asynccontextmanager
async def clients(port: int, key: str, count: int) -> AsyncIterator[list[Client]]:
    """So many connections to a server."""
    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(Client(port, key)) for _ in range(count)]
