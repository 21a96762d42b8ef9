"""A small world for the app's tests: an empty store, a clock that tests turn, and the writer on the test's loop."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

from sayso.app.mint import Mint
from sayso.app.units.queue import Lane
from sayso.app.units.unit import Order, Result, Unit
from sayso.app.units.writer import Writer
from sayso.core.commands import Ask, Command, Look, Question
from sayso.core.events import RunStarted
from sayso.core.heads import Birth, Head, StreamKind
from sayso.core.machines.machine import Machines
from sayso.core.rows import head
from sayso.ports import Loaded, Store, Wanted
from tests import stores
from tests.stores import SHARD

ORG = PLAYBOOK = CALLER = 1
START = 1_800_000_000_000_000
HOUR = 3_600_000_000


@dataclass
class TurnedClock:
    """A clock that stands until a test turns it."""

    at: int = START

    def now(self) -> int:
        return self.at


@dataclass
class Counted:
    """Chance that repeats: each number is one more than the last."""

    last: int = 0

    def bits(self, count: int) -> int:
        self.last += 1
        return self.last % (1 << count)


@dataclass
class World:
    """The parts that a test of units needs."""

    store: Store
    writer: Writer
    clock: TurnedClock
    mint: Mint = field(init=False)

    def __post_init__(self) -> None:
        self.mint = Mint(self.clock, Counted())

    def order(self, command: Command, *, stream: bytes | None = None, birth: Birth | None = None) -> Order:
        return Order(stream=stream or self.mint.stream(SHARD), command=command, by=CALLER, birth=birth)

    async def submit(self, *orders: Order, streams: tuple[bytes, ...] = (), lane: Lane = Lane.CALLER) -> Result:
        return await self.writer.submit(Unit(shard=SHARD, playbook=PLAYBOOK, orders=orders, streams=streams), lane)

    async def ask(self, *, parent: bytes | None = None, run_id: bytes | None = None, **changes: int) -> Head:
        """A request that waits for an hour."""
        birth = Birth(kind=StreamKind.REQUEST, org=ORG, playbook=PLAYBOOK, parent=parent, run_id=run_id)
        result = await self.submit(self.order(asking(**changes), birth=birth))
        return result.done[0].head

    async def born(self, kind: StreamKind, command: Command | None = None, key: bytes | None = None) -> Head:
        """A stream of another kind, born by a command: a look, unless another one is given."""
        birth = Birth(kind=kind, org=ORG, playbook=PLAYBOOK, key=key)
        return (await self.submit(self.order(command or Look(), birth=birth))).done[0].head

    async def loaded(self, *streams: bytes) -> Loaded:
        """Streams as a unit would have them now."""
        async with self.store.transaction(SHARD) as transaction:
            return await transaction.load(Wanted(streams=frozenset(streams)))

    async def head(self, stream: bytes) -> Head:
        rows = await self.store.query("head", shard=SHARD, playbook=PLAYBOOK, stream=stream)
        return head(rows[0])


def asking(*, open_limit: int = 100, input_bytes: int = 2) -> Ask:
    started = RunStarted(
        type="interaction",
        name="approve-spend",
        definition="0199a3c4-7d2e-7c1a-9b3f-000000000000",
        version=1,
        input_sha256="aa" * 32,
        input_bytes=input_bytes,
        input={},
    )
    question = Question(
        to="the treasurer", answerer=None, message="Pay it?", message_bytes=7, takes_answer=True, expires_ms=3_600_000
    )
    return Ask(started=started, question=question, open_limit=open_limit)


@contextlib.asynccontextmanager
async def world(machines: Machines, clock: TurnedClock | None = None) -> AsyncIterator[World]:
    clock = clock or TurnedClock()
    with stores.lending():
        store = await stores.opened(clock=clock)
        writer = Writer(store, machines)
        writing = asyncio.create_task(writer.run())
        try:
            yield World(store=store, writer=writer, clock=clock)
        finally:
            writer.stop()
            await writing
            await store.close()
