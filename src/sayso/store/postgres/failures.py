"""What an error of PostgreSQL, or of the way to it, means to a unit."""

from typing import Final

import asyncpg

from sayso.ports import CommitUnknown, Moved, StatementFailed, StoreError
from sayso.store.fences import ConstraintFailed

# What is raised by a statement, or by what brings it to the server and its answer back. A value that no column can
# hold is a `DataError` of asyncpg's own.
ERRORS: Final = (asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError, OSError, TimeoutError)

# Two transactions met, and the database let the other go first.
_MOVED: Final = frozenset({"40001", "40P01"})

# Nothing is wrong with the statement: the server cannot serve now, or this connection not any more. Classes: lost
# connections, no resources (a full disk too), an operator's hand (a shutdown, a cancel, a time-out), the system, and
# read only transactions, as a server has them that was demoted.
_LATER: Final = ("08", "53", "57", "58", "25006", "25P03", "55P03", "XX")

# After these the session is of no use: it is over, or is one with a server that was demoted.
_LOST: Final = ("08", "57P", "25006", "25P03")

# Where the server's words would name the user.
_OWN_WORDS: Final = {
    "28": "this user may not connect to this database, or with another password",
    "53300": "all connections that the server or this user may have are taken",
}


class Away(CommitUnknown):
    """The database could not be reached, or the session with it is over, as may be noticed only when it is used."""


def failure(statement: str, error: BaseException) -> StoreError:
    """The StoreError that tells the writer what to do about an error of this statement.

    It stands for itself, without the error as its cause: what PostgreSQL tells in detail repeats values of the row.
    """
    state = getattr(error, "sqlstate", None) if isinstance(error, asyncpg.PostgresError) else None
    words = f"{statement}: {_words(error)}"
    if isinstance(error, TimeoutError):
        return CommitUnknown(words)
    if state is None or state.startswith(_LOST):
        return Away(words)
    if state in _MOVED:
        return Moved(words)
    if statement == "commit" or state.startswith(_LATER):
        return CommitUnknown(words)
    return ConstraintFailed(words) if state.startswith("23") else StatementFailed(words)


def _words(error: BaseException) -> str:
    """The kind of error, and what the server said of it but for its details, and for the name of the user."""
    state = getattr(error, "sqlstate", None) or ""
    is_the_servers = isinstance(error, asyncpg.PostgresError) and getattr(error, "severity", None) is not None
    said = str(error.args[0]) if is_the_servers else str(error) if isinstance(error, OSError) else ""
    said = next((words for states, words in _OWN_WORDS.items() if state.startswith(states)), said)
    return f"{type(error).__name__}: {said}".removesuffix(": ")
