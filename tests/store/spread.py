"""A store over several: each shard is one of another store's, and nothing that a store promises crosses shards."""

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager

from sayso.core.rows import Parameter, Row
from sayso.ports import Due, Store, Transaction


class Spread:
    """Shard n is in the n-th of the stores; what is no run data is in the first. Closes them all."""

    def __init__(self, parts: Sequence[Store]) -> None:
        self.parts = parts
        self.shards = len(parts)
        self.secret = parts[0].secret

    def transaction(self, shard: int) -> AbstractAsyncContextManager[Transaction]:
        return self.parts[shard].transaction(shard)

    async def query(self, name: str, /, **parameters: Parameter) -> Sequence[Row]:
        shard = parameters.get("shard", 0)
        assert isinstance(shard, int)
        return await self.parts[shard].query(name, **parameters)

    async def now(self) -> int:
        return await self.parts[0].now()

    async def reference_version(self) -> int:
        return await self.parts[0].reference_version()

    async def claim(self, shard: int, limit: int) -> Sequence[Due]:
        return await self.parts[shard].claim(shard, limit)

    async def release(self, shard: int, claimed: Sequence[Due]) -> None:
        await self.parts[shard].release(shard, claimed)

    async def next_due(self, shard: int) -> int | None:
        return await self.parts[shard].next_due(shard)

    def tell(self, due_at: int) -> None:
        self.parts[0].tell(due_at)

    async def scrub(self) -> None:
        for part in self.parts:
            await part.scrub()

    async def close(self) -> None:
        for part in self.parts:
            await part.close()
