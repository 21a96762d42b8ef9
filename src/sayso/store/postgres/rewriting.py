"""Rewriting what erased runs were in: only then do the bytes of before leave the files of PostgreSQL.

Tables and their indexes are written anew, each in one go in which nobody can use it. The write-ahead log and backups
keep what they have until they are recycled.
"""

from collections.abc import Callable
from datetime import datetime
from typing import Final

from sayso.store.postgres import schema
from sayso.store.postgres.connection import PLANNED_ONCE, Address, part
from sayso.store.postgres.failures import ERRORS, failure

_PARTITIONS: Final = """
select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
where i.inhparent = to_regclass('events') and (c.relname between $1 and $2 or c.relname = 'events_default')
order by c.relname
"""


async def rewrite(
    address: Address, first: datetime, last: datetime, progress: Callable[[int, int], None] = lambda _done, _of: None
) -> list[str]:
    """Rewrite the heads and the months of events from that of ``first`` to that of ``last``; the tables' names.

    Raises a StoreError where a table is in use for ten seconds on end: what is rewritten by then stays so.
    """
    session = await address.connect(PLANNED_ONCE, is_patient=True)
    try:
        await schema.prepare(session, address.shown, None)
        names = [f"events_{month:%Y_%m}" for month in (first, last)]
        tables = ["heads", *(row[0] for row in await session.fetch(_PARTITIONS, *names))]
        for done, table in enumerate(tables):
            progress(done, len(tables))
            await session.execute(f"vacuum (full) {table}")
    except ERRORS as error:
        raise failure("rewrite", error) from None
    finally:
        await part(session)
    return tables
