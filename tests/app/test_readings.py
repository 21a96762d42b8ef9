"""Conversations and their members: a reading is one unit, and whoever ends leaves in the unit that ends it."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from sayso.app.units.queue import Lane
from sayso.core.commands import Answer, Cancel, Command, Order
from sayso.core.heads import Birth, Head, Outcome, StreamKind
from sayso.core.machines.machine import Given, Machines, Step
from sayso.errors import Kind
from tests.app.machines import MACHINES, ours
from tests.app.machines.conversation import GAP, Conversation, ConversationMachine, Join, Read, Reply, Tell
from tests.app.world import HOUR, ORG, PLAYBOOK, START, World, world
from tests.stores import SHARD

pytestmark = pytest.mark.anyio
KEY = bytes(range(32))
ANSWER = Answer(answer="yes", answer_sha256="bb" * 32, answer_bytes=5, checked_version=1)
CANCEL = Cancel(kind=Kind.REQUESTED, reason="Not needed.")


@pytest.fixture
async def here() -> AsyncIterator[World]:
    async with world(MACHINES) as made:
        yield made


async def join(here: World, request: bytes, sent_id: str, *first: Command) -> Head:
    """A request joins the conversation with the key, which is made if need be; ``first`` happens to it before."""
    birth = Birth(kind=StreamKind.CONVERSATION, org=ORG, playbook=PLAYBOOK, key=KEY)
    joining = here.order(ours(Join(sent_id=sent_id, request=request)), birth=birth)
    orders = [here.order(command, stream=request) for command in first]
    return (await here.submit(*orders, joining, streams=(request,))).done[-1].head


async def joined(here: World, count: int) -> tuple[bytes, list[bytes]]:
    """A conversation, and requests that wait in it."""
    requests = [(await here.ask()).stream for _ in range(count)]
    heads = [await join(here, request, f"m{n}") for n, request in enumerate(requests)]
    return heads[0].stream, requests


async def members(here: World, conversation: bytes, limit: int = 100) -> list[str]:
    """The messages of those that wait, read a page at a time."""
    found: list[str] = []
    at, sent_id, stream = 0, "", bytes(16)
    while rows := await here.store.query(
        "open_members",
        shard=SHARD,
        conversation=conversation,
        after_at=at,
        after_id=sent_id,
        after_stream=stream,
        limit=limit,
    ):
        found += [row["sent_id"] for row in rows]
        at, sent_id, stream = (rows[-1][name] for name in ("asked_at", "sent_id", "stream"))
    return found


async def read(here: World, conversation: bytes, requests: list[bytes], *replies: Reply) -> Head:
    reading = here.order(ours(Read(replies=replies)), stream=conversation)
    return (await here.submit(reading, streams=tuple(requests))).done[0].head


def reply(n: int, request: bytes, words: str = "yes") -> Reply:
    return Reply(id=f"r{n}", request=request, words=words)


async def state(here: World, conversation: bytes) -> tuple[str, tuple[str, ...]]:
    """Its cursor, and what it found refused, once it has heard of all."""
    done = (await here.submit(here.order(ours(Tell(sent_id="t", request=conversation)), stream=conversation))).done[0]
    return done.state.cursor, done.state.refused


async def test_requests_with_one_key_share_a_conversation(here: World) -> None:
    requests = [(await here.ask()).stream for _ in range(3)]
    heads = await asyncio.gather(*(join(here, request, f"m{n}") for n, request in enumerate(requests)))
    assert len({head.stream for head in heads}) == 1
    assert await members(here, heads[0].stream) == ["m0", "m1", "m2"]


async def test_members_are_read_by_the_page_and_those_that_left_are_passed_over(here: World) -> None:
    conversation, requests = await joined(here, 7)
    await here.submit(*(here.order(CANCEL, stream=request) for request in requests[1:4]))
    assert await members(here, conversation, limit=2) == ["m0", "m4", "m5", "m6"]


async def test_a_telling_is_a_member_that_does_not_wait(here: World) -> None:
    conversation, requests = await joined(here, 1)
    await here.submit(here.order(ours(Tell(sent_id="t0", request=requests[0])), stream=conversation))
    assert await members(here, conversation) == ["m0"]


async def test_who_ends_leaves_and_the_conversation_stays_as_it_is(here: World) -> None:
    conversation, requests = await joined(here, 2)
    before = await here.head(conversation)
    await here.submit(here.order(ANSWER, stream=requests[0]))
    assert await members(here, conversation) == ["m1"]
    assert await here.head(conversation) == before


async def test_who_joins_and_ends_in_one_batch_has_left(here: World) -> None:
    request = (await here.ask()).stream
    joining, _ = await asyncio.gather(join(here, request, "m0"), here.submit(here.order(ANSWER, stream=request)))
    assert await members(here, joining.stream) == []


async def test_who_ends_in_the_unit_that_joins_it_has_left(here: World) -> None:
    request = (await here.ask()).stream
    assert await members(here, (await join(here, request, "m0", ANSWER)).stream) == []


async def test_who_ends_in_the_unit_that_makes_its_conversation_has_left(here: World) -> None:
    request = (await here.ask()).stream
    birth = Birth(kind=StreamKind.CONVERSATION, org=ORG, playbook=PLAYBOOK, key=KEY)
    joining = here.order(ours(Join(sent_id="m0", request=request)), birth=birth)
    result = await here.submit(joining, here.order(ANSWER, stream=request), streams=(request,))
    assert await members(here, result.done[0].head.stream) == []


async def test_who_had_ended_does_not_join(here: World) -> None:
    request = (await here.ask()).stream
    await here.submit(here.order(ANSWER, stream=request))
    assert await members(here, (await join(here, request, "m0")).stream) == []


async def test_a_reading_answers_one_refuses_another_and_expires_a_third_in_one_unit(here: World) -> None:
    third = (await here.ask()).stream
    here.clock.at = START + HOUR // 2
    conversation, (one, other) = await joined(here, 2)
    await join(here, third, "m2")
    here.clock.at = START + HOUR
    head = await read(here, conversation, [one, other, third], reply(0, one), reply(1, other, "perhaps"))
    outcomes = [(await here.head(request)).outcome for request in (one, other, third)]
    assert outcomes == [Outcome.SUCCEEDED, None, Outcome.REJECTED]
    assert (await members(here, conversation), head.due_at) == (["m1"], START + HOUR + GAP)
    assert await state(here, conversation) == ("r1", ("r1",))


async def test_of_two_replies_to_one_request_the_first_counts_and_the_reading_stands(here: World) -> None:
    conversation, (one, other) = await joined(here, 2)
    head = await read(here, conversation, [one, other], reply(0, one), reply(1, one, "no"), reply(2, other))
    assert head.due_at == START
    assert [(await here.head(request)).outcome for request in (one, other)] == [Outcome.SUCCEEDED] * 2
    assert await state(here, conversation) == ("r2", (one.hex(),))


async def test_a_reading_sees_what_was_answered_just_before_it_in_its_batch(here: World) -> None:
    conversation, (one, other) = await joined(here, 2)
    answering = here.submit(here.order(ANSWER, stream=one))
    await asyncio.gather(answering, read(here, conversation, [one, other], reply(0, one, "no"), reply(1, other)))
    assert await state(here, conversation) == ("r1", ())


async def test_what_is_open_is_judged_when_the_unit_begins(here: World) -> None:
    """An order of the same unit that comes before it changes nothing of what a reading sees."""
    conversation, (one,) = await joined(here, 1)
    reading = here.order(ours(Read(replies=(reply(0, one),))), stream=conversation)
    await here.submit(here.order(CANCEL, stream=one), reading, streams=(one,))
    assert await state(here, conversation) == ("r0", (one.hex(),))


class Reckless(ConversationMachine):
    """A machine with a fault: it orders a stream that its unit does not name."""

    def step(self, state: Conversation | None, command: object, given: Given) -> Step[Conversation]:
        step = super().step(state, command, given)
        stray = Order(stream=bytes(16), command=CANCEL, by=given.by)
        return replace(step, orders=(*step.orders, stray)) if step.orders else step


async def test_a_reading_that_breaks_after_its_first_orders_changes_nothing() -> None:
    async with world(Machines(folded=MACHINES.folded, kept={StreamKind.CONVERSATION: Reckless()})) as here:
        conversation, (one,) = await joined(here, 1)
        before = [await here.head(stream) for stream in (conversation, one)]
        with pytest.raises(AssertionError, match="what its unit names"):
            await read(here, conversation, [one], reply(0, one))
        assert [await here.head(stream) for stream in (conversation, one)] == before


async def test_an_order_to_what_is_not_there_is_heard_of_as_refused() -> None:
    async with world(Machines(folded=MACHINES.folded, kept={StreamKind.CONVERSATION: Reckless()})) as here:
        conversation, (one,) = await joined(here, 1)
        await read(here, conversation, [one, bytes(16)], reply(0, one))
        assert await state(here, conversation) == ("r0", (bytes(16).hex(),))


async def test_an_empty_reading_is_lazy_and_writes_no_event(here: World) -> None:
    conversation, (one,) = await joined(here, 1)
    here.clock.at += GAP
    before = await here.head(conversation)
    reading = here.order(ours(Read()), stream=conversation)
    head = (await here.submit(reading, streams=(one,), lane=Lane.LAZY)).done[0].head
    assert (head.seq, head.version, head.due_at) == (before.seq, before.version + 1, START + 2 * GAP)
    assert (await here.loaded(conversation)).states[conversation].state["read_at"] == head.due_at
