"""A month of a store on PostgreSQL that is over: filled with runs that ended in it, and dropped as an operator does.

The runs are copies of real ones, one of each playbook: the same events, in streams of their own.
"""

import asyncio
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

import asyncpg

from bench.conditions import tell
from bench.ground import Place
from sayso.core.rows import HEAD_COLUMNS
from sayso.store.postgres.connection import Address, part
from sayso.store.postgres.partitions import ensure_months

EVENTS = 4  # of a run that was answered
CHUNK = 250_000
DAY_S = 86_400

# What is copied, each with its place among the others, and where its feed was.
_COPIED = """
create unlogged table copied as
select h.*, row_number() over (order by h.playbook) - 1 as place, f.position as fed, count(*) over () as others
from heads h join feeds f using (shard, playbook) where h.stream = any($1::uuid[])
"""
# The nth copy: of the milliseconds after the first of them, of shard 0, told from the others by its number.
_STREAM = """cast(lpad(to_hex($3 + n / 1000), 12, '0') || '7' || lpad(to_hex(n % 1000 * 4096 / 1000), 3, '0')
  || '8' || lpad(to_hex(n), 10, '0') || '00000' as uuid)"""
_COPIES = "from generate_series($1::bigint, $2::bigint - 1) n join copied c on c.place = n % $4::bigint"
_OTHERS = [column for column in HEAD_COLUMNS if column not in {"stream", "run_id"}]
_HEADS = f"""
insert into heads(stream, {", ".join(_OTHERS)}) select {_STREAM}, {", ".join(f"c.{one}" for one in _OTHERS)} {_COPIES}
"""
_EVENTS = f"""
insert into events(position, at, playbook, seq, by, shard, type, v, stream, data, content)
select c.fed + n / $4 * {EVENTS} + e.seq, e.at, e.playbook, e.seq, e.by, e.shard, e.type, e.v, {_STREAM}, e.data,
  e.content
{_COPIES} join events e on e.shard = c.shard and e.stream = c.stream
"""
_FED = f"""
update feeds f set position = f.position + $1::bigint / c.others * {EVENTS} from copied c
where f.shard = c.shard and f.playbook = c.playbook
"""


@dataclass(frozen=True, kw_only=True)
class OldMonth:
    """One of a store, by its beginning."""

    place: Place
    begins: datetime

    @property
    def url(self) -> str:
        """The store's database."""
        found = self.place.settings().database
        assert found is not None, "months are PostgreSQL's"
        return found

    @property
    def ahead_us(self) -> int:
        """How far a clock is put ahead that shows the month's tenth day: less than nothing."""
        seconds = (self.begins - datetime.now(self.begins.tzinfo)).total_seconds()
        return int(seconds + 9 * DAY_S) * 1_000_000

    async def make(self) -> None:
        """Let it have a table of its own, in a store that has tables."""
        session = await Address(self.url).connect()
        await ensure_months(session, int(self.begins.timestamp()) * 1_000_000)
        await part(session)

    async def fill(self, ended: Sequence[bytes], runs: int) -> None:
        """Copy these runs, one of each playbook, until there are so many more."""
        milliseconds = int(self.begins.timestamp() + 10 * DAY_S) * 1000
        database = await asyncpg.connect(self.url)
        await database.execute(_COPIED, [UUID(bytes=stream) for stream in ended])
        for first in range(0, runs, CHUNK):
            last = min(first + CHUNK, runs)
            for copy in (_HEADS, _EVENTS):
                await database.execute(copy, first, last, milliseconds, len(ended))
            tell(f"{last * EVENTS:,} events of {self.begins:%Y-%m}")
        await database.execute(_FED, runs)
        await database.execute("drop table copied")
        await database.close()

    async def drop(self) -> None:
        """Drop it."""
        command = ("-m", "sayso.cli.main", "months", "--drop", f"{self.begins:%Y-%m}", "--yes", "--database", self.url)
        process = await asyncio.create_subprocess_exec(sys.executable, *command, stdout=asyncio.subprocess.PIPE)
        said, _ = await process.communicate()
        assert process.returncode == 0, "the month was not dropped"
        tell(said.decode().strip())
