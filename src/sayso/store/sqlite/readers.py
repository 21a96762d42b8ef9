"""Read connections: one for each thread that reads."""

import asyncio
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor

from sayso.core.rows import Cell, Parameter, Row
from sayso.ports import StoreError
from sayso.store.sql import Query
from sayso.store.sqlite.connection import Connection

# Enough to keep a long list from holding up the next, on a machine that has the writer and the doors to run too.
_THREADS = 2


class Readers:
    """Runs read queries: tiny ones where they are asked for, big ones in threads of their own."""

    def __init__(self, connect: Callable[[], Connection]) -> None:
        self._connect = connect
        self._own = threading.local()
        self._opened: list[Connection] = []
        self._lock = threading.Lock()
        self._closed = False
        self._pool = ThreadPoolExecutor(_THREADS, thread_name_prefix="sayso-read")

    def connection(self) -> Connection:
        """The calling thread's connection."""
        found: Connection | None = getattr(self._own, "connection", None)
        return found or self._opened_here()

    def _opened_here(self) -> Connection:
        with self._lock:
            if self._closed:
                raise StoreError("the store is closed")
            connection = self._own.connection = self._connect()
            connection.set("query_only", ["pragma query_only = on"])
            self._opened.append(connection)
            return connection

    async def query(self, query: Query, parameters: Mapping[str, Parameter]) -> Sequence[Row]:
        """The rows as last committed. A tiny query takes less time than the way to another thread and back."""
        if query.words & {"unit", "reference"}:
            raise ValueError(f"{query.name} writes, or belongs to a load: only a transaction runs it")
        text, values = query.bind(parameters)
        if "big" not in query.words:
            return self._rows(query.name, text, values)
        return await asyncio.get_running_loop().run_in_executor(self._pool, self._rows, query.name, text, values)

    def _rows(self, name: str, text: str, values: Sequence[Cell]) -> Sequence[Row]:
        return self.connection().fetch_named(name, text, values)

    def close(self) -> None:
        """Wait for the queries that run and close all connections. Idempotent."""
        self._pool.shutdown(wait=True)
        with self._lock:
            self._closed = True
            while self._opened:
                self._opened.pop().close()
