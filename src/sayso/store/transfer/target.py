"""The store that is made: a PostgreSQL database, which nobody serves before it is whole."""

import asyncio
import hashlib
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

from sayso.core.rows import Columns
from sayso.ports import StoreError
from sayso.store.postgres.connection import Address, Session, fetch, part
from sayso.store.postgres.partitions import ensure_months, month_of
from sayso.store.postgres.schema import prepare
from sayso.store.postgres.session import Faults, WriterSession
from sayso.store.postgres.statements import Statement
from sayso.store.transfer.table import Key, Origin, Table

TRIES, TRY_S = 50, 0.1
# Streams that are older than so many months are in the default partition: they lack nothing there.
MONTHS_BACK = 24

_OTHERS = """
select count(*) from pg_stat_activity
where datname = current_database() and application_name = 'sayso' and pid <> pg_backend_pid()
"""
_MARKED = "select to_regclass(format('%I.transfer', current_schema())) is not null"
_MAKE_MARK = """
create table if not exists transfer(
  one smallint primary key check (one = 1), transfer text not null, source bytea not null,
  begun_at timestamptz not null default clock_timestamp(), ended_at timestamptz)
"""
_SET_MARK = """
insert into transfer(one, transfer, source) values (1, $1, $2)
on conflict (one) do update set transfer = excluded.transfer
"""
_SET_META = "update meta set shards = $1, secret = $2, reference_version = $3, created_at = $4"
_TYPES = """
select attname, format_type(atttypid, atttypmod) from pg_attribute
where attrelid = to_regclass(format('%I.%I', current_schema(), $1::text)) and attnum > 0 and not attisdropped
"""


class PostgresTarget:
    """A database that is filled. The one row of its table `transfer` says by which transfer, and keeps servers away."""

    def __init__(self, address: Address, *, faults: Faults | None = None) -> None:
        self._address = address
        self._session = WriterSession(address.connect, faults)
        self._types: dict[str, dict[str, str]] = {}

    @property
    def shown(self) -> str:
        """Where it is, without user and password."""
        return self._address.shown

    async def close(self) -> None:
        """Close the connection."""
        await self._session.close()

    async def make_tables(self) -> None:
        """Make the tables of an empty database. Refused: one that others use, another program's, older tables."""
        session = await self._address.connect()
        try:
            await self._check_alone(session)
            await prepare(session, self.shown, None)
        finally:
            await part(session)

    async def _check_alone(self, session: Session) -> None:
        for _ in range(TRIES):
            if not (await fetch(session, "others", _OTHERS))[0][0]:
                return
            await asyncio.sleep(TRY_S)  # what has just ended may not have been missed yet
        raise StoreError(f"Another sayso works on {self.shown}: stop it first.")

    async def make_months(self, oldest: int, now: int) -> None:
        """Make partitions for the events of streams since the oldest; times are in microseconds."""
        session = await self._address.connect()
        try:
            later = -MONTHS_BACK
            while (month := month_of(now, later).timestamp() * 1_000_000) <= now:
                if month_of(now, later + 1).timestamp() * 1_000_000 > oldest:
                    await ensure_months(session, int(month))
                later += 1
        finally:
            await part(session)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[None]:
        """A transaction; it commits when its context ends without an exception."""
        self._session.take()
        try:
            await self._session.begin()
            yield
            await self._session.commit()
        except BaseException:
            await self._session.rollback()
            raise
        finally:
            self._session.give_back()

    async def admit(self, transfer: str, origin: Origin, tables: Sequence[Table]) -> bool:
        """Whether the transfer may begin or go on here; False if it has ended. Refused: what holds anything else.

        What an earlier transfer from the same store has left behind is thrown away. Until the transaction ends no
        other transfer is admitted.
        """
        await self._fetch("lock", "select one from meta for update")
        marks = await self._marks()
        if not marks:
            await self._check_empty(tables)
            return True
        its_transfer, source, is_ended = marks[0]
        if is_ended and its_transfer == transfer:
            return False
        if is_ended or source != _digest(origin):
            raise self._filled(is_ended)
        if its_transfer != transfer:
            await self._fetch("empty", f"truncate {', '.join(table.name for table in tables)}")
        return True

    async def begin(self, transfer: str, origin: Origin) -> None:
        """Mark the database as one that is being filled, with what the store says of itself."""
        await self._fetch("make_mark", _MAKE_MARK)
        await self._fetch("set_mark", _SET_MARK, transfer, _digest(origin))
        meta = (origin.shards, origin.secret, origin.reference_version, origin.created_at)
        await self._fetch("set_meta", _SET_META, *meta)

    async def end(self) -> None:
        """Let it be served: the switch."""
        await self._fetch("end", "update transfer set ended_at = clock_timestamp()")

    async def void(self) -> None:
        """Let what was copied be thrown away by the next transfer from the same store."""
        await self._fetch("void", "update transfer set transfer = ''")

    async def last(self, table: Table) -> Key | None:
        """The key of the last row that is there: a transfer that was cut off goes on behind it."""
        order = ", ".join(f"{name} desc" for name in table.key)
        text = f"select {', '.join(table.key)} from {table.name} order by {order} limit 1"  # noqa: S608  our own names
        rows = await self._fetch(f"last {table.name}", text)
        return tuple(rows[0]) if rows else None

    async def put(self, table: Table, rows: Sequence[Columns]) -> None:
        """Add rows to a table."""
        types = await self._types_of(table)
        arrays = ", ".join(f"${place}::{types[name]}[]" for place, name in enumerate(table.columns, 1))
        text = f"insert into {table.name}({', '.join(table.columns)}) select * from unnest({arrays})"  # noqa: S608  our own names
        await self._fetch(f"put {table.name}", text, *map(list, zip(*rows, strict=True)))

    async def page(self, table: Table, after: Key | None, limit: int) -> Sequence[Columns]:
        """The rows after a key, in the order of keys."""
        types = await self._types_of(table)
        marks = [f"${place}::{types[name]}" for place, name in enumerate(table.key, 1)] if after else []
        rows = await self._fetch(f"page {table.name}", table.page(marks, limit), *(after or ()))
        return [tuple(row) for row in rows]

    async def _marks(self) -> Sequence[Columns]:
        if not (await self._fetch("marked", _MARKED))[0][0]:
            return []
        return await self._fetch("mark", "select transfer, source, ended_at is not null from transfer")

    async def _check_empty(self, tables: Sequence[Table]) -> None:
        for table in tables:
            if await self.last(table) is not None:
                raise self._filled(is_ended=True)

    def _filled(self, is_ended: bool) -> StoreError:
        if is_ended:
            return StoreError(f"{self.shown} holds a store already. Name an empty database.")
        return StoreError(
            f"Another store is being moved to {self.shown}, and that has not ended. Name another database."
        )

    async def _types_of(self, table: Table) -> dict[str, str]:
        if table.name not in self._types:
            rows = await self._fetch(f"types {table.name}", _TYPES, table.name)
            self._types[table.name] = {row[0]: row[1] for row in rows}
        return self._types[table.name]

    async def _fetch(self, name: str, text: str, *values: Any) -> Sequence[Columns]:
        return await self._session.fetch(Statement(name=name, words=frozenset(), text=text, places=()), values)


def _digest(origin: Origin) -> bytes:
    """What tells one store from another, and no secret."""
    return hashlib.sha256(origin.secret).digest()
