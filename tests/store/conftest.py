"""One suite for all stores: each test of behaviour runs on every one of them, with one shard and with four."""

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from sayso.ports import Batch, Loaded, Store, Wanted
from sayso.store import SqliteStore, open_store
from tests.app.world import TurnedClock

MAKERS: dict[str, Callable[..., SqliteStore]] = {
    "file": open_store,
    "memory": lambda _, **options: SqliteStore(":memory:", **options),
}


@dataclass
class Stored:
    """A store under test, the shard that the test works in (the last one), and its clock, which tests turn."""

    store: Store
    shard: int
    clock: TurnedClock

    async def write(self, *batches: Batch) -> None:
        """Commit each batch."""
        for batch in batches:
            async with self.store.transaction(self.shard) as transaction:
                await transaction.write(batch)

    async def load(self, **wanted: Any) -> Loaded:
        """Load, in a transaction of its own."""
        async with self.store.transaction(self.shard) as transaction:
            return await transaction.load(Wanted(**wanted))

    async def rows(self, name: str, /, **parameters: Any) -> list[dict[str, Any]]:
        """The rows of a query of run data."""
        return [dict(row) for row in await self.store.query(name, shard=self.shard, **parameters)]


@pytest.fixture(
    params=[(kind, shards) for kind in MAKERS for shards in (1, 4)], ids=lambda each: f"{each[0]}-{each[1]}"
)
async def stored(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Stored]:
    """An empty store of each kind."""
    kind, shards = request.param
    clock = TurnedClock(0)
    store = MAKERS[kind](tmp_path, shards=shards, clock=clock)
    yield Stored(store, shards - 1, clock)
    await store.close()
