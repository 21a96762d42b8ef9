"""The tables: made once, recognised, refused when they are not ours, and each column known as content or not."""

import asyncio
import sqlite3
import stat
from pathlib import Path

import pytest

from sayso.ports import StoreBroken, StoreError
from sayso.store import FILE_NAME, SqliteStore, open_store
from sayso.store.migration import Migration
from sayso.store.sqlite.schema import migrations, statements

pytestmark = pytest.mark.anyio

# What a person or a system wrote, and an erasure clears.
CONTENT = {
    "heads.party",
    "heads.answerer",
    "events.content",
    "states.state",
    "inbox.body",
    "members.sent_id",
    "idempotency.body",
    "definitions.source",
    "definitions.description",
    "definitions.input_schema",
    "definitions.output_schema",
    "subscriptions.last_error",
}

# Ids, digests, names that definitions and operators chose, settings and secrets of the operator: nothing of a run.
NOT_CONTENT = {
    "meta.secret",
    "orgs.name",
    "playbooks.name",
    "playbooks.title",
    "playbooks.description",
    "callers.id",
    "keys.id",
    "keys.hash",
    "keys.old_hash",
    "keys.permissions",
    "keys.playbooks",
    "keys.party",
    "definitions.type",
    "definitions.name",
    "definitions.stream",
    "heads.stream",
    "heads.parent",
    "heads.run_id",
    "heads.definition",
    "heads.digest",
    "heads.lease",
    "events.stream",
    "events.data",
    "states.stream",
    "inbox.stream",
    "inbox.from_stream",
    "members.conversation",
    "members.stream",
    "idempotency.key",
    "idempotency.fingerprint",
    "idempotency.stream",
    "subscriptions.id",
    "subscriptions.url",
    "subscriptions.secret",
    "subscriptions.filter",
}


async def made(directory: Path, shards: int | None = None) -> tuple[int, bytes]:
    """Open the store of a directory and close it; its shards and its secret."""
    store = open_store(directory, shards=shards)
    await store.close()
    return store.shards, store.secret


def change(directory: Path, *texts: str) -> None:
    connection = sqlite3.connect(directory / FILE_NAME, isolation_level=None)
    for text in texts:
        connection.execute(text)
    connection.close()


async def test_every_text_and_blob_column_is_known_as_content_or_not(tmp_path: Path) -> None:
    await made(tmp_path)
    connection = sqlite3.connect(tmp_path / FILE_NAME)
    query = """select t.name || '.' || c.name from sqlite_schema t join pragma_table_info(t.name) c
        where t.type = 'table' and t.name not like 'sqlite_%' and lower(c.type) in ('text', 'blob', 'any', '')"""
    found = {row[0] for row in connection.execute(query)}
    connection.close()
    assert found == CONTENT | NOT_CONTENT
    assert not CONTENT & NOT_CONTENT


async def test_every_table_is_strict(tmp_path: Path) -> None:
    await made(tmp_path)
    connection = sqlite3.connect(tmp_path / FILE_NAME)
    loose = connection.execute(
        "select name from pragma_table_list where type = 'table' and not strict and name not like 'sqlite_%'"
    ).fetchall()
    connection.close()
    assert loose == []


async def test_a_store_is_for_its_owner_alone(tmp_path: Path) -> None:
    store = open_store(tmp_path / "deep" / "er")
    files = list((tmp_path / "deep" / "er").iterdir())
    assert {file.name for file in files} >= {FILE_NAME, f"{FILE_NAME}-wal"}
    assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}
    assert stat.S_IMODE((tmp_path / "deep" / "er").stat().st_mode) == 0o700
    await store.close()


async def test_a_store_opened_again_is_the_same_store(tmp_path: Path) -> None:
    first = await made(tmp_path, 4)
    assert await made(tmp_path) == await made(tmp_path, 4) == first
    assert len(first[1]) == 32
    assert (await made(tmp_path / "other"))[1] != first[1]


async def test_a_store_keeps_its_number_of_shards(tmp_path: Path) -> None:
    await made(tmp_path, 4)
    with pytest.raises(StoreError, match="has 4 shards, and a store keeps its number"):
        open_store(tmp_path, shards=1)
    with pytest.raises(StoreError, match="1 to 256 shards, not 257"):
        open_store(tmp_path / "new", shards=257)


async def test_what_a_newer_sayso_made_its_own_is_refused(tmp_path: Path) -> None:
    await made(tmp_path)
    change(tmp_path, "update meta set schema_version = 99, compatible_from = 99")
    with pytest.raises(StoreError, match="written by a newer sayso: its tables are of version 99"):
        open_store(tmp_path)


