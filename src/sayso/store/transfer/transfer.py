"""A transfer: every row of a store into an empty database, and at the end a look at every row in both.

Rows go in the order of their keys, a batch a transaction. So what is there says where a transfer that was cut off goes
on, and there is no other record of it that could be wrong.
"""

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from sayso.core.instants import iso
from sayso.ports import StoreError
from sayso.store.transfer import mark
from sayso.store.transfer.mark import Mark
from sayso.store.transfer.source import SqliteSource
from sayso.store.transfer.table import Table
from sayso.store.transfer.target import PostgresTarget

BATCH_ROWS = 1_000

# Called with how many rows are dealt with, of how many: each is copied, and compared.
Progress = Callable[[int, int], None]


@dataclass(kw_only=True)
class Transfer:
    """One store on its way. ``now`` is the process's time, in microseconds."""

    folder: Path
    source: SqliteSource
    target: PostgresTarget
    now: int
    progress: Progress = lambda _done, _total: None

    def __post_init__(self) -> None:
        self._done = 0
        self._counts = {table.name: self.source.count(table) for table in self.source.tables}

    async def run(self) -> dict[str, int]:
        """Move everything; how many rows each table has. Cut off anywhere, it may be run again, to the same end."""
        marked = mark.read(self.folder)
        if marked and marked.to != self.target.shown:
            mark.refuse_moved(self.folder)
        name = marked.transfer if marked else secrets.token_hex(16)
        await self.target.make_tables()
        async with self.target.transaction():
            is_open = await self.target.admit(name, self.source.origin, self.source.tables)
            if is_open:
                # First here: from the first row that is there on, nobody may write a row here.
                mark.write(self.folder, Mark(transfer=name, to=self.target.shown))
                await self.target.begin(name, self.source.origin)
        if is_open:
            await self._move()
        mark.write(self.folder, Mark(transfer=name, to=self.target.shown, ended_at=iso(self.now)))
        return self._counts

    async def _move(self) -> None:
        oldest = self.source.oldest()
        if oldest is not None:
            await self.target.make_months(oldest, self.now)
        for table in self.source.tables:
            await self._copy(table)
        async with self.target.transaction():
            differing = [table.name for table in self.source.tables if not await self._is_equal(table)]
            await (self.target.void() if differing else self.target.end())
        if differing:
            raise StoreError(
                f"The copy differs from the store in {', '.join(differing)}: somebody else wrote in one of the two. "
                "Nothing was switched. Run the transfer again: it begins anew."
            )

    async def _copy(self, table: Table) -> None:
        async with self.target.transaction():
            after = await self.target.last(table)
        while rows := self.source.page(table, after, BATCH_ROWS):
            async with self.target.transaction():
                await self.target.put(table, rows)
            after = table.key_of(rows[-1])
            self._tell(len(rows))

    async def _is_equal(self, table: Table) -> bool:
        after = None
        while True:
            rows = self.source.page(table, after, BATCH_ROWS)
            if rows != await self.target.page(table, after, BATCH_ROWS):
                return False
            if not rows:
                return True
            after = table.key_of(rows[-1])
            self._tell(len(rows))

    def _tell(self, rows: int) -> None:
        self._done += rows
        self.progress(self._done, 2 * sum(self._counts.values()))
