"""The tables of a PostgreSQL store: made by numbered migrations, and recognised when a database is opened."""

import secrets
from collections.abc import Sequence
from typing import Any, Final

import asyncpg

from sayso.ports import StoreError
from sayso.store.migration import (
    Meta,
    Migration,
    MigrationReport,
    check_compatible,
    check_number,
    check_shards,
    migrations_of,
)
from sayso.store.postgres.connection import Session
from sayso.store.postgres.failures import ERRORS, failure
from sayso.store.postgres.partitions import ensure_months

# Our `meta` bears this mark, so that a database of another program is told from ours before anything in it is read.
_LOOK: Final = """
select coalesce(obj_description(to_regclass(format('%I.meta', current_schema())), 'pg_class'), '') = 'sayso',
  (select count(*) from pg_class
   where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'v', 'm'))
"""
_META: Final = "select schema_version, compatible_from, shards, secret from meta"
_MAKE_META: Final = """
insert into meta(one, schema_version, compatible_from, shards, secret, reference_version, created_at)
values (1, 1, 1, $1, $2, 0, (extract(epoch from clock_timestamp()) * 1000000)::bigint)
"""
_MARKED: Final = "select to_regclass(format('%I.transfer', current_schema())) is not null"
_UNFINISHED: Final = "select count(*) from transfer where ended_at is null"
# Another process makes the same tables at the same moment, and was first.
_RACED: Final = (asyncpg.UniqueViolationError, asyncpg.DuplicateTableError, asyncpg.DuplicateObjectError)


def migrations() -> tuple[Migration, ...]:
    """All migrations that this program knows, in order."""
    return migrations_of("sayso.store.postgres")


async def found(session: Session, where: str) -> Meta | None:
    """What the database says of itself, or None if it is empty. Refused: another program's, and a newer sayso's."""
    is_ours, tables = (await _run(session.fetch(_LOOK)))[0]
    if not is_ours and tables:
        raise StoreError(
            f"{where} is a database of another program, not a store of sayso. Make one for sayso alone, or a schema "
            "in it that the address names: ?search_path=sayso"
        )
    meta = Meta(**(await _run(session.fetch(_META)))[0]) if is_ours else None
    if meta is not None and meta.schema_version > len(migrations()):
        check_compatible(where, meta.schema_version, meta.compatible_from, len(migrations()))
    return meta


async def prepare(session: Session, where: str, shards: int | None) -> Meta:
    """What the store is. An empty database gets its tables; one with older tables, or other shards, is refused."""
    check_number(shards)
    meta = await found(session, where) or await _made(session, where, shards or 1)
    check_shards(where, meta.shards, shards)
    if meta.schema_version < len(migrations()):
        raise StoreError(
            f"{where} has tables of version {meta.schema_version}, and this sayso needs {len(migrations())}. Run "
            "`sayso migrate` with the same address; servers may go on meanwhile."
        )
    await ensure_months(session)
    return meta


async def migrate(session: Session, where: str, shards: int | None) -> MigrationReport:
    """Bring the tables up to date, a migration a transaction; several processes may do so at once."""
    check_number(shards)
    meta = await found(session, where)
    before = meta.schema_version if meta else 0
    meta = meta or await _made(session, where, shards or 1)
    check_shards(where, meta.shards, shards)
    for migration in migrations()[1:]:
        await _run(_step(session, migration))
    await ensure_months(session)
    return MigrationReport(from_version=before, to_version=max(before, len(migrations())))


async def refuse_unfinished(session: Session, where: str) -> None:
    """Refuse a database that a transfer fills and has not ended with."""
    marked = await _run(session.fetch(_MARKED))
    if marked[0][0] and (await _run(session.fetch(_UNFINISHED)))[0][0]:
        raise StoreError(
            f"{where} is being filled by a transfer that has not ended. End it: sayso transfer, as it was begun."
        )


async def _made(session: Session, where: str, shards: int) -> Meta:
    """Make all tables at once, or find that another process has just done so."""
    first, *others = migrations()
    try:
        async with session.transaction():
            await session.execute(first.text)
            await session.execute(_MAKE_META, shards, secrets.token_bytes(32))
            for migration in others:
                await session.execute(migration.text)
            await session.execute("update meta set schema_version = $1", len(migrations()))
    except _RACED:
        pass
    except ERRORS as error:
        raise failure(f"make the tables in {where}", error) from None
    meta = await found(session, where)
    assert meta is not None, "the tables are made"
    return meta


async def _step(session: Session, migration: Migration) -> None:
    """One migration, unless it is done. Who comes second waits for the row of `meta`, and finds it done."""
    async with session.transaction():
        version = (await session.fetch("select schema_version from meta for update"))[0][0]
        if version == migration.version - 1:
            await session.execute(migration.text)
            await session.execute("update meta set schema_version = $1", migration.version)


async def _run(work: Any) -> Sequence[Any]:
    try:
        rows: Sequence[Any] = await work
    except ERRORS as error:
        raise failure("look at the tables", error) from None
    return rows
