"""SQLite: a connection that records all that is run on it, and one that plays it again."""

import sqlite3
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from tests.upgrade.recording import Statement, Tape, digest_of

# Pragmas are settings of a connection, but for those that are told by the file.
_OF_THE_FILE = ("pragma application_id", "pragma journal_mode")


class Fetched:
    """What a cursor is asked for once its statement was run."""

    def __init__(self, text: str, cursor: sqlite3.Cursor) -> None:
        self._text = text
        self.rows: list[Any] = cursor.fetchall()
        self.description = cursor.description
        self.rowcount = cursor.rowcount

    def fetchall(self) -> list[Any]:
        return self.rows

    @property
    def outcome(self) -> str:
        return digest_of(self._text, self.rows) if self.description else str(self.rowcount)


def recording(tape: Tape, connect: Callable[..., sqlite3.Connection]) -> Callable[..., sqlite3.Connection]:
    """A ``sqlite3.connect`` whose connections write to the tape."""

    def keep(text: str, values: Sequence[Any], method: str, fetched: Fetched) -> None:
        if not text.startswith("pragma") or text.startswith(_OF_THE_FILE):
            tape.keep(text, values, method, fetched.outcome)

    class Recorded(sqlite3.Connection):
        def execute(self, text: str, values: Any = (), /) -> Any:
            fetched = Fetched(text, super().execute(text, values))
            keep(text, list(values), "execute", fetched)
            return fetched

        def executemany(self, text: str, rows: Iterable[Any], /) -> Any:
            kept = [list(row) for row in rows]
            fetched = Fetched(text, super().executemany(text, kept))
            keep(text, kept, "executemany", fetched)
            return fetched

    return lambda *args, **options: connect(*args, factory=Recorded, **options)


class Player:
    """A connection that plays recorded statements; it waits for a lock as long as a server does."""

    def __init__(self, address: str) -> None:
        self._connection = sqlite3.connect(address, isolation_level=None, timeout=5)

    async def play(self, statement: Statement) -> str:
        """What comes of a recorded statement now."""
        run = getattr(self._connection, statement.method)
        return Fetched(statement.text, run(statement.text, statement.values)).outcome

    async def close(self) -> None:
        """Let go of the file."""
        self._connection.close()
