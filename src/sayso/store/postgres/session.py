"""The writer's connection: every statement on it has a name, and a fault point on each side of it."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeVar

from sayso.core.rows import Columns
from sayso.ports import CommitUnknown, StatementFailed, StoreError
from sayso.store.postgres.connection import Session, part
from sayso.store.postgres.failures import ERRORS, Away, failure
from sayso.store.postgres.statements import Statement

T = TypeVar("T")
Faults = Callable[[str], None]

# The rules of what is seen and written are ours, whatever the server's own are.
BEGIN = "begin isolation level read committed read write"


class WriterSession:
    """One connection on one loop, made when it is first needed and made anew once it is lost."""

    def __init__(self, connect: Callable[[], Awaitable[Session]], faults: Faults | None) -> None:
        self._connect = connect
        self._faults = faults or (lambda _: None)
        self._session: Session | None = None
        self._is_taken = False
        self._is_warned = False

    def take(self) -> None:
        """Have the connection for one transaction."""
        if self._is_taken:
            raise RuntimeError("a transaction is open already: only the writer opens one, and one at a time")
        self._is_taken = True

    def give_back(self) -> None:
        """The transaction is over."""
        self._is_taken = False

    async def begin(self) -> None:
        """Begin a transaction, on a new connection if the last one was lost, as may be noticed only now."""
        if self._session is not None and not self._session.is_closed():
            with contextlib.suppress(Away):
                await self._tagged("begin", BEGIN)
                return
        self._session = await self._connect()
        self._session.add_log_listener(self._heard)
        await self._tagged("begin", BEGIN)

    async def fetch(self, statement: Statement, values: Sequence[Any]) -> list[Columns]:
        """All rows of a statement."""
        return await self._run(statement.name, lambda session: session.fetch(statement.text, *values))

    async def change(self, statement: Statement, values: Sequence[Any]) -> int:
        """Run a statement; how many rows it changed."""
        tag = await self._run(statement.name, lambda session: session.execute(statement.text, *values))
        return int(tag.rpartition(" ")[2])

    async def commit(self) -> None:
        """Commit. What was not, or not as durably as the server is set to, is a failure."""
        self._is_warned = False
        if await self._tagged("commit", "commit") != "COMMIT":
            raise StatementFailed("commit: a statement had failed, and the transaction was rolled back")
        if self._is_warned:  # such as: it has committed here, but may not have been replicated
            raise CommitUnknown("commit: the server committed with a warning")

    async def rollback(self) -> None:
        """End the transaction without a trace. If that cannot be said to the server, it notices the lost session."""
        try:
            if self._session is not None:
                await self._tagged("rollback", "rollback")
        except StoreError:
            self.drop()
        except BaseException:
            self.drop()
            raise

    def drop(self) -> None:
        """Let the connection go; the server rolls back what was open on it."""
        session, self._session = self._session, None
        if session is not None:
            session.terminate()

    async def close(self) -> None:
        """Close the connection."""
        session, self._session = self._session, None
        if session is not None:
            await part(session)

    def _heard(self, _session: Any, message: Any) -> None:
        self._is_warned = self._is_warned or getattr(message, "severity", "") == "WARNING"

    async def _tagged(self, name: str, text: str) -> str:
        return await self._run(name, lambda session: session.execute(text))

    async def _run(self, name: str, call: Callable[[Session], Awaitable[T]]) -> T:
        """The one way to the server: what happens to each statement happens here."""
        assert self._session is not None, "a transaction begins on a connection"
        try:
            self._faults(f"before {name}")
            result = await call(self._session)
            self._faults(f"after {name}")
        except ERRORS as error:
            fault = failure(name, error)
            if isinstance(fault, CommitUnknown):
                self.drop()
            raise fault from None
        except asyncio.CancelledError:
            self.drop()
            raise
        return result
