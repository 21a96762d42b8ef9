"""A store on PostgreSQL whose January is over."""

import asyncio
import contextlib
import itertools
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from sayso.app.access import OPERATOR
from sayso.app.rebuild import Rebuild
from sayso.app.runtime import App
from sayso.app.units.writer import Writer
from sayso.compose import running
from sayso.core.machines.machine import Machines
from sayso.core.values import Json
from sayso.ports import Store
from sayso.settings import Settings
from sayso.store.postgres.connection import Address, part
from sayso.store.postgres.dropping import Dropped
from sayso.store.postgres.months import drop_month
from sayso.store.postgres.partitions import ensure_months
from sayso.store.postgres.schema import prepare
from sayso.store.postgres.store import open_postgres
from tests.app.world import TurnedClock, World
from tests.postgres.servers import PostgresServer

DAY = 86_400_000_000
JANUARY = datetime(2027, 1, 1, tzinfo=UTC)

QUESTION = """---
to: the owner of the gate
expires: P30D
input: { schema: { type: object } }
output: { schema: { type: string, enum: ["yes", "no"] } }
---
A lorry stands at the gate. May it come in?
"""

# What must never be found: a head without its last event, though it has some.
HEADS_ALONE = """
select count(*) from heads h where seq > 0 and not exists (
  select from events e where e.shard = h.shard and e.stream = h.stream and e.seq = h.seq)
"""
EVENTS_ALONE = "select count(*) from events e where not exists (select from heads h where h.stream = e.stream)"


def at(month: int, day: int, hour: int = 12) -> int:
    """A time of 2027 in microseconds."""
    return int(datetime(2027, month, day, hour, tzinfo=UTC).timestamp()) * 1_000_000


# What was asked on the last of January for thirty days still waits on the first of March.
LONG_AGO, LATELY, NOW = at(1, 15), at(1, 31, 20), at(3, 1)


_copies = itertools.count(1)


@dataclass
class Stage:
    """A database of a server, with a clock that tests turn."""

    server: PostgresServer
    url: str
    clock: TurnedClock = field(default_factory=lambda: TurnedClock(LONG_AGO))

    @classmethod
    async def set(cls, server: PostgresServer) -> "Stage":
        """An empty store with tables for January and the months after it."""
        stage = cls(server, server.fresh())
        session = await Address(stage.url).connect()
        await prepare(session, "the stage", None)
        await ensure_months(session, LONG_AGO)
        await part(session)
        return stage

    @property
    def name(self) -> str:
        """The database's."""
        return self.url.rpartition("/")[2]

    def copied(self) -> "Stage":
        """Another stage that is the same, while nobody is at this one."""
        return Stage(self.server, self.server.create(f"{self.name}_{next(_copies)}", like=self.name), self.clock)

    def sql(self, statement: str) -> list[list[str]]:
        """What a statement gives, as text."""
        return self.server.sql(statement, self.name)

    def number(self, statement: str) -> int:
        """The one number that a statement gives."""
        return int(self.sql(statement)[0][0])

    async def drop(self, **how: Any) -> Dropped:
        """Drop January, now."""
        return await drop_month(self.url, False, JANUARY, now=NOW, rests=0, **how)

    def check_whole(self) -> None:
        """Hold that no head is without its events, nor events without a head, and that nothing lies about."""
        assert self.number(HEADS_ALONE) == 0
        assert self.number(EVENTS_ALONE) == 0
        assert self.number("select count(*) from pg_class where relname ~ '_(kept|dropped)$'") == 0

    @contextlib.asynccontextmanager
    async def desk(self) -> AsyncIterator["Desk"]:
        """Somebody who uses a running app."""
        async with running(Settings(database=self.url), clock=self.clock, work=False) as app:
            yield Desk(app)

    @contextlib.asynccontextmanager
    async def world(self, machines: Machines) -> AsyncIterator[World]:
        """A writer whose machines are the test's own."""
        store = await open_postgres(self.url, clock=self.clock)
        writer = Writer(store, machines)
        writing = asyncio.create_task(writer.run())
        try:
            yield World(store=store, writer=writer, clock=self.clock)
        finally:
            writer.stop()
            await writing
            await store.close()


@dataclass
class Desk:
    """The app's operations, in the playbook ``default`` of an org."""

    app: App

    async def do(self, operation: str, **fields: Json) -> dict[str, Json]:
        allowed = self.app.operations.allow(OPERATOR, operation, org="acme", playbook="default")
        return await self.app.operations.perform(allowed, fields)

    async def save(self) -> None:
        await self.do("create_definition", type="interaction", name="let-in", source=QUESTION)

    async def ask(self) -> str:
        """The id of a run that waits."""
        run_id: str = (await self.do("run_definition", type="interaction", name="let-in", input={}))["run_id"]
        return run_id

    async def answer(self, run_id: str) -> dict[str, Json]:
        return await self.do("answer_interaction", run_id=run_id, answer="yes")

    async def check_rebuilt(self, machines: Machines) -> None:
        """Hold that every head is what its events say."""
        await rebuilt(self.app.store, self.app.writer, machines)


async def rebuilt(store: Store, writer: Writer, machines: Machines) -> None:
    """Hold that every head that is a fold is what its events say."""
    pages = [page async for page in Rebuild(store, writer, machines, check=True).run()]
    assert sum(page.looked for page in pages) > 0
    assert [page for page in pages if page.changed or page.damaged or page.recounted] == []
