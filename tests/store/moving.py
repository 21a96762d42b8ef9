"""A store with rows in every table, on its way from SQLite to PostgreSQL."""

import contextlib
import sqlite3
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import closing
from pathlib import Path

from sayso.core.heads import StreamKind
from sayso.core.rows import Columns
from sayso.ports import KeptState
from sayso.store import FILE_NAME, open_store
from sayso.store.postgres.connection import Address
from sayso.store.transfer.source import SqliteSource
from sayso.store.transfer.target import PostgresTarget
from sayso.store.transfer.transfer import Transfer
from tests.store.examples import NOW, answered, asked, kept, merged, saved, stream
from tests.store.test_reference import KEY, PLAYBOOK

SHARDS = 2

# Tables that no batch of the examples writes, and what is ordered by its bytes.
_MORE = """
insert into inbox(shard, stream, n, from_stream, body) values (1, x'{other}', 1, x'{other}', '{{}}');
insert into members(shard, conversation, sent_id, stream, asked_at) values (1, x'{other}', 'é:1', x'{other}', 5);
insert into members(shard, conversation, sent_id, stream, left_at) values (1, x'{other}', 'Z', x'{other}', 5);
insert into members(shard, conversation, sent_id, stream, left_at) values (1, x'{other}', 'a', x'{other}', 5);
insert into idempotency(shard, org, operation, key, fingerprint, status, body, at)
  values (1, 1, 1, 'k', x'00ff', 200, x'0001', 9007199254740993);
insert into subscriptions(shard, id, org, position, last_error) values (1, x'{other}', 1, 7, 'it said “no”');
""".format(other=stream(900, 1).hex())

Rows = Mapping[str, Sequence[Columns]]


async def make_filled(folder: Path) -> None:
    """Make the store, with so many shards and rows in every table."""
    store = open_store(folder, shards=SHARDS)
    async with store.transaction(0) as transaction:
        await transaction.execute("add_org", name="acme")
        await transaction.execute("add_caller", org=1, id="key:k1")
        await transaction.execute("add_playbook", **PLAYBOOK)
        await transaction.execute("add_key", **KEY)
    for shard in range(SHARDS):
        batch = merged(*(asked(n, shard=shard, run_id=bytes([n] * 16) if n % 2 else None) for n in range(9)))
        more = merged(saved(20, "Zahl", 1, 2, shard=shard), saved(21, "pay", 1, shard=shard))
        more.states = [KeptState(stream=stream(30, shard), format=1, state={"deep": [10**20, "\x00"]})]
        async with store.transaction(shard) as transaction:
            await transaction.write(batch)
            await transaction.write(merged(more, kept(30, StreamKind.AGENT, shard=shard)))
            await transaction.write(answered(batch.heads[3].head))
    await store.close()
    with closing(sqlite3.connect(folder / FILE_NAME)) as file:
        file.executescript(_MORE)


@contextlib.asynccontextmanager
async def on_its_way(folder: Path, url: str, faults: Callable[[str], None] | None = None) -> AsyncIterator[Transfer]:
    """A transfer that is ready to run. ``faults`` is told of every statement on either side."""
    target = PostgresTarget(Address(url), faults=faults)
    try:
        with SqliteSource(folder / FILE_NAME, now=NOW, faults=faults) as source:
            yield Transfer(folder=folder, source=source, target=target, now=NOW)
    finally:
        await target.close()


async def moved(folder: Path, url: str, faults: Callable[[str], None] | None = None) -> dict[str, int]:
    """Run a transfer; how many rows each table has."""
    async with on_its_way(folder, url, faults) as transfer:
        return await transfer.run()


async def rows_of(folder: Path, url: str) -> tuple[Rows, Rows]:
    """All rows of both stores, by table."""
    async with on_its_way(folder, url) as transfer, transfer.target.transaction():
        tables = transfer.source.tables
        there = {table.name: await transfer.target.page(table, None, 10_000) for table in tables}
        return {table.name: transfer.source.page(table, None, 10_000) for table in tables}, there
