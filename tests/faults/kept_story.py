"""The story of a kept machine: a gate opens two children, hears how they end, and takes what it heard.

No machine that this release runs is kept, so this one is the tests' own: through it the statements on states and
inboxes are run, and killed, like all others.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sayso.app.mint import Mint
from sayso.app.units.unit import Done, Order, Unit
from sayso.app.units.writer import Writer
from sayso.compose import SystemEntropy
from sayso.core import rows
from sayso.core.commands import Answer, Cancel, Command, Look
from sayso.core.heads import Birth, Head, StreamKind
from sayso.core.machines.machine import Machines
from sayso.core.machines.request import RequestMachine
from sayso.errors import Kind, Problem
from sayso.ports import Wanted
from sayso.store import SqliteStore, open_store
from tests.app.gate import GateMachine
from tests.app.world import CALLER, ORG, PLAYBOOK, START, TurnedClock, asking
from tests.faults.journal import Told
from tests.faults.points import Points

MACHINES = Machines(folded={StreamKind.REQUEST: RequestMachine()}, kept={StreamKind.WORKFLOW: GateMachine()})
GATE, ONE, OTHER = (bytes([n]) * 16 for n in (1, 2, 3))
ANSWER = Answer(answer="yes", answer_sha256="bb" * 32, answer_bytes=5, checked_version=1)
CANCEL = Cancel(kind=Kind.REQUESTED, reason="Not needed.")

# A step's command, and the stream that it is for by the run id that this was born with.
STEPS: dict[str, tuple[Command, bytes]] = {
    "make a gate": (Look(), GATE),
    "open a child": (asking(), ONE),
    "open another": (asking(), OTHER),
    "answer one": (ANSWER, ONE),
    "hear of it": (Look(), GATE),
    "cancel the other": (CANCEL, OTHER),
    "hear of that": (Look(), GATE),
}
BIRTHS = ("make a gate", "open a child", "open another")


class KeptStory:
    """Told through the writer."""

    steps = tuple(STEPS)
    machines = MACHINES

    @contextlib.asynccontextmanager
    async def staged(self, store: Path, points: Points, step: str | None) -> AsyncIterator["KeptStage"]:
        clock = TurnedClock(START)
        opened = open_store(store, faults=points, clock=clock)
        writer = Writer(opened, MACHINES)
        writing = asyncio.create_task(writer.run())
        try:
            yield KeptStage(store=opened, writer=writer, mint=Mint(clock, SystemEntropy()))
        finally:
            writer.stop()
            await writing
            await opened.close()


@dataclass(kw_only=True)
class KeptStage:
    """A writer whose machines are the request's and the gate's."""

    store: SqliteStore
    writer: Writer
    mint: Mint

    async def perform(self, step: str, *, again: bool) -> Told:
        """See Stage."""
        command, name = STEPS[step]
        try:
            done = await self._submitted(command, name, born=step in BIRTHS)
        except Problem as problem:
            assert again, f"{step}: {problem!r}"
            assert isinstance(command, Cancel)
            return {}
        return {"version": done.head.version}

    async def _submitted(self, command: Command, name: bytes, *, born: bool) -> Done:
        if born:
            parent = None if name == GATE else (await self._head(GATE)).stream
            kind = StreamKind.REQUEST if parent else StreamKind.WORKFLOW
            birth = Birth(kind=kind, org=ORG, playbook=PLAYBOOK, run_id=name, parent=parent)
            order = Order(stream=self.mint.stream(0), command=command, by=CALLER, birth=birth)
        else:
            order = Order(stream=(await self._head(name)).stream, command=command, by=CALLER)
        result = await self.writer.submit(Unit(shard=0, playbook=PLAYBOOK, orders=(order,)))
        return result.done[0]

    async def _head(self, name: bytes) -> Head:
        return rows.head((await self.store.query("head_of_run", shard=0, playbook=PLAYBOOK, run_id=name))[0])

    async def check(self, step: str, told: Told) -> None:
        """See Stage."""
        assert (await self._head(STEPS[step][1])).version >= told["version"]

    async def portrait(self) -> Any:
        """See Stage. How often a gate was looked at is no fact about it, so versions are left out."""
        heads = [await self._head(name) for name in (GATE, ONE, OTHER)]
        async with self.store.transaction(0) as transaction:
            loaded = await transaction.load(Wanted(streams=frozenset(head.stream for head in heads)))
        names = {head.stream.hex(): head.run_id.hex() for head in heads if head.run_id}
        gate = loaded.states[heads[0].stream].state
        return {
            "heard": [names[child] for child in gate["heard"]],
            "waits": {names[stream.hex()]: len(waiting) for stream, waiting in loaded.inbox.items()},
            "streams": [(head.seq, head.outcome, head.due_at, head.open_children) for head in heads],
        }
