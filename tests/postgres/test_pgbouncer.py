"""The pooler gives each transaction a connection that others had before."""

import asyncpg
import pytest

from tests.postgres.pgbouncer import PgBouncer
from tests.postgres.servers import PostgresServer

pytestmark = pytest.mark.anyio


async def test_two_clients_share_one_connection(pgbouncer: PgBouncer, postgres15: PostgresServer) -> None:
    url = pgbouncer.url(postgres15.fresh().rpartition("/")[2])
    clients = [await asyncpg.connect(url, statement_cache_size=0) for _ in range(2)]
    served_by = {await client.fetchval("select pg_backend_pid()") for client in clients for _ in range(2)}
    for client in clients:
        await client.close()
    assert len(served_by) == 1


async def test_it_can_be_killed_and_started_again(postgres15: PostgresServer) -> None:
    with PgBouncer(postgres15) as own:
        client = await asyncpg.connect(own.url("postgres"), statement_cache_size=0)
        own.kill()
        with pytest.raises((asyncpg.PostgresConnectionError, ConnectionError)):
            await client.fetchval("select 1")
        client.terminate()
        own.start()
        client = await asyncpg.connect(own.url("postgres"), statement_cache_size=0)
        assert await client.fetchval("select 1") == 1
        await client.close()
