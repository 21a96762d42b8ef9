"""A turned clock is seen by all who are connected, as soon as it is turned."""

import asyncpg
import pytest

from tests.postgres.servers import PostgresServer
from tests.postgres.turned import TurnedClock

pytestmark = pytest.mark.anyio
DAY = 24 * 3600
AHEAD = "select {0}() - pg_catalog.{0}() between '86399 s' and '86401 s'"


@pytest.mark.parametrize("name", ["clock_timestamp", "statement_timestamp"])
async def test_a_statement_that_was_prepared_sees_the_turned_time(name: str, postgres15: PostgresServer) -> None:
    url = postgres15.fresh()
    clock = TurnedClock(postgres15, url.rpartition("/")[2])
    client = await asyncpg.connect(url)
    prepared = await client.prepare(AHEAD.format(name))
    assert [await prepared.fetchval() for _ in range(6)] == [False] * 6  # planned once, by now
    clock.turn(DAY)
    assert await prepared.fetchval() is True
    await client.close()
