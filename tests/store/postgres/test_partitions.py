"""Events are in partitions by month, made ahead; whatever has none is in the default one, and lacks nothing."""

import asyncio
import logging
from datetime import UTC, datetime
from uuid import UUID

import pytest

from sayso.core.ids import stream_id
from sayso.store.postgres import watch
from sayso.store.postgres.connection import Address, Session, part
from sayso.store.postgres.partitions import AHEAD, ensure_months, first_stream, month_of
from tests.postgres.servers import PostgresServer
from tests.store.examples import NOW, asked, stream
from tests.store.postgres.conftest import Open, until

pytestmark = pytest.mark.anyio


@pytest.fixture
def url(postgres15: PostgresServer) -> str:
    """The address of a database without tables."""
    return postgres15.fresh()


YEAR = 365 * 86_400_000_000
_PARTITIONS = "select inhrelid::regclass::text from pg_inherits where inhparent = 'events'::regclass order by 1"
_WHERE = "select tableoid::regclass::text from events where stream = $1 limit 1"


async def partitions(session: Session) -> list[str]:
    return [row[0] for row in await session.fetch(_PARTITIONS)]


def test_a_month_begins_with_its_first_stream() -> None:
    december = month_of(1_797_000_000_000_000)
    assert december == datetime(2026, 12, 1, tzinfo=UTC)
    assert month_of(1_797_000_000_000_000, 1) == datetime(2027, 1, 1, tzinfo=UTC)
    first = int(december.timestamp()) * 1_000_000
    assert stream_id(first - 1, 255, 2**60) < first_stream(december).bytes < stream_id(first, 0, 0)


async def test_this_month_and_the_next_ones_have_partitions_when_a_store_is_opened(
    opened: Open, session: Session
) -> None:
    store = await opened()
    now = await store.now()
    expected = {f"events_{month_of(now, later):%Y_%m}" for later in range(AHEAD + 1)}
    assert set(await partitions(session)) == expected | {"events_default"}


async def test_partitions_are_made_once_though_several_make_them(opened: Open, session: Session, url: str) -> None:
    await opened()
    sessions = [await Address(url).connect() for _ in range(4)]
    await asyncio.gather(*(ensure_months(each, NOW + YEAR) for each in sessions))
    await ensure_months(session, NOW + YEAR)
    assert {"events_2026_06", "events_2026_07", "events_2026_08", "events_2026_09"} <= set(await partitions(session))
    for each in sessions:
        await part(each)


async def test_an_event_is_in_the_month_of_its_stream_and_beyond_all_months_in_the_default(
    opened: Open, session: Session
) -> None:
    store = await opened()
    await ensure_months(session, NOW)
    batch = asked(1)
    far = asked(2)
    async with store.transaction(0) as transaction:
        await transaction.write(batch)
        await transaction.write(far)
    assert (await session.fetch(_WHERE, stream(1)))[0][0] == "events_2025_06"
    later = UUID(bytes=stream_id(NOW + 9 * YEAR, 0, 1)).bytes
    await session.execute("update events set stream = $1 where stream = $2", later, stream(2))
    assert (await session.fetch(_WHERE, later))[0][0] == "events_default"
    assert len(await store.query("events_since", shard=0, stream=later, from_seq=1)) == 2


async def test_a_month_whose_streams_are_in_the_default_already_stops_nobody(
    opened: Open, session: Session, caplog: pytest.LogCaptureFixture
) -> None:
    store = await opened()
    async with store.transaction(0) as transaction:
        await transaction.write(asked(1))
    with caplog.at_level(logging.WARNING):
        await ensure_months(session, NOW)
    assert "events_2025_06" not in await partitions(session)
    assert "events_2025_07" in await partitions(session)
    assert "2025_06" in caplog.text
    assert len(await store.query("events_since", shard=0, stream=stream(1), from_seq=1)) == 2


async def test_a_store_is_opened_though_no_partition_can_be_made(opened: Open, session: Session, url: str) -> None:
    await opened()
    await session.execute(
        "drop table events_default; create role reader login; grant all on all tables in schema public to reader"
    )
    for name in await partitions(session):
        await session.execute(f"drop table {name}")
    store = await opened(url.replace("//sayso:", "//reader:"))
    assert list(await store.query("orgs")) == []
    await store.close()
    await session.execute("drop owned by reader; drop role reader")


async def test_a_process_that_runs_for_long_makes_the_next_months_itself(
    opened: Open, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "UPKEEP_S", 0.01)
    monkeypatch.setattr(watch, "LOOK_S", 0.01)
    await opened()
    before = set(await partitions(session))
    await session.execute(f"drop table {max(before - {'events_default'})}")

    async def is_there_again() -> bool:
        return set(await partitions(session)) == before

    await until(is_there_again)
