"""What belongs together stays together: parents, children, conversations, whatever kind their machines are of."""

import pytest

from sayso.core.commands import Answer, Cancel, Look
from sayso.core.heads import Birth, Head, Outcome, StreamKind
from sayso.errors import Kind
from sayso.store.postgres.connection import Address, part
from tests.app.machines import MACHINES, ours
from tests.app.machines.conversation import Join, Read, Reply
from tests.app.machines.single import Note
from tests.app.machines.workflow import Open
from tests.app.world import ORG, PLAYBOOK, World, asking
from tests.months.stage import DAY, LATELY, LONG_AGO, NOW, Stage, rebuilt

pytestmark = pytest.mark.anyio

ANSWER = Answer(answer="yes", answer_sha256="bb" * 32, answer_bytes=5, checked_version=1)
CANCEL = Cancel(kind=Kind.REQUESTED, reason="Not needed.")


async def flow(world: World) -> Head:
    """A workflow that has opened one child, and heard how it ended."""
    parent = await world.born(StreamKind.WORKFLOW)
    child = await opened(world, parent)
    await world.submit(world.order(ANSWER, stream=child))
    return (await world.submit(world.order(Look(), stream=parent.stream))).done[0].head


async def opened(world: World, parent: Head) -> bytes:
    """One more child of a workflow."""
    child = world.mint.stream(0)
    await world.submit(world.order(ours(Open(calls={child.hex(): (child, asking())})), stream=parent.stream))
    return child


async def cancelled(world: World) -> Head:
    """A workflow that has ended, with its child."""
    return (await world.submit(world.order(CANCEL, stream=(await flow(world)).stream))).done[0].head


async def children(stage: Stage, parent: Head) -> int:
    return stage.number(f"select count(*) from heads where parent = '{parent.stream.hex()}'")


async def test_a_family_that_ended_long_ago_goes_whole(stage: Stage) -> None:
    async with stage.world(MACHINES) as world:
        await cancelled(world)
        assert (await stage.drop()).gone == 2
    assert [stage.number(f"select count(*) from {name}") for name in ("heads", "events", "states", "inbox")] == [0] * 4
    stage.check_whole()


async def test_the_children_of_an_open_parent_stay(stage: Stage) -> None:
    async with stage.world(MACHINES) as world:
        parent = await flow(world)
        assert (await stage.drop()).gone == 0
        await opened(world, parent)
        loaded = await world.loaded(parent.stream)
        assert len(loaded.states[parent.stream].state["ended"]) == 1
    assert await children(stage, parent) == 2
    stage.check_whole()


async def test_whatever_is_above_an_open_child_stays(stage: Stage) -> None:
    """It was opened in a later month, by a parent of a parent."""
    async with stage.world(MACHINES) as world:
        top = await world.born(StreamKind.WORKFLOW)
        middle = world.mint.stream(0)
        await world.submit(world.order(ours(Open(calls={"middle": (middle, Look())})), stream=top.stream))
        stage.clock.at = LATELY + 20 * DAY
        child = world.mint.stream(0)
        await world.submit(world.order(ours(Open(calls={"child": (child, asking())})), stream=middle))
        # As if they had ended while it was open.
        stage.sql(f"update heads set outcome = 1, ended_at = {LONG_AGO} where kind = 4")
        assert (await stage.drop()).gone == 0
        ended = await world.submit(world.order(ANSWER, stream=child))
        assert ended.done[0].head.outcome is Outcome.SUCCEEDED
    stage.check_whole()


async def join(world: World, sent_id: str) -> tuple[bytes, bytes]:
    """A new request in the playbook's one conversation: both."""
    request = (await world.ask()).stream
    birth = Birth(kind=StreamKind.CONVERSATION, org=ORG, playbook=PLAYBOOK, key=bytes(32))
    joining = world.order(ours(Join(sent_id=sent_id, request=request)), birth=birth)
    return (await world.submit(joining, streams=(request,))).done[0].head.stream, request


async def test_a_conversation_and_what_was_published_last(stage: Stage) -> None:
    async with stage.world(MACHINES) as world:
        await world.born(StreamKind.PUBLISH, ours(Note(word="shipped")))
        _, gone = await join(world, "m1")
        await world.submit(world.order(ANSWER, stream=gone))
        stage.clock.at = LATELY
        talk, waits = await join(world, "m2")
        stage.clock.at = NOW
        assert (await stage.drop()).gone == 1
        _, asked = await join(world, "m3")
        read = ours(Read(replies=(Reply(id="r1", request=asked, words="yes"),)))
        await world.submit(world.order(read, stream=talk), streams=(waits, asked))
        outcomes = {head.stream: head.outcome for head in (await world.loaded(waits, asked)).heads}
        assert outcomes[waits] is Outcome.REJECTED  # it had expired, and the reading said so
        assert outcomes[asked] is Outcome.SUCCEEDED
        await rebuilt(world.store, world.writer, MACHINES)
    assert stage.sql("select sent_id from members order by sent_id") == [["m2"], ["m3"]]
    assert stage.number("select count(*) from heads where kind in (3, 8)") == 2
    stage.check_whole()


async def test_what_is_in_somebodys_hands_stays_for_this_time(stage: Stage) -> None:
    async with stage.world(MACHINES) as world:
        await cancelled(world)
    holder = await Address(stage.url).connect()
    async with holder.transaction():
        await holder.execute("select 1 from heads where kind = 4 for update")
        assert (await stage.drop()).gone == 1
    await part(holder)
    assert (await stage.drop()).gone == 1
    stage.check_whole()
