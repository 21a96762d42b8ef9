"""Status: what waits, what is late, what fails; and counts that stop where looking would cost more."""

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest

from sayso.app import status
from sayso.app.status import Status
from sayso.core.heads import StreamKind
from sayso.core.instants import iso
from sayso.core.machines import MACHINES
from sayso.ports import Batch
from tests.app.world import HOUR, START, World, world
from tests.store.examples import asked, kept, merged
from tests.stores import SHARD, SHARDS

pytestmark = pytest.mark.anyio


@pytest.fixture
async def small() -> AsyncIterator[World]:
    async with world(MACHINES) as found:
        yield found


def of(count: int, *, more: bool = False) -> dict[str, Any]:
    return {"count": count, "more": more}


async def wrote(small: World, *batches: Batch) -> None:
    async with small.store.transaction(SHARD) as transaction:
        await transaction.write(merged(*batches))


def changed(batch: Batch, **changes: Any) -> Batch:
    """A batch whose one head stands otherwise."""
    (write,) = batch.heads
    batch.heads = [replace(write, head=replace(write.head, **changes))]
    return batch


async def test_an_empty_store_has_nothing_to_say(small: World) -> None:
    said = await Status(small.store).read()
    assert (said["at"], said["shards"]) == (iso(START), SHARDS)
    assert said["schema_version"] > 0
    assert said["bytes"] > 0
    assert (said["events"], said["open_requests"], said["next_due_at"], said["due_lag_seconds"]) == (0, 0, None, 0)
    counts = [value for value in said.values() if isinstance(value, dict)]
    assert counts == [of(0)] * 7


async def test_requests_are_counted_by_when_they_expire(small: World) -> None:
    await small.ask()
    await wrote(
        small,
        asked(1, shard=SHARD, playbook=2, due_at=START + HOUR + 1),
        asked(2, shard=SHARD, playbook=2, due_at=START + 25 * HOUR),
    )
    said = await Status(small.store).read()
    assert (said["playbooks"], said["events"], said["open_requests"]) == (2, 6, 3)
    assert (said["expiring_in_an_hour"], said["expiring_in_a_day"]) == (of(1), of(2))
    assert (said["next_due_at"], said["due_lag_seconds"]) == (iso(START + HOUR), 0)


async def test_what_nobody_looked_at_in_time_is_late(small: World) -> None:
    await small.ask()
    small.clock.at += HOUR + 90_000_000
    said = await Status(small.store).read()
    assert (said["due_lag_seconds"], said["overdue"]) == (90, of(1))


async def test_a_request_that_is_due_before_it_expires_is_not_delivered(small: World) -> None:
    await wrote(small, changed(asked(1, shard=SHARD, due_at=START + HOUR), due_at=START + 1))
    said = await Status(small.store).read()
    assert (said["undelivered"], said["expiring_in_an_hour"]) == (of(1), of(1))


async def test_what_failed_when_it_was_looked_at_is_told_by_kind(small: World) -> None:
    conversation = kept(1, StreamKind.CONVERSATION, shard=SHARD, key=b"c" * 32)
    await wrote(
        small,
        changed(conversation, fails=1),
        changed(asked(2, shard=SHARD), fails=2),
        changed(asked(3, shard=SHARD), fails=1),
        asked(4, shard=SHARD),
    )
    said = await Status(small.store).read()
    assert (said["failing_conversations"], said["failing_streams"]) == (of(1), of(2))


async def test_a_count_stops_at_its_limit_and_says_so(small: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(status, "COUNTED", 2)
    await wrote(small, *(changed(asked(n, shard=SHARD, due_at=START + HOUR), fails=1) for n in range(3)))
    said = await Status(small.store).read()
    assert said["open_requests"] == 3
    assert said["expiring_in_an_hour"] == said["failing_streams"] == of(2, more=True)
    assert said["failing_conversations"] == of(0, more=True)
    assert said["overdue"] == of(0)