async def test_newer_tables_that_say_that_this_version_may_use_them_are_used(tmp_path: Path) -> None:
    first = await made(tmp_path, 4)
    change(tmp_path, f"update meta set schema_version = 99, compatible_from = {len(migrations())}")
    assert await made(tmp_path) == first


@pytest.mark.parametrize("made_by", ["create table orgs(org)", "pragma application_id = 5"])
async def test_the_database_of_another_program_is_refused_and_left_as_it_was(tmp_path: Path, made_by: str) -> None:
    change(tmp_path, made_by)
    before = (tmp_path / FILE_NAME).read_bytes()
    with pytest.raises(StoreError, match="a database of another program"):
        open_store(tmp_path)
    assert (tmp_path / FILE_NAME).read_bytes() == before


async def test_a_file_that_is_no_database_is_refused_and_left_as_it_was(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_text("Minutes of the board, in plain words. " * 99)
    with pytest.raises(StoreBroken, match="file is not a database"):
        open_store(tmp_path)
    assert (tmp_path / FILE_NAME).read_text().startswith("Minutes of the board")


async def test_a_migration_that_fails_leaves_nothing(tmp_path: Path) -> None:
    def fault(point: str) -> None:
        if point == "before schema_version":
            raise OSError("pulled out")

    with pytest.raises(OSError, match="pulled out"):
        open_store(tmp_path, faults=fault)
    assert (await made(tmp_path))[0] == 1


async def test_a_later_migration_is_run_once_on_an_older_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    await made(tmp_path)
    number = len(migrations()) + 1
    step = Migration(version=number, name=f"{number:04}_later.sql", text="create table later(a int) strict;")
    later = (*migrations(), step)
    monkeypatch.setattr("sayso.store.sqlite.schema.migrations", lambda: later)
    await made(tmp_path)
    await made(tmp_path)
    connection = sqlite3.connect(tmp_path / FILE_NAME)
    assert connection.execute("select schema_version, (select count(*) from later) from meta").fetchall() == [
        (number, 0)
    ]
    connection.close()


async def test_migrations_are_numbered_without_a_gap() -> None:
    assert [migration.version for migration in migrations()] == list(range(1, len(migrations()) + 1))


async def test_several_may_make_one_store_at_once(tmp_path: Path) -> None:
    found = await asyncio.gather(*(asyncio.to_thread(open_store, tmp_path) for _ in range(4)))
    assert len({store.secret for store in found}) == 1
    for store in found:
        await store.close()


async def test_an_sqlite_that_is_too_old_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sayso.store.sqlite.schema._OLDEST_SQLITE", (99, 0, 0))
    with pytest.raises(StoreError, match="is too old"):
        open_store(tmp_path)


async def test_memories_are_apart() -> None:
    one, other = SqliteStore(":memory:"), SqliteStore(":memory:")
    assert one.secret != other.secret
    await one.close()
    await other.close()


async def test_a_script_is_split_at_the_ends_of_its_statements() -> None:
    script = "-- first; not yet\ncreate table a(b); -- and\n\ninsert into a values (';\n');\n"
    assert len(list(statements(script))) == 2


# Requests of an older release that wait: with an answerer, without one, and with content that is damaged.
OLDER = (
    """insert into heads(shard, stream, playbook, org, kind, version, seq, from_seq, status, party, at, by, last_at)
       select 0, cast(value as blob), 1, 1, 1, 1, 2, 1, 2, 'the desk', 1, 1, 1 from json_each('["a", "b", "c"]')""",
    """insert into events(shard, stream, seq, playbook, position, type, v, at, by, data, content)
       select 0, cast(value ->> 0 as blob), 2, 1, key, 2, 1, 1, 1, '{}', value ->> 1
       from json_each('[["a", "{\\"to\\":\\"x\\",\\"answerer\\":\\"the chief\\"}"], ["b", "{}"], ["c", "{"]]')""",
)


async def test_the_answerer_of_what_waits_is_taken_over_from_its_events(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    older = migrations()[:5]
    with monkeypatch.context() as before:
        before.setattr("sayso.store.sqlite.schema.migrations", lambda: older)
        await made(tmp_path)
    change(tmp_path, *OLDER)
    await made(tmp_path)
    connection = sqlite3.connect(tmp_path / FILE_NAME)
    found = dict(connection.execute("select cast(stream as text), answerer from heads").fetchall())
    connection.close()
    assert found == {"a": "the chief", "b": None, "c": None}
