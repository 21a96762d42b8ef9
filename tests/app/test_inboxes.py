"""Inboxes: what others leave for a kept stream waits there, is bounded, and is taken by its next step, once."""

from collections.abc import AsyncIterator

import pytest

from sayso.core import bounds
from sayso.core.commands import Cancel, Look, Order, Post
from sayso.core.heads import Birth, StreamKind
from sayso.core.machines import inbox
from sayso.core.values import Json
from sayso.errors import Kind, Problem, Reason
from tests.app.machines import MACHINES, ours
from tests.app.machines.single import Note
from tests.app.world import ORG, PLAYBOOK, START, World, world
from tests.stores import SHARD

pytestmark = pytest.mark.anyio


@pytest.fixture
async def here() -> AsyncIterator[World]:
    async with world(MACHINES) as made:
        yield made


def post(here: World, stream: bytes, body: Json = None, *, size: int = 4, source: bytes = bytes(16)) -> Order:
    sent = Post(source=source, kind="event", version=1, body=body, body_bytes=size)
    return here.order(sent, stream=stream)


async def test_what_somebody_published_waits_for_the_next_step(here: World) -> None:
    flow = (await here.born(StreamKind.WORKFLOW)).stream
    birth = Birth(kind=StreamKind.PUBLISH, org=ORG, playbook=PLAYBOOK)
    published = here.order(ours(Note(word="shipped")), birth=birth)
    await here.submit(published, post(here, flow, {"of": "a"}, source=published.stream))
    loaded = await here.loaded(flow)
    assert (loaded.heads[0].due_at, loaded.states[flow].state["posts"]) == (START, [])
    assert [(row.from_stream, row.body["body"]) for row in loaded.inbox[flow]] == [(published.stream, {"of": "a"})]
    done = (await here.submit(here.order(Look(), stream=flow))).done[0]
    assert (done.state.posts, (await here.loaded(flow)).inbox) == (({"of": "a"},), {})


async def test_a_stream_of_a_single_writer_folds_from_its_last_word(here: World) -> None:
    head = await here.born(StreamKind.EXECUTION, ours(Note(word="one")))
    for word in ("two", "two", "three"):
        await here.submit(here.order(ours(Note(word=word)), stream=head.stream))
    assert [one.seq for one in (await here.loaded(head.stream)).events[head.stream]] == [3]


async def test_what_is_left_is_heard_in_its_order(here: World) -> None:
    flow = (await here.born(StreamKind.WORKFLOW)).stream
    for n in range(3):
        await here.submit(post(here, flow, n))
    assert [row.body["body"] for row in (await here.loaded(flow)).inbox[flow]] == [0, 1, 2]


async def test_a_body_has_a_bound(here: World) -> None:
    flow = (await here.born(StreamKind.WORKFLOW)).stream
    with pytest.raises(Problem) as refused:
        await here.submit(post(here, flow, size=bounds.POSTED_BYTES + 1))
    assert refused.value.reason is Reason.CONTENT_TOO_LARGE


@pytest.mark.parametrize(("size", "fit"), [(1, 64), (bounds.POSTED_BYTES, 4)])
async def test_an_inbox_has_a_bound_and_whoever_finds_it_full_may_come_again(here: World, size: int, fit: int) -> None:
    flow = (await here.born(StreamKind.WORKFLOW)).stream
    for _ in range(fit):
        await here.submit(post(here, flow, size=size))
    with pytest.raises(Problem) as refused:
        await here.submit(post(here, flow, size=size))
    assert (refused.value.reason, refused.value.retry_after) == (Reason.UNAVAILABLE, 5)
    await here.submit(here.order(Look(), stream=flow), post(here, flow, size=size))


async def test_endings_take_no_room(here: World) -> None:
    flow = (await here.born(StreamKind.WORKFLOW)).stream
    for _ in range(64):
        await here.submit(post(here, flow))
    child = await here.ask(parent=flow)
    await here.submit(here.order(Cancel(kind=Kind.REQUESTED, reason=""), stream=child.stream))
    assert len((await here.loaded(flow)).inbox[flow]) == 65


async def test_nothing_is_left_for_what_has_ended_or_was_never_there(here: World) -> None:
    flow = (await here.born(StreamKind.WORKFLOW)).stream
    await here.submit(here.order(Cancel(kind=Kind.REQUESTED, reason=""), stream=flow))
    with pytest.raises(Problem, match="has ended"):
        await here.submit(post(here, flow))
    with pytest.raises(Problem, match="no such run"):
        await here.submit(post(here, here.mint.stream(SHARD)))


async def test_a_stream_that_keeps_no_state_hears_nothing(here: World) -> None:
    request = await here.ask()
    with pytest.raises(TypeError, match="keeps no state"):
        await here.submit(post(here, request.stream))


@pytest.mark.parametrize("body", [{"heard": "posted", "v": 2}, {"heard": "sung", "v": 1}, [], None])
def test_what_no_release_left_in_an_inbox_is_not_heard(body: Json) -> None:
    with pytest.raises(ValueError, match="no machine of this release"):
        inbox.from_body(bytes(16), body)


async def test_a_birth_needs_a_step(here: World) -> None:
    birth = Birth(kind=StreamKind.WORKFLOW, org=ORG, playbook=PLAYBOOK, run_id=bytes(16))
    sent = Post(source=bytes(16), kind="event", version=1, body=None, body_bytes=4)
    with pytest.raises(Problem) as refused:
        await here.submit(here.order(sent, birth=birth))
    assert refused.value.reason is Reason.NOT_FOUND
