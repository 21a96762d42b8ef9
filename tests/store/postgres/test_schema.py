"""The tables: made once, whoever comes first; recognised, brought up to date on demand, and refused in words."""

import asyncio

import pytest

from sayso.ports import StoreError
from sayso.store.migration import Migration, MigrationReport
from sayso.store.postgres.connection import Session
from sayso.store.postgres.schema import migrations
from sayso.store.postgres.store import migrate_postgres, postgres_migration_due
from tests.postgres.servers import PostgresServer
from tests.store.postgres.conftest import Open
from tests.store.test_schema import CONTENT, NOT_CONTENT

pytestmark = pytest.mark.anyio


@pytest.fixture
def url(postgres15: PostgresServer) -> str:
    """The address of a database without tables."""
    return postgres15.fresh()


_COLUMNS = """
select c.relname || '.' || a.attname from pg_attribute a join pg_class c on c.oid = a.attrelid
where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
  and a.attnum > 0 and a.atttypid in ('text'::regtype, 'bytea'::regtype, 'uuid'::regtype)
"""
_NOT_ONES_OWN_ORDER = """
select c.relname || '.' || a.attname from pg_index i join pg_class c on c.oid = i.indrelid
join pg_attribute a on a.attrelid = c.oid and a.attnum = any(i.indkey)
where c.relnamespace = 'public'::regnamespace and a.atttypid = 'text'::regtype and a.attcollation <> '"C"'::regcollation
"""
_RELIED_ON = """
select (select count(*) from pg_trigger), (select count(*) from pg_constraint where contype = 'f'),
  (select count(*) from pg_class where relkind = 'S')
"""

# Requests of an older release that wait: with an answerer, and without one.
OLDER = """
insert into heads(shard, stream, playbook, org, kind, version, seq, from_seq, status, party, at, by, last_at)
select 0, gen_random_uuid(), 1, 1, 1, 1, n, 1, 2, 'the desk', 1, 1, 1 from generate_series(2, 3) n;
insert into events(shard, stream, seq, playbook, position, type, v, at, by, data, content)
select 0, stream, 2, 1, seq, 2, 1, 1, 1, '{}',
  case seq when 2 then '{"to":"x","answerer":"the chief"}' else '{"to":"x"}' end
from heads;
"""


async def test_every_text_and_blob_column_is_known_as_content_or_not(opened: Open, session: Session) -> None:
    await opened()
    assert {row[0] for row in await session.fetch(_COLUMNS)} == CONTENT | NOT_CONTENT


async def test_what_texts_are_found_by_is_in_the_order_of_its_bytes(opened: Open, session: Session) -> None:
    await opened()
    assert await session.fetch(_NOT_ONES_OWN_ORDER) == []


async def test_no_trigger_no_foreign_key_and_no_sequence_is_relied_on(opened: Open, session: Session) -> None:
    await opened()
    assert tuple((await session.fetch(_RELIED_ON))[0]) == (0, 0, 0)


async def test_a_store_opened_again_is_the_same_store(opened: Open) -> None:
    first = await opened(shards=4)
    again, named = await opened(), await opened(shards=4)
    assert {store.secret for store in (again, named)} == {first.secret}
    assert {store.shards for store in (again, named)} == {4}


async def test_a_store_keeps_its_number_of_shards(opened: Open) -> None:
    await opened(shards=4)
    with pytest.raises(StoreError, match="has 4 shards, and a store keeps its number"):
        await opened(shards=1)
    with pytest.raises(StoreError, match="1 to 256 shards, not 257"):
        await opened(shards=257)


async def test_several_may_make_one_store_at_once(opened: Open, session: Session) -> None:
    stores = await asyncio.gather(*(opened() for _ in range(4)))
    assert len({store.secret for store in stores}) == 1
    assert (await session.fetch("select count(*) from meta"))[0][0] == 1


async def test_several_may_migrate_at_once(url: str) -> None:
    reports = await asyncio.gather(*(migrate_postgres(url, shards=4) for _ in range(3)))
    assert {report.to_version for report in reports} == {len(migrations())}
    assert 0 in {report.from_version for report in reports}


