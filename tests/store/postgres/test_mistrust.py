"""What a server says is not always what it means: a store that became another, a commit that may be lost."""

import asyncio
import logging

import pytest

from sayso.ports import CommitUnknown
from sayso.store.postgres.connection import Session
from tests.postgres.servers import PostgresServer
from tests.store.examples import asked
from tests.store.postgres.conftest import Open

pytestmark = pytest.mark.anyio


@pytest.fixture
def url(postgres15: PostgresServer) -> str:
    """The address of a database that no other test gets."""
    return postgres15.fresh()


@pytest.mark.parametrize(
    "change", ["update meta set secret = sha256('x')", "update meta set schema_version = 99, compatible_from = 99"]
)
async def test_a_store_that_became_another_one_is_used_no_more(
    opened: Open, session: Session, change: str, caplog: pytest.LogCaptureFixture
) -> None:
    ended = asyncio.Event()
    with caplog.at_level(logging.ERROR):
        await opened(on_broken=ended.set)
        await session.execute(change)
        async with asyncio.timeout(20):
            await ended.wait()
    assert "cannot be used any more" in caplog.text


async def test_a_commit_with_a_warning_is_not_known(opened: Open, session: Session) -> None:
    """As when an operator ends the wait for a replica: it has committed here, but may be lost with this server."""
    store = await opened()
    await session.execute(
        """create function warn() returns trigger language plpgsql as
           $$ begin raise warning 'not replicated'; return null; end $$;
           create table fragile(a int);
           create constraint trigger at_commit after insert on fragile deferrable initially deferred
             for each row execute function warn()"""
    )
    with pytest.raises(CommitUnknown, match="with a warning"):
        async with store.transaction(0) as transaction:
            await transaction.write(asked(1))
            inner = store._writers.here()._session
            assert inner is not None
            await inner.execute("insert into fragile values (1)")
    async with store.transaction(0) as transaction:
        await transaction.write(asked(2))
