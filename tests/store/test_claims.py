"""What is due is found once, by one, the longest due first."""

import asyncio
from dataclasses import replace

import pytest

from sayso.ports import Due
from tests.store.conftest import Stored
from tests.store.examples import NOW, answered, asked, merged, stream

pytestmark = pytest.mark.anyio


async def claim(stored: Stored, now: int, limit: int = 10) -> list[int]:
    """When what this claim got was due."""
    stored.clock.at = now
    return [due.due_at for due in await stored.store.claim(stored.shard, limit)]


async def test_the_longest_due_comes_first_and_what_is_not_due_does_not_come(stored: Stored) -> None:
    await stored.write(merged(*(asked(n, shard=stored.shard, due_at=due) for n, due in enumerate((30, 10, 20, 99)))))
    stored.clock.at = 30
    found = await stored.store.claim(stored.shard, 2)
    assert found[0] == Due(shard=stored.shard, stream=stream(1, stored.shard), playbook=1, due_at=10)
    assert [due.due_at for due in found] == [10, 20]
    assert await claim(stored, 30) == [30]
    assert await claim(stored, 99) == [99]


async def test_what_is_held_hides_nothing_and_comes_again_when_given_back(stored: Stored) -> None:
    await stored.write(merged(*(asked(n, shard=stored.shard, due_at=n) for n in range(1, 8))))
    stored.clock.at = 9
    found = [await stored.store.claim(stored.shard, 3) for _ in range(4)]
    assert [[due.due_at for due in some] for some in found] == [[1, 2, 3], [4, 5, 6], [7], []]
    await stored.store.release(stored.shard, [found[1][1], found[0][1]])
    assert await claim(stored, 9) == [2, 5]


async def test_the_next_due_time_is_that_of_the_first_that_nobody_holds(stored: Stored) -> None:
    assert await stored.store.next_due(stored.shard) is None
    await stored.write(merged(*(asked(n, shard=stored.shard, due_at=n * 10) for n in (1, 2))))
    assert await stored.store.next_due(stored.shard) == 10
    await claim(stored, 10)
    assert await stored.store.next_due(stored.shard) == 20


async def test_what_has_ended_is_due_no_more(stored: Stored) -> None:
    batch = asked(1, shard=stored.shard, due_at=5)
    await stored.write(batch)
    await stored.write(answered(replace(batch.heads[0].head)))
    assert await claim(stored, NOW) == []


async def test_claims_of_several_threads_never_meet(stored: Stored) -> None:
    await stored.write(merged(*(asked(n, shard=stored.shard, due_at=n) for n in range(300))))

    def work() -> list[int]:
        async def all_of_it() -> list[int]:
            got: list[int] = []
            while batch := await claim(stored, NOW, 7):
                got += batch
            return got

        return asyncio.run(all_of_it())

    found = await asyncio.gather(*(asyncio.to_thread(work) for _ in range(4)))
    assert sorted(due for got in found for due in got) == list(range(300))


async def test_shards_hold_their_claims_apart(stored: Stored) -> None:
    await stored.write(asked(1, shard=stored.shard, due_at=5))
    stored.clock.at = NOW
    assert not await stored.store.claim((stored.shard + 1) % 4, 10)
    assert await claim(stored, NOW) == [5]
