"""The months of `events`: each a partition, made before its first stream is."""

import logging
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Final
from uuid import UUID

import asyncpg

from sayso.store.postgres.connection import Session
from sayso.store.postgres.failures import ERRORS, failure

log = logging.getLogger("sayso.store")

# This month, and so many after it.
AHEAD: Final = 3

_MADE: Final = """
select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = to_regclass('events')
"""
# Whoever waits for a table makes all others wait behind it: rather try again another day than hold them up.
_LOCK_WAIT: Final = "set local lock_timeout = '1s'"
_RACED: Final = (asyncpg.UniqueViolationError, asyncpg.DuplicateTableError, asyncpg.DuplicateObjectError)


def month_of(now: int, later: int = 0) -> datetime:
    """The beginning of the month of a time in microseconds, or of a later month."""
    at = datetime.fromtimestamp(now / 1_000_000, UTC)
    months = at.year * 12 + at.month - 1 + later
    return datetime(months // 12, months % 12 + 1, 1, tzinfo=UTC)


def first_stream(at: datetime) -> UUID:
    """The least id that a stream can have that was made then: its first 48 bits are milliseconds since 1970."""
    return UUID(int=(at - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(milliseconds=1) << 80)


def months_ahead(now: int) -> Iterator[tuple[str, UUID, UUID]]:
    """Of this month and the next ones, the partition's name, its first stream and the one behind its last."""
    for later in range(AHEAD + 1):
        begins, ends = month_of(now, later), month_of(now, later + 1)
        yield f"events_{begins:%Y_%m}", first_stream(begins), first_stream(ends)


async def ensure_months(session: Session, now: int | None = None) -> None:
    """Make the partitions of this month and the next that are not there. Several processes may do so at once.

    It never fails: streams whose month has none are in the default partition, and lack nothing.
    """
    try:
        if now is None:
            now = (await session.fetch("select (extract(epoch from clock_timestamp()) * 1000000)::bigint"))[0][0]
        made = {row[0] for row in await session.fetch(_MADE)}
        for name, first, end in months_ahead(now):
            if name not in made:
                await _make(session, name, first, end)
    except ERRORS as error:
        log.warning("the months of events could not be looked at: %s", failure("months", error))


async def _make(session: Session, name: str, first: UUID, end: UUID) -> None:
    """Made apart and then attached, which only those must wait for who use the default partition."""
    try:
        async with session.transaction():
            await session.execute(_LOCK_WAIT)
            await session.execute(f"create table {name} (like events including all)")
            await session.execute(
                f"alter table events attach partition {name} for values from ('{first}') to ('{end}')"
            )
    except _RACED:
        log.info("another process has just made the partition %s", name)
    except ERRORS as error:
        log.warning("events of a month stay in the default partition: %s", failure(name, error))
