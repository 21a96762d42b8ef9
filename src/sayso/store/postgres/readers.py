"""Connections for reading, and for claims: a few for each loop that asks."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Any, Final

from sayso.core.rows import Columns
from sayso.ports import CommitUnknown
from sayso.store.postgres.connection import Session, fetch, part
from sayso.store.postgres.failures import Away
from sayso.store.postgres.statements import Statement

# Enough to keep a long list from holding up the next, and few enough for many processes on one server.
CONNECTIONS: Final = 4

Connect = Callable[[], Awaitable[Session]]


class Readers:
    """The connections of one loop: made when they are needed, kept, made anew when they are lost."""

    def __init__(self, connect: Connect) -> None:
        self._connect = connect
        self._idle: list[Session] = []
        self._free = asyncio.Semaphore(CONNECTIONS)

    async def rows(self, statement: Statement, values: Sequence[Any]) -> list[Columns]:
        """The rows of a statement that is a transaction by itself.

        A connection that was idle may be found lost: then the statement is tried once more, on a new one.
        """
        async with self._free:
            if self._idle:
                with contextlib.suppress(Away):
                    return await self._on(self._idle.pop(), statement, values)
                self._drop_idle()
            return await self._on(await self._connect(), statement, values)

    async def _on(self, session: Session, statement: Statement, values: Sequence[Any]) -> list[Columns]:
        async with self._given_back(session):
            return await fetch(session, statement.name, statement.text, values)

    @contextlib.asynccontextmanager
    async def _given_back(self, session: Session) -> AsyncIterator[None]:
        """Keep the session afterwards, unless it is lost, or was left in the middle of a statement."""
        try:
            yield
        except Exception as fault:
            if isinstance(fault, CommitUnknown):
                session.terminate()
            else:
                self._idle.append(session)
            raise
        except BaseException:
            session.terminate()
            raise
        else:
            self._idle.append(session)

    def _drop_idle(self) -> None:
        """What one has lost the others have most likely lost too."""
        lost, self._idle = self._idle, []
        for session in lost:
            session.terminate()

    async def close(self) -> None:
        """Close what is idle, and with it all."""
        while self._idle:
            await part(self._idle.pop())
