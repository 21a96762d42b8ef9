"""What an error of SQLite means to a unit."""

import sqlite3
from typing import Final

from sayso.ports import CommitUnknown, StatementFailed, StoreBroken, StoreError
from sayso.store.fences import ConstraintFailed

# Nothing was written, and the same unit may do well later. A full disk is among them: the commit record is the last
# thing to reach the log, so the transaction is undone and what was committed before stays true; reads go on.
_LATER: Final = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_FULL, sqlite3.SQLITE_NOMEM})

# The file is not what the process believes it is, or cannot be reached any more.
_BROKEN: Final = frozenset(
    {
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_CORRUPT,
        sqlite3.SQLITE_NOTADB,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_PERM,
    }
)

# What sqlite3 raises, its own errors apart, for a value that no column can hold.
UNBINDABLE: Final = (OverflowError, ValueError)


def failure(statement: str, error: Exception) -> StoreError:
    """The StoreError that tells the writer what to do about an error of this statement."""
    words = f"{statement}: {error}"
    if not isinstance(error, sqlite3.Error):
        return StatementFailed(words)
    primary = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF  # the rest tells the cause apart
    if primary in _BROKEN:
        return StoreBroken(words)
    if primary in _LATER or statement in {"begin", "commit"}:
        return CommitUnknown(words)
    return ConstraintFailed(words) if primary == sqlite3.SQLITE_CONSTRAINT else StatementFailed(words)
