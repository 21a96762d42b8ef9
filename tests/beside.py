"""A store as a disk or a hand has it: read and changed past everything of ours, in whichever database it is."""

import asyncio
import contextlib
import re
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import chain, count
from pathlib import Path
from typing import Any

import asyncpg

from sayso.ports import Store
from sayso.store import FILE_NAME, SqliteStore
from tests import stores
from tests.store.spread import Spread

# Runs a statement, with a value for each ``?``, in all databases of a store; what it gives, of one after the other.
Run = Callable[..., list[tuple[Any, ...]]]


async def spoil(store: Store, statement: str, *values: Any) -> None:
    """Change what no operation changes."""
    with beside(store) as run:
        run(statement, *values)


async def rows(store: Store, statement: str, *values: Any) -> list[tuple[Any, ...]]:
    """What a statement finds."""
    with beside(store) as run:
        return run(statement, *values)


@contextlib.contextmanager
def beside(store: Store | Path) -> Iterator[Run]:
    """A transaction beside an open store, or on the one of a folder; it sees what was committed when it began."""
    with contextlib.ExitStack() as stack:
        if stores.is_postgres(store):
            parts = [stack.enter_context(_postgres(url)) for url in stores.urls(store)]
        else:
            parts = [stack.enter_context(_sqlite(address)) for address in _addresses(store)]
        yield lambda statement, *values: list(chain.from_iterable(part(statement, values) for part in parts))


def _addresses(store: Store | Path) -> Sequence[str]:
    if isinstance(store, Path):
        return [path.absolute().as_uri() for path in sorted(store.rglob(FILE_NAME))]
    parts = store.parts if isinstance(store, Spread) else [store]
    return [part._address for part in parts if isinstance(part, SqliteStore)]


_Part = Callable[[str, Sequence[Any]], Sequence[tuple[Any, ...]]]


@contextlib.contextmanager
def _sqlite(address: str) -> Iterator[_Part]:
    with contextlib.closing(sqlite3.connect(address, uri=True, isolation_level=None)) as connection:
        assert connection.execute("pragma integrity_check").fetchall() == [("ok",)]
        connection.execute("begin")
        yield lambda statement, values: connection.execute(statement, values).fetchall()
        connection.execute("commit")


@contextlib.contextmanager
def _postgres(url: str) -> Iterator[_Part]:
    """On a loop and a thread of its own: who calls may be on a loop already."""
    with ThreadPoolExecutor(1) as thread, asyncio.Runner() as runner:

        def run(awaited: Any) -> Any:
            return thread.submit(runner.run, awaited).result()

        connection = run(_connected(url))
        try:
            run(connection.execute("begin isolation level repeatable read"))
            yield lambda statement, values: [tuple(row) for row in run(connection.fetch(_numbered(statement), *values))]
            run(connection.execute("commit"))
        finally:
            run(connection.close())
            thread.submit(runner.close).result()


async def _connected(url: str) -> Any:
    """A connection for which ids are bytes, as they are in SQLite."""
    connection = await asyncpg.connect(url)
    await connection.set_type_codec("uuid", schema="pg_catalog", format="binary", encoder=bytes, decoder=bytes)
    return connection


def _numbered(statement: str) -> str:
    numbers = count(1)
    return re.sub(r"\?", lambda _: f"${next(numbers)}", statement)
