"""Months of events: which there are, and dropping one that is over."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sayso.store.postgres import schema
from sayso.store.postgres.connection import PLANNED_ONCE, Address, Session, part
from sayso.store.postgres.dropping import DEFAULT, Dropped, Dropping, NotDroppable, month_statements
from sayso.store.postgres.failures import ERRORS, failure
from sayso.store.postgres.partitions import month_of
from sayso.store.postgres.session import Faults
from sayso.store.postgres.statements import named

# So long a stream that has ended can be looked at for certain, a cursor of the feed stays good, and a message of our
# own is known as such in its conversation.
KEPT_DAYS: Final = 30
_DAY: Final = 86_400_000_000
# Few statements, each run thousands of times. What of a drop is lost at a crash is done again, and the file of a table
# goes only once all that was done before is on the disk.
_SETTINGS: Final = {**PLANNED_ONCE, "synchronous_commit": "off"}


@dataclass(frozen=True, kw_only=True)
class Month:
    """A month that has events: about how many, None if nobody counted yet; bytes, None without a table of its own."""

    name: str
    events: int | None
    size: int | None


async def list_months(url: str, pooled: bool = False) -> Sequence[Month]:
    """All of them, the oldest first."""
    async with _session(Address(url, pooled)) as (session, _):
        queries = month_statements({})
        months = [
            Month(name=name.removeprefix("events_").replace("_", "-"), events=None if events < 0 else events, size=size)
            for name, events, size in await session.fetch(queries["partitions"].text)
            if name != DEFAULT
        ]
        others = await session.fetch(queries["months_by_default"].text)
        months += [Month(name=name, events=events, size=None) for name, events in others]
    return sorted(months, key=lambda month: month.name)


async def drop_month(
    url: str,
    pooled: bool,
    month: datetime,
    *,
    now: int | None = None,
    rests: float = 2.0,
    faults: Faults | None = None,
) -> Dropped:
    """Drop a month, given by its beginning, while everything goes on; again, if that was cut off.

    After each transaction it rests ``rests`` times as long as that took. Refused: this month, the last one, and those
    to come. Without ``now`` the database's clock counts.
    """
    async with _session(Address(url, pooled)) as (session, shards):
        now = (await session.fetch(named("now").text))[0][0] if now is None else now
        if month >= month_of(now, -1):
            raise NotDroppable(
                f"{month:%Y-%m} is too young: a month can be dropped once the month after it is over too."
            )
        dropping = Dropping(session, month, ended_before=now - KEPT_DAYS * _DAY, rests=rests, faults=faults)
        return await dropping.run(range(shards))


@asynccontextmanager
async def _session(address: Address) -> AsyncIterator[tuple[Session, int]]:
    """A session with the database of a store, and how many shards it has."""
    session = await address.connect(_SETTINGS, is_patient=True)
    try:
        meta = await schema.prepare(session, address.shown, None)
        yield session, meta.shards
    except ERRORS as error:
        raise failure("months", error) from None
    finally:
        await part(session)
