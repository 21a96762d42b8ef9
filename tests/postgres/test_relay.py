"""The relay counts what passes, and cuts where it is told."""

import asyncpg
import pytest

from tests.postgres.relay import Message, Relay, at_byte, before
from tests.postgres.servers import PostgresServer

pytestmark = pytest.mark.anyio
LOST = (asyncpg.PostgresConnectionError, asyncpg.InterfaceError, OSError)


async def insert(relay: Relay) -> int:
    """Insert a row over a new connection; how many messages that took."""
    client = await asyncpg.connect(relay.url)
    try:
        await client.execute("insert into counted values (1)")
        return relay.count
    finally:
        client.terminate()


@pytest.fixture
def url(postgres15: PostgresServer) -> str:
    """A database with one empty table."""
    url = postgres15.fresh()
    postgres15.sql("create table counted (n int)", database(url))
    return url


def database(url: str) -> str:
    return url.rpartition("/")[2]


async def test_it_shows_each_message_of_both_sides(url: str) -> None:
    seen: list[Message] = []

    def note(message: Message) -> None:
        seen.append(message)

    with Relay(url) as relay:
        relay.cut = note
        count = await insert(relay)
    said = [("C" if message.is_to_server else "S") + message.kind for message in seen[:count]]
    assert said[:5] == ["C", "S", "C", "SR", "SS"]
    assert said[-3:] == ["CQ", "SC", "SZ"]
    assert [message.n for message in seen[:count]] == list(range(count))


async def test_a_statement_is_done_or_not_as_the_cut_falls(url: str, postgres15: PostgresServer) -> None:
    with Relay(url) as relay:
        whole = await insert(relay)
    rows = []
    for n in range(whole):
        with Relay(url) as relay:
            relay.cut = before(n)
            with pytest.raises(LOST):
                await insert(relay)
        rows.append(int(postgres15.sql("select count(*) from counted", database(url))[0][0]))
    assert rows == [1] * (whole - 2) + [2, 3]  # only a lost reply leaves a row


async def test_it_cuts_within_a_message(url: str) -> None:
    for position in (3, 40):
        with Relay(url) as relay:
            relay.cut = at_byte(position, is_to_server=True)
            with pytest.raises(LOST):
                await insert(relay)
            assert relay.count == (1 if position < 8 else 3)


async def test_it_cuts_all_that_are_open(url: str) -> None:
    with Relay(url) as relay:
        client = await asyncpg.connect(relay.url)
        relay.cut_all()
        with pytest.raises(LOST):
            await client.fetchval("select pg_sleep(10)")
        client.terminate()
        await insert(relay)
