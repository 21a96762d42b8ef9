"""A connection to a SQLite file whose every statement has a name, and a fault point on each side of it."""

import sqlite3
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from sayso.core.heads import Outcome, Status, StreamKind
from sayso.core.rows import Cell, Columns, Row
from sayso.ports import CommitUnknown, StoreBroken, StoreError
from sayso.store.sqlite.failures import UNBINDABLE, failure

T = TypeVar("T")
Faults = Callable[[str], None]

# Each setting of a connection is one statement. WAL is set apart: it changes the file.
_SETTINGS = (
    "pragma synchronous = full",
    "pragma foreign_keys = off",
    "pragma secure_delete = on",  # what an erasure clears leaves the file
    "pragma temp_store = memory",
    "pragma cache_size = -32768",
    "pragma wal_autocheckpoint = 4000",  # 16 MB: a fifth less work under load than a checkpoint each 4 MB
    "pragma journal_size_limit = 67108864",
)

# Values of these types are bound as they are. Without a word about a type, the driver looks for a method of each value
# that says how, which takes about as long as all the rest of binding it.
sqlite3.register_adapter(bytes, bytes)
sqlite3.register_adapter(type(None), lambda nothing: nothing)
for _kind in (StreamKind, Status, Outcome):
    sqlite3.register_adapter(_kind, int)


class Connection:
    """A connection in autocommit: transactions are begun and ended by name, like every other statement.

    It may be used by any thread, but by one at a time.
    """

    def __init__(
        self,
        address: str,
        *,
        busy_seconds: float,
        faults: Faults | None = None,
        on_broken: Callable[[], None] = lambda: None,
    ) -> None:
        self._faults = faults
        self._on_broken = on_broken
        self._file = self._run("open", lambda: _opened(address, busy_seconds))
        self._open = True
        try:
            self.set("settings", _SETTINGS)
        except BaseException:
            self.close()
            raise

    @property
    def in_transaction(self) -> bool:
        """Whether a transaction is open; SQLite ends it by itself after some errors."""
        return self._open and self._file.in_transaction

    def fetch(self, name: str, text: str, values: Sequence[Cell] = ()) -> list[Columns]:
        """All rows of a statement."""
        return self._run(name, lambda: self._file.execute(text, values).fetchall())

    def fetch_named(self, name: str, text: str, values: Sequence[Cell]) -> list[Row]:
        """All rows of a statement, by the names of their columns."""
        cursor, rows = self._run(name, lambda: _both(self._file.execute(text, values)))
        columns = [column[0] for column in cursor.description or ()]
        return [dict(zip(columns, row, strict=True)) for row in rows]

    def many(self, name: str, text: str, rows: Iterable[Sequence[Cell]]) -> int:
        """Run a statement for each row; how many rows of the table it changed in all."""
        return self._run(name, lambda: self._file.executemany(text, rows).rowcount)

    def set(self, name: str, texts: Iterable[str]) -> None:
        """Run statements that make one step and give no rows."""
        self._run(name, lambda: [self._file.execute(text).fetchall() for text in texts])

    def begin(self) -> None:
        """Begin the transaction and take the file's write lock with it, so that nothing read in it can change."""
        self._whole("begin", "begin immediate")

    def commit(self) -> None:
        """Commit, or leave nothing behind."""
        self._whole("commit", "commit")

    def rollback(self) -> None:
        """End the transaction without a trace, unless SQLite has done so already."""
        if not self.in_transaction:
            return
        try:
            self._run("rollback", lambda: self._file.execute("rollback"))
        except StoreError as error:
            raise StoreBroken(f"a transaction could not be undone: {error}") from error

    def close(self) -> None:
        """Close the file. Idempotent."""
        self._open = False
        self._file.close()

    def _whole(self, name: str, text: str) -> None:
        """Run what begins or ends a transaction; if that fails there is none any more."""
        try:
            self._run(name, lambda: self._file.execute(text))
        except BaseException:
            self.rollback()
            raise

    def _run(self, name: str, call: Callable[[], T]) -> T:
        """The one way to the file: what happens to each statement happens here."""
        try:
            if self._faults:
                self._faults(f"before {name}")
            result = call()
            if self._faults:
                self._faults(f"after {name}")
        except MemoryError as error:
            raise CommitUnknown(f"{name}: out of memory") from error
        except (sqlite3.Error, *UNBINDABLE) as error:
            fault = failure(name, error)
            if isinstance(fault, StoreBroken):
                self._on_broken()
            raise fault from error
        return result


def _opened(address: str, busy_seconds: float) -> sqlite3.Connection:
    return sqlite3.connect(
        address,
        uri=True,
        timeout=busy_seconds,
        isolation_level=None,
        check_same_thread=False,
        cached_statements=512,
    )


def _both(cursor: sqlite3.Cursor) -> tuple[sqlite3.Cursor, list[Columns]]:
    return cursor, cursor.fetchall()
