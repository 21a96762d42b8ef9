"""Readings, answers, cancels, expiries and children's endings in any order and any company, held against a slow
reference that counts everything anew from events and rows."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from sayso.app.units.bell import Bell
from sayso.app.units.worker import Worker
from sayso.core.commands import Answer, Cancel, Command, Look, Post
from sayso.core.events import RequestAnswered, RunRejected, RunSucceeded
from sayso.core.heads import Birth, Head, Outcome, Status, StreamKind
from sayso.core.rows import Cell, recorded
from sayso.errors import Kind, Problem
from tests.app.machines import MACHINES, ours
from tests.app.machines.agent import Question
from tests.app.machines.conversation import ANSWERS, Join, Read, Reply
from tests.app.machines.workflow import Open
from tests.app.world import HOUR, ORG, PLAYBOOK, World, asking, world
from tests.stores import SHARD

CANCEL = Cancel(kind=Kind.REQUESTED, reason="Not needed.")
ACTIONS = ("ask", "join", "read", "answer", "cancel", "open", "question", "stop", "look", "post")
# What is done, and to which of the streams that it can be done to.
actions = st.tuples(st.sampled_from(ACTIONS), st.integers(0, 7), st.integers(0, 7))
batches = st.lists(
    st.one_of(st.lists(actions, min_size=1, max_size=8), st.sampled_from(["time", "sweep"])), max_size=14
)


@dataclass
class Play:
    """What was done, and what its doers were told."""

    here: World
    flow: bytes = b""
    agent: bytes = b""
    conversation: bytes = b""
    requests: list[bytes] = field(default_factory=list)
    joined: set[bytes] = field(default_factory=set)
    answered: dict[bytes, str] = field(default_factory=dict)
    posts: list[int] = field(default_factory=list)
    calls: int = 0

    async def begin(self) -> None:
        self.flow = (await self.here.born(StreamKind.WORKFLOW)).stream
        self.agent = (await self.here.born(StreamKind.AGENT)).stream
        self.conversation = (await self.here.born(StreamKind.CONVERSATION, key=bytes(32))).stream
        self.requests.append((await self.here.ask()).stream)
        self.worker = Worker(self.here.store, self.here.writer, Bell(), interval_ms=1_000)

    async def do(self, batch: Any) -> None:
        if batch == "time":
            self.here.clock.at += HOUR // 3
        elif batch == "sweep":
            self.here.clock.at += 1
            await self.worker.sweep()
        else:
            await asyncio.gather(*(self._act(*action) for action in batch))

    async def _act(self, name: str, one: int, other: int) -> None:
        act: Callable[[int, int], Awaitable[None]] = getattr(self, f"_{name}")
        try:
            await act(one, other)
        except Problem:
            return

    def _request(self, n: int) -> bytes:
        return self.requests[-1 - n % len(self.requests)]

    async def _order(self, stream: bytes, command: Command, *streams: bytes) -> Head:
        return (await self.here.submit(self.here.order(command, stream=stream), streams=streams)).done[0].head

    async def _ask(self, one: int, other: int) -> None:
        self.requests.append((await self.here.ask(parent=[None, self.flow, self.agent][one % 3])).stream)

    async def _join(self, one: int, other: int) -> None:
        request = self._request(one)
        birth = Birth(kind=StreamKind.CONVERSATION, org=ORG, playbook=PLAYBOOK, key=bytes(32))
        self.joined.add(request)
        joining = ours(Join(sent_id=request.hex(), request=request))
        await self.here.submit(self.here.order(joining, birth=birth), streams=(request,))

    async def _read(self, one: int, other: int) -> None:
        replies = tuple(
            Reply(id=f"{n}", request=self._request(n), words=["yes", "no", "perhaps"][n % 3]) for n in (one, other)
        )
        await self._order(self.conversation, ours(Read(replies=replies)), *{*self.joined, *self.requests[-8:]})

    async def _answer(self, one: int, other: int) -> None:
        words = ["yes", "no"][other % 2]
        answer = Answer(answer=words, answer_sha256=ANSWERS[words], answer_bytes=5, checked_version=1)
        request = self._request(one)
        await self._order(request, answer)
        assert self.answered.setdefault(request, words) == words

    async def _cancel(self, one: int, other: int) -> None:
        await self._order(self._request(one), CANCEL)

    async def _open(self, one: int, other: int) -> None:
        self.calls += 1
        child = self.here.mint.stream(SHARD)
        await self._order(self.flow, ours(Open(calls={f"{self.calls - one % 2}": (child, asking())})))
        await self._keep(child)

    async def _question(self, one: int, other: int) -> None:
        self.calls += 1
        child = self.here.mint.stream(SHARD)
        question = Question(call=f"{self.calls - one % 2}", child=child, asked=asking(open_limit=other + 1))
        await self._order(self.agent, ours(question))
        await self._keep(child)

    async def _keep(self, child: bytes) -> None:
        if await self.here.store.query("head", shard=SHARD, playbook=PLAYBOOK, stream=child):
            self.requests.append(child)

    async def _stop(self, one: int, other: int) -> None:
        if one == other:
            await self._order(self.flow, CANCEL, *self.requests[:one])

    async def _look(self, one: int, other: int) -> None:
        streams = (self.flow, self.agent, self.conversation, self._request(other))
        await self._order(streams[one % 4], Look())

    async def _post(self, one: int, other: int) -> None:
        self.calls += 1
        post = Post(source=self.flow, kind="event", version=1, body=self.calls, body_bytes=1)
        await self._order(self.flow, post)
        self.posts.append(post.body)


async def check(play: Play) -> None:
    """The slow reference."""
    loaded = await play.here.loaded(play.flow, play.agent, play.conversation, *play.requests)
    heads = {head.stream: head for head in loaded.heads}
    opened = await play.here.store.query("open_count", shard=SHARD, playbook=PLAYBOOK)
    assert opened[0]["open"] == sum(head.open for head in heads.values())
    children = Counter(head.parent for head in heads.values() if head.outcome is None)
    for parent in (play.flow, play.agent):
        assert heads[parent].open_children == children[parent]
    assert (heads[play.agent].status is Status.WAITING) is (children[play.agent] > 0)
    await _check_endings(play, heads)
    await _check_members(play, heads)
    _check_inboxes(play, heads, loaded)


async def _check_endings(play: Play, heads: dict[bytes, Head]) -> None:
    for request in play.requests:
        rows = await play.here.store.query("events_since", shard=SHARD, stream=request, from_seq=1)
        events = [recorded(request, row).event for row in rows]
        answers = [event.answer for event in events if isinstance(event, RequestAnswered)]
        endings = [event for event in events if isinstance(event, RunSucceeded | RunRejected)]
        assert len(answers) == (heads[request].outcome is Outcome.SUCCEEDED)
        assert len(endings) == (heads[request].outcome is not None)
        assert play.answered.get(request, *answers or [""]) == (answers or [""])[0]


async def _check_members(play: Play, heads: dict[bytes, Head]) -> None:
    """Who waits in the conversation is who joined it while open and has not ended."""
    first: dict[str, Cell] = {"after_at": 0, "after_id": "", "after_stream": bytes(16)}
    rows = await play.here.store.query(
        "open_members", shard=SHARD, conversation=play.conversation, limit=1_000, **first
    )
    assert {row["stream"] for row in rows} == {one for one in play.joined if heads[one].outcome is None}


def _check_inboxes(play: Play, heads: dict[bytes, Head], loaded: Any) -> None:
    """All that was to be heard was heard once, or lies there once."""
    for parent, machine in (
        (play.flow, MACHINES.kept[StreamKind.WORKFLOW]),
        (play.agent, MACHINES.kept[StreamKind.AGENT]),
    ):
        kept = loaded.states[parent]
        state = machine.read(kept.format, kept.state)
        waits = [row for row in loaded.inbox.get(parent, ()) if row.body["heard"] == "child_ended"]
        heard = Counter(row.from_stream.hex() for row in waits) + Counter(state.heard)
        ended = {head.stream.hex() for head in heads.values() if head.parent == parent and head.outcome is not None}
        assert set(heard.values()) <= {1}
        assert heard.keys() == ended if heads[parent].outcome is None else heard.keys() <= ended
        if parent == play.flow:
            left = [row.body["body"] for row in loaded.inbox.get(parent, ()) if row.body["heard"] == "posted"]
            assert Counter([*state.posts, *left]) == Counter(play.posts)


async def _play(script: list[Any]) -> None:
    async with world(MACHINES) as here:
        play = Play(here=here)
        await play.begin()
        for batch in script:
            await play.do(batch)
            await check(play)
        here.clock.at += 2 * HOUR
        for _ in range(4):
            await play.do("sweep")
        await check(play)
        loaded = await here.loaded(play.flow, play.agent, play.conversation)
        assert loaded.inbox == {}
        assert None not in [(await here.head(request)).outcome for request in play.requests]


@settings(max_examples=min(50, settings().max_examples))
@given(script=batches)
def test_whatever_comes_together_nothing_is_lost_or_taken_twice(script: list[Any]) -> None:
    asyncio.run(_play(script))
