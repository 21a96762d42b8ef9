"""What the tests of the PostgreSQL store share: databases, stores on them, and a look at what waits for a lock."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from sayso.store.postgres.connection import Address, Session, part
from sayso.store.postgres.store import PostgresStore, open_postgres
from tests.store.conftest import Places

Open = Callable[..., Awaitable[PostgresStore]]

_WAITS = "select count(*) from pg_locks where not granted and locktype in ('transactionid', 'tuple')"


@pytest.fixture
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of an empty database, which has its tables."""
    places = Places(tmp_path, request, [])
    yield places.database("postgres15", 1)
    places.close()


@pytest.fixture
async def opened(url: str) -> AsyncIterator[Open]:
    """Opens stores on the database, as so many processes have them; all are closed at the end."""
    stores: list[PostgresStore] = []

    async def opened(address: str = url, **options: Any) -> PostgresStore:
        stores.append(await open_postgres(address, **options))
        return stores[-1]

    yield opened
    for store in stores:
        await store.close()


@pytest.fixture
async def session(url: str) -> AsyncIterator[Session]:
    """A session of the test's own with the database."""
    session = await Address(url).connect()
    yield session
    await part(session)


async def until(is_so: Callable[[], Awaitable[bool]]) -> None:
    """Ask again and again until it is so, for half a minute at most."""
    async with asyncio.timeout(30):
        while not await is_so():
            await asyncio.sleep(0.005)


async def until_one_waits(session: Session) -> None:
    """Until a transaction waits for what another one has locked."""

    async def one_waits() -> bool:
        return bool((await session.fetch(_WAITS))[0][0])

    await until(one_waits)
