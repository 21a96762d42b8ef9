"""PostgreSQL: a connection that records all that is run on it, and one that plays it again.

Both are on a database whose clock stands, so that what comes of a statement depends on nothing but the rows.
"""

import contextlib
from collections.abc import Awaitable, Callable
from typing import Any

import asyncpg

from tests.upgrade.job import START
from tests.upgrade.recording import Statement, Tape, digest_of

# What a store does beside its job, at times of its own: kept once.
_BESIDE = ("pg_notify", "reference_version, schema_version")
# A name is looked for here before it is looked for among PostgreSQL's own.
_STANDS = f"""
create function public.clock_timestamp() returns timestamptz language sql as 'select to_timestamp({START / 1e6})';
"""


async def stop_clock(url: str) -> None:
    """Let the clock of an empty database stand, for all who connect from now on."""
    async with connected(url) as connection:
        name = await connection.fetchval("select current_database()")
        await connection.execute(f'alter database "{name}" set search_path = public, pg_catalog; {_STANDS}')


@contextlib.asynccontextmanager
async def connected(url: str) -> Any:
    """A connection of nobody's release."""
    connection = await asyncpg.connect(url)
    try:
        yield connection
    finally:
        await connection.close()


def recording(tape: Tape, connect: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
    """An ``asyncpg.connect`` whose connections write to the tape."""

    class Recorded(asyncpg.Connection):  # type: ignore[misc]  # asyncpg has no types
        async def fetch(self, query: str, *args: Any, **options: Any) -> Any:
            rows = await super().fetch(query, *args, **options)
            self._keep(query, args, "fetch", digest_of(query, rows))
            return rows

        async def execute(self, query: str, *args: Any, **options: Any) -> Any:
            tag = await super().execute(query, *args, **options)
            self._keep(query, args, "execute", tag)
            return tag

        def _keep(self, query: str, args: Any, method: str, outcome: str) -> None:
            if not any(words in query for words in _BESIDE) or all(one.text != query for one in tape.statements):
                tape.keep(query, list(args), method, outcome)

    return lambda *args, **options: connect(*args, connection_class=Recorded, **options)


class Player:
    """A connection that plays recorded statements."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._connection: Any = None

    async def play(self, statement: Statement) -> str:
        """What comes of a recorded statement now."""
        if self._connection is None:
            self._connection = await asyncpg.connect(self._url)
            await self._connection.set_type_codec(
                "uuid", schema="pg_catalog", format="binary", encoder=bytes, decoder=bytes
            )
        came = await getattr(self._connection, statement.method)(statement.text, *statement.values)
        return digest_of(statement.text, came) if statement.method == "fetch" else str(came)

    async def close(self) -> None:
        """Part from the server."""
        if self._connection is not None:
            await self._connection.close()
