"""A store moves from SQLite to PostgreSQL: every row or, in words, not at all."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from sayso.ports import StoreError
from sayso.store import FILE_NAME, open_store
from sayso.store.postgres.store import open_postgres
from sayso.store.sqlite.connection import Connection
from sayso.store.sqlite.schema import prepare
from sayso.store.transfer import mark
from sayso.store.transfer.source import SqliteSource
from tests.postgres.servers import PostgresServer
from tests.store.examples import NOW
from tests.store.moving import SHARDS, make_filled, moved, on_its_way, rows_of

pytestmark = pytest.mark.anyio


@pytest.fixture
async def folder(tmp_path: Path) -> Path:
    await make_filled(tmp_path / "store")
    return tmp_path / "store"


@pytest.fixture
def url(postgres15: PostgresServer) -> str:
    return postgres15.fresh()


class Cut(BaseException):
    """The process ends here."""


def cut(point: str) -> None:
    if point == "after put heads":
        raise Cut


async def begun(folder: Path, url: str) -> None:
    """A transfer that is cut off in the middle."""
    with pytest.raises(Cut):
        await moved(folder, url, cut)


async def test_every_row_of_every_table_moves(folder: Path, url: str) -> None:
    counts = await moved(folder, url)
    here, there = await rows_of(folder, url)
    assert here == there
    assert counts == {name: len(rows) for name, rows in there.items()}
    assert all(counts.values()), counts


async def test_what_it_says_of_itself_moves_too(folder: Path, postgres18: PostgresServer) -> None:
    """So cursors that were signed before still work, and streams are looked for where they are."""
    url = postgres18.fresh()
    with SqliteSource(folder / FILE_NAME, now=NOW) as source:
        before = source.origin
    await moved(folder, url)
    store = await open_postgres(url)
    assert (store.shards, store.secret) == (SHARDS, before.secret)
    assert await store.reference_version() == before.reference_version
    assert (await store.query("open_count", shard=1, playbook=1))[0]["open"] == 8
    await store.close()


async def test_events_are_in_the_months_of_their_streams(folder: Path, url: str, postgres15: PostgresServer) -> None:
    """NOW of the examples is in June 2025; the transfer is said to happen then."""
    await moved(folder, url)
    counts = postgres15.sql("select tableoid::regclass, count(*) from events group by 1", url.rpartition("/")[2])
    assert [row[0] for row in counts] == ["events_2025_06"]


async def test_both_stores_have_the_same_tables_and_columns(tmp_path: Path, postgres15: PostgresServer) -> None:
    await (await open_postgres(url := postgres15.fresh())).close()
    connection = Connection((tmp_path / FILE_NAME).as_uri(), busy_seconds=1)
    prepare(connection, path="", shards=1, now=1)
    connection.close()
    async with on_its_way(tmp_path, url) as transfer, transfer.target.transaction():
        for table in transfer.source.tables:
            types = await transfer.target._types_of(table)
            assert sorted(types) == sorted(table.columns), table.name


async def test_while_it_is_under_way_neither_store_can_be_opened(folder: Path, url: str) -> None:
    await begun(folder, url)
    with pytest.raises(StoreError, match="is being moved to postgresql:"):
        open_store(folder)
    with pytest.raises(StoreError, match="being filled by a transfer that has not ended"):
        await open_postgres(url)


async def test_a_store_that_was_moved_is_opened_again_when_its_mark_is_deleted(folder: Path, url: str) -> None:
    await moved(folder, url)
    with pytest.raises(StoreError, match="was moved to postgresql:"):
        open_store(folder)
    (folder / mark.NAME).unlink()
    await open_store(folder).close()


async def test_a_transfer_that_has_ended_is_told_so_again(folder: Path, url: str) -> None:
    assert await moved(folder, url) == await moved(folder, url)
    await (await open_postgres(url)).close()


async def test_what_was_given_up_is_begun_anew(folder: Path, url: str) -> None:
    """Its mark was deleted, and somebody wrote in the store since: what was copied may be old."""
    await begun(folder, url)
    (folder / mark.NAME).unlink()
    with closing(sqlite3.connect(folder / FILE_NAME)) as file, file:
        file.execute("update playbooks set title = 'Other'")
    await moved(folder, url)
    here, there = await rows_of(folder, url)
    assert here == there


async def test_a_copy_that_differs_is_not_switched_to_and_thrown_away(folder: Path, url: str) -> None:
    await begun(folder, url)
    with closing(sqlite3.connect(folder / FILE_NAME)) as file, file:
        file.execute("update playbooks set title = 'Other'")
    with pytest.raises(StoreError, match="differs from the store in playbooks"):
        await moved(folder, url)
    with pytest.raises(StoreError, match="has not ended"):
        await open_postgres(url)
    await moved(folder, url)
    await (await open_postgres(url)).close()


async def test_a_database_that_holds_a_store_is_left_alone(folder: Path, tmp_path: Path, url: str) -> None:
    store = await open_postgres(url)
    async with store.transaction(0) as transaction:
        await transaction.execute("add_org", name="acme")
    await store.close()
    with pytest.raises(StoreError, match="holds a store already"):
        await moved(folder, url)
    await open_store(folder).close()


async def test_a_database_that_another_store_moves_to_is_left_alone(folder: Path, tmp_path: Path, url: str) -> None:
    await make_filled(tmp_path / "other")
    await begun(tmp_path / "other", url)
    with pytest.raises(StoreError, match="Another store is being moved"):
        await moved(folder, url)
    await moved(tmp_path / "other", url)
    with pytest.raises(StoreError, match="holds a store already"):
        await moved(folder, url)
    await open_store(folder).close()


async def test_a_store_moves_to_one_place(folder: Path, url: str, postgres15: PostgresServer) -> None:
    await begun(folder, url)
    with pytest.raises(StoreError, match="is being moved to"):
        await moved(folder, postgres15.fresh())


async def test_a_database_that_is_in_use_is_left_alone(folder: Path, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sayso.store.transfer.target.TRIES", 1)
    store = await open_postgres(url)
    with pytest.raises(StoreError, match="Another sayso works on"):
        await moved(folder, url)
    await store.close()


async def test_a_mark_that_cannot_be_read_is_refused(folder: Path) -> None:
    (folder / mark.NAME).write_text("{")
    with pytest.raises(StoreError, match="cannot be read"):
        open_store(folder)


async def test_progress_is_told_to_its_end(folder: Path, url: str) -> None:
    told: list[tuple[int, int]] = []
    async with on_its_way(folder, url) as transfer:
        transfer.progress = lambda done, total: told.append((done, total))
        counts = await transfer.run()
    assert told[-1] == (2 * sum(counts.values()),) * 2
