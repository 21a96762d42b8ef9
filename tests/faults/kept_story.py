"""The story of kept machines: a workflow opens children and hears how they end, requests share a conversation and are
answered by a reading, an agent asks, and what somebody published waits in an inbox.

No machine that this release runs is kept, so these are the tests' own: through them the statements on states, inboxes
and members are run, and killed, like all others.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sayso.app.units.unit import Order, Unit
from sayso.app.units.writer import Writer
from sayso.core.commands import Answer, Cancel, Look, Post
from sayso.core.heads import Birth, StreamKind
from sayso.errors import Kind, Problem
from sayso.ports import Loaded, Store, Wanted
from tests import stores
from tests.app.machines import MACHINES, ours
from tests.app.machines.agent import Question
from tests.app.machines.conversation import Join, Read, Reply, Tell
from tests.app.machines.single import Note
from tests.app.machines.workflow import Open
from tests.app.world import CALLER, ORG, PLAYBOOK, START, TurnedClock, asking
from tests.faults.journal import Told
from tests.faults.points import Points

ANSWER = Answer(answer="yes", answer_sha256="bb" * 32, answer_bytes=5, checked_version=1)
CANCEL = Cancel(kind=Kind.REQUESTED, reason="Not needed.")
# Streams by the ids that the story gives them: whoever sends a step again sends the same ones.
FLOW, AGENT, TALK, EXECUTED, ONE, OTHER, THIRD, ASKED = (n.to_bytes(13, "big") + bytes(3) for n in range(1, 9))
NAMES = ("flow", "agent", "talk", "published", "one", "other", "third", "asked")
STREAMS = dict(zip((FLOW, AGENT, TALK, EXECUTED, ONE, OTHER, THIRD, ASKED), NAMES, strict=True))


def order(stream: bytes, command: object, kind: StreamKind | None = None) -> Order:
    """An order, to a stream that is born by it if a kind is given; by its own id as run id, so that it is found."""
    key = bytes(32) if kind is StreamKind.CONVERSATION else None
    birth = Birth(kind=kind, org=ORG, playbook=PLAYBOOK, run_id=None if key else stream, key=key) if kind else None
    return Order(stream=stream, command=ours(command), by=CALLER, birth=birth)


def joins(request: bytes) -> Sequence[Order]:
    return [order(TALK, Join(sent_id=STREAMS[request], request=request), StreamKind.CONVERSATION)]


READ = Read(replies=(Reply(id="r1", request=ONE, words="yes"), Reply(id="r2", request=ONE, words="no")))
CALLS = Open(calls={"one": (ONE, asking()), "other": (OTHER, asking())})

# The orders of a step, and the streams that they see beside their own.
STEPS: dict[str, tuple[Sequence[Order], Sequence[bytes]]] = {
    "make a workflow": ([order(FLOW, Look(), StreamKind.WORKFLOW)], []),
    "open two children": ([order(FLOW, CALLS)], []),
    "one joins a conversation": (joins(ONE), [ONE]),
    "the other joins it": (joins(OTHER), [OTHER]),
    "a telling is sent": ([order(TALK, Tell(sent_id="telling", request=ONE))], []),
    "read for replies": ([order(TALK, READ)], [ONE, OTHER]),
    "hear of the refusal": ([order(TALK, Look())], []),
    "hear of the answer": ([order(FLOW, Look())], []),
    "publish": (
        [
            order(EXECUTED, Note(word="shipped"), StreamKind.EXECUTION),
            order(FLOW, Post(source=EXECUTED, kind="event", version=1, body="shipped", body_bytes=9)),
        ],
        [],
    ),
    "make an agent": ([order(AGENT, Look(), StreamKind.AGENT)], []),
    "the agent asks": ([order(AGENT, Question(call="a", child=ASKED, asked=asking()))], []),
    "answer the agent": ([order(ASKED, ANSWER)], []),
    "the agent hears of it": ([order(AGENT, Look())], []),
    "cancel the workflow": ([order(FLOW, CANCEL)], [OTHER]),
    "hear of the other's end": ([order(FLOW, Look())], []),
}


class KeptStory:
    """Told through the writer."""

    steps = tuple(STEPS)
    machines = MACHINES
    until = START

    @contextlib.asynccontextmanager
    async def staged(self, store: Path, points: Points, step: str | None) -> AsyncIterator["KeptStage"]:
        opened = await stores.opened(store, faults=points, clock=TurnedClock(START))
        writer = Writer(opened, MACHINES)
        writing = asyncio.create_task(writer.run())
        try:
            yield KeptStage(store=opened, writer=writer)
        finally:
            writer.stop()
            await writing
            await opened.close()


@dataclass(kw_only=True)
class KeptStage:
    """A writer whose machines are the tests' own."""

    store: Store
    writer: Writer

    async def perform(self, step: str, *, again: bool) -> Told:
        """See Stage."""
        orders, streams = STEPS[step]
        unit = Unit(shard=0, playbook=PLAYBOOK, orders=tuple(orders), streams=tuple(streams))
        try:
            result = await self.writer.submit(unit)
        except Problem as problem:
            assert again, f"{step}: {problem!r}"
            assert step == "cancel the workflow"
            return {}
        return {"versions": [done.head.version for done in result.done]}

    async def check(self, step: str, told: Told) -> None:
        """See Stage."""
        heads = {head.stream: head for head in (await self._loaded()).heads}
        for one, version in zip(STEPS[step][0], told.get("versions", ()), strict=False):
            assert heads[one.stream].version >= version

    async def _loaded(self) -> Loaded:
        async with self.store.transaction(0) as transaction:
            return await transaction.load(Wanted(streams=frozenset(STREAMS)))

    async def portrait(self) -> Any:
        """See Stage. How often a stream was looked at is no fact about it, so versions are left out."""
        loaded = await self._loaded()
        return {
            STREAMS[head.stream]: {
                "head": (head.seq, head.status, head.outcome, head.due_at, head.open_children),
                "state": loaded.states[head.stream].state if head.stream in loaded.states else None,
                "waits": len(loaded.inbox.get(head.stream, ())),
            }
            for head in loaded.heads
        }
