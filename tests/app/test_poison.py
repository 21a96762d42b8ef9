"""Poison: a kept stream whose state cannot be read fails alone, is logged and backed off, and all others go on."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from sayso.app.units.bell import Bell
from sayso.app.units.worker import Worker
from sayso.core.commands import Answer, Look, Post
from sayso.core.heads import Outcome, StreamKind
from tests.app.machines import MACHINES
from tests.app.world import START, World, world
from tests.beside import spoil

pytestmark = pytest.mark.anyio
ANSWER = Answer(answer="yes", answer_sha256="bb" * 32, answer_bytes=5, checked_version=1)
UNKNOWN_FORMAT = "update states set format = 9 where stream = ?"
NO_STATE = "delete from states where stream = ?"
UNHEARD = """update inbox set body = '{"heard":"sung","v":1}' where stream = ?"""


@pytest.fixture
async def here() -> AsyncIterator[World]:
    async with world(MACHINES) as made:
        yield made


def posted(flow: bytes) -> Post:
    return Post(source=flow, kind="event", version=1, body=1, body_bytes=1)


@pytest.mark.parametrize(
    ("statement", "words"), [(UNKNOWN_FORMAT, "no format 9"), (NO_STATE, "no state"), (UNHEARD, "hears")]
)
async def test_it_fails_alone_in_its_batch(here: World, statement: str, words: str) -> None:
    poison, sound = [(await here.born(StreamKind.WORKFLOW)).stream for _ in range(2)]
    child = await here.ask(parent=poison)
    for flow in (poison, sound):
        await here.submit(here.order(posted(flow), stream=flow))
    await spoil(here.store, statement, poison)
    looks = (here.submit(here.order(Look(), stream=flow)) for flow in (poison, sound))
    answering = here.submit(here.order(ANSWER, stream=child.stream))
    broken, looked, _ = await asyncio.gather(*looks, answering, return_exceptions=True)
    assert words in str(broken)
    assert not isinstance(looked, BaseException)
    assert looked.done[0].state.posts == (1,)
    assert (await here.head(child.stream)).outcome is Outcome.SUCCEEDED


async def test_the_worker_logs_it_and_backs_off(here: World, caplog: pytest.LogCaptureFixture) -> None:
    poison, sound = [(await here.born(StreamKind.WORKFLOW)).stream for _ in range(2)]
    for flow in (poison, sound):
        await here.submit(here.order(posted(flow), stream=flow))
    await spoil(here.store, UNKNOWN_FORMAT, poison)
    here.clock.at = START + 1
    worker = Worker(here.store, here.writer, Bell(), interval_ms=1_000)
    assert [await worker.sweep(), await worker.sweep()] == [2, 0]
    assert f"stream {poison.hex()} could not be looked at" in caplog.text
    assert [(await here.head(flow)).due_at is None for flow in (poison, sound)] == [False, True]


async def test_what_reaches_it_meanwhile_waits_until_it_can_be_read(here: World) -> None:
    flow = (await here.born(StreamKind.WORKFLOW)).stream
    await spoil(here.store, UNKNOWN_FORMAT, flow)
    await here.submit(here.order(posted(flow), stream=flow))
    await spoil(here.store, "update states set format = 1 where stream = ?", flow)
    assert (await here.submit(here.order(Look(), stream=flow))).done[0].state.posts == (1,)