async def test_a_database_of_another_program_is_refused_and_left_as_it_was(opened: Open, session: Session) -> None:
    await session.execute("create table meta(theirs int)")
    with pytest.raises(StoreError, match="is a database of another program"):
        await opened()
    assert len(await session.fetch("select from pg_class where relnamespace = 'public'::regnamespace")) == 1


async def test_a_schema_of_its_own_makes_room_in_the_database_of_another_program(
    opened: Open, session: Session, url: str
) -> None:
    await session.execute("create table meta(theirs int); create schema sayso")
    store = await opened(f"{url}?search_path=sayso")
    assert list(await store.query("orgs")) == []


async def test_tables_of_a_newer_sayso_are_used_if_they_say_so(opened: Open, session: Session) -> None:
    secret = (await opened()).secret
    await session.execute("update meta set schema_version = 99")
    assert (await opened()).secret == secret
    await session.execute("update meta set compatible_from = 99")
    with pytest.raises(StoreError, match="written by a newer sayso: its tables are of version 99"):
        await opened()


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> int:
    """This program knows a migration more than the store that was made before."""
    number = len(migrations()) + 1
    step = Migration(version=number, name=f"{number:04}_later.sql", text="create table later(a int); select 1;")
    known = (*migrations(), step)
    monkeypatch.setattr("sayso.store.postgres.schema.migrations", lambda: known)
    return number


async def test_older_tables_are_refused_until_they_are_migrated(
    url: str, opened: Open, session: Session, request: pytest.FixtureRequest
) -> None:
    await opened()
    later: int = request.getfixturevalue("later")
    with pytest.raises(StoreError, match=f"of version {later - 1}, and this sayso needs {later}. Run `sayso migrate`"):
        await opened()
    assert await postgres_migration_due(url) == MigrationReport(from_version=later - 1, to_version=later)
    reports = await asyncio.gather(*(migrate_postgres(url) for _ in range(3)))
    assert {report.to_version for report in reports} == {later}
    assert len(await session.fetch("select from later")) == 0
    assert (await opened()).shards == 1


async def test_an_empty_database_gets_the_newest_tables(url: str, opened: Open, session: Session, later: int) -> None:
    assert await postgres_migration_due(url) == MigrationReport(from_version=0, to_version=later)
    await opened()
    assert (await session.fetch("select schema_version from meta"))[0][0] == later


async def test_a_migration_that_fails_leaves_nothing(
    url: str, opened: Open, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    await opened()
    step = Migration(version=len(migrations()) + 1, name="9999_bad.sql", text="create table half(a int); select 1/0;")
    known = (*migrations(), step)
    monkeypatch.setattr("sayso.store.postgres.schema.migrations", lambda: known)
    with pytest.raises(StoreError, match="DivisionByZero"):
        await migrate_postgres(url)
    assert (await session.fetch("select to_regclass('half') is null"))[0][0]


async def test_whoever_may_not_make_tables_is_told_so(opened: Open, session: Session, url: str) -> None:
    await session.execute("create role guest login; revoke create on schema public from public")
    with pytest.raises(StoreError, match=r"make the tables in .*permission denied"):
        await opened(url.replace("//sayso:", "//guest:"))
    await session.execute("drop role guest")


async def test_both_versions_of_postgresql_make_the_same_store(postgres18: PostgresServer, opened: Open) -> None:
    assert (await opened(postgres18.fresh(), shards=4)).shards == 4


async def test_the_answerer_of_what_waits_is_taken_over_from_its_events(
    url: str, opened: Open, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    older = migrations()[:1]
    with monkeypatch.context() as before:
        before.setattr("sayso.store.postgres.schema.migrations", lambda: older)
        await opened()
    await session.execute(OLDER)
    await migrate_postgres(url)
    found = await session.fetch("select seq, answerer from heads order by seq")
    assert [tuple(row) for row in found] == [(2, "the chief"), (3, None)]
