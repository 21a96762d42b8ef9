"""Units: all of one or nothing of it, and what a batch decides in turn."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from sayso.core.commands import Answer, Cancel
from sayso.core.heads import Birth, Outcome, StreamKind
from sayso.core.machines import MACHINES
from sayso.errors import Kind, Problem, Reason
from tests.app.world import HOUR, ORG, PLAYBOOK, START, TurnedClock, World, asking, world
from tests.stores import SHARD

pytestmark = pytest.mark.anyio

ANSWER = Answer(answer="yes", answer_sha256="bb" * 32, answer_bytes=5, checked_version=1)
CANCEL = Cancel(kind=Kind.REQUESTED, reason="Not needed.")


@pytest.fixture
async def here() -> AsyncIterator[World]:
    async with world(MACHINES) as made:
        yield made


async def test_a_unit_of_two_streams_stands_or_falls_as_one(here: World) -> None:
    one, other = await here.ask(), await here.ask()
    await here.submit(here.order(CANCEL, stream=other.stream))
    with pytest.raises(Problem):
        await here.submit(here.order(ANSWER, stream=one.stream), here.order(ANSWER, stream=other.stream))
    assert await here.head(one.stream) == one


async def test_a_unit_of_two_streams_writes_both(here: World) -> None:
    one, other = await here.ask(), await here.ask()
    await here.submit(here.order(ANSWER, stream=one.stream), here.order(CANCEL, stream=other.stream))
    assert (await here.head(one.stream)).outcome is Outcome.SUCCEEDED
    assert (await here.head(other.stream)).outcome is Outcome.REJECTED


async def test_an_order_to_a_stream_that_is_not_there_is_not_found(here: World) -> None:
    with pytest.raises(Problem) as refused:
        await here.submit(here.order(ANSWER, stream=here.mint.stream(SHARD)))
    assert refused.value.reason is Reason.NOT_FOUND


async def test_the_same_run_id_means_the_same_stream(here: World) -> None:
    first = await here.ask(run_id=bytes(16))
    assert await here.ask(run_id=bytes(16)) == first


async def test_two_starts_of_one_run_id_in_one_batch_are_one_run(here: World) -> None:
    birth = Birth(kind=StreamKind.REQUEST, org=ORG, playbook=PLAYBOOK, run_id=bytes(16))
    result = await here.submit(here.order(asking(), birth=birth), here.order(asking(), birth=birth))
    one, other = result.done
    assert one.head == other.head
    assert other.recorded == ()


async def test_an_answer_at_the_expiry_is_refused_and_the_expiry_recorded(here: World) -> None:
    request = await here.ask()
    here.clock.at = START + HOUR
    with pytest.raises(Problem) as refused:
        await here.submit(here.order(ANSWER, stream=request.stream))
    head = await here.head(request.stream)
    assert (refused.value.kind, head.outcome, head.ended_at) == (Kind.EXPIRED, Outcome.REJECTED, START + HOUR)


async def test_time_never_runs_back_within_a_stream() -> None:
    clock = TurnedClock()
    async with world(MACHINES, clock) as here:
        request = await here.ask()
    clock.at = START - HOUR
    async with world(MACHINES, clock) as here:
        request = await here.ask()
        clock.at -= HOUR
        await here.submit(here.order(CANCEL, stream=request.stream))
        assert (await here.head(request.stream)).ended_at == START - HOUR


async def test_the_playbooks_open_requests_are_counted(here: World) -> None:
    requests = [await here.ask() for _ in range(3)]
    await here.submit(here.order(ANSWER, stream=requests[0].stream))
    rows = await here.store.query("open_count", shard=SHARD, playbook=PLAYBOOK)
    assert rows[0]["open"] == 2


async def test_a_batch_counts_its_own_requests_against_the_limit(here: World) -> None:
    birth = Birth(kind=StreamKind.REQUEST, org=ORG, playbook=PLAYBOOK)
    orders = [here.order(asking(open_limit=1), birth=birth) for _ in range(2)]
    results = await asyncio.gather(*(here.submit(order) for order in orders))
    assert [result.done[0].head.outcome for result in results] == [None, Outcome.REJECTED]


async def test_a_unit_counts_its_own_requests_against_the_limit(here: World) -> None:
    birth = Birth(kind=StreamKind.REQUEST, org=ORG, playbook=PLAYBOOK)
    result = await here.submit(*(here.order(asking(open_limit=2), birth=birth) for _ in range(3)))
    assert [done.head.outcome for done in result.done] == [None, None, Outcome.REJECTED]


async def test_requests_with_several_limits_stand_in_one_batch(here: World) -> None:
    """Each was within its own when it was counted, and that is all that a limit says."""
    birth = Birth(kind=StreamKind.REQUEST, org=ORG, playbook=PLAYBOOK)
    orders = [here.order(asking(open_limit=limit), birth=birth) for limit in (1, 5, 1)]
    results = await asyncio.gather(*(here.submit(order) for order in orders))
    assert [result.done[0].head.outcome for result in results] == [None, None, Outcome.REJECTED]
