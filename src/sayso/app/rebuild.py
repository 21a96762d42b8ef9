"""Rebuild: heads of folded streams as their events say them, and counters of open requests as the heads say them.

A page is one transaction of the writer, which locks what it may write: other processes serve meanwhile.
"""

from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial, reduce
from itertools import pairwise

from sayso.app.units.writer import Writer
from sayso.core import heads, rows
from sayso.core.heads import Head
from sayso.core.machines.machine import Machines
from sayso.core.rows import Row
from sayso.ports import Batch, HeadWrite, StatementFailed, Store, Transaction

PAGE = 200
# Playbooks whose counters are held at once: nobody asks or answers in them for so long.
PLAYBOOKS = 16


@dataclass(frozen=True, kw_only=True)
class Changed:
    """A head that differed: as it stood, and as its events say it."""

    before: Head
    after: Head

    @property
    def columns(self) -> list[str]:
        """What differed."""
        names = (field.name for field in fields(Head))
        return [name for name in names if getattr(self.before, name) != getattr(self.after, name)]


@dataclass(frozen=True, kw_only=True)
class Damaged:
    """A stream that was left as it is, and why."""

    head: Head
    why: str


@dataclass(frozen=True, kw_only=True)
class Recounted:
    """A playbook whose counter of open requests differed."""

    playbook: int
    before: int
    after: int


@dataclass(frozen=True, kw_only=True)
class Found:
    """What was found on a page: how many streams were looked at, what differed, and what could not be read."""

    looked: int = 0
    changed: Sequence[Changed] = ()
    damaged: Sequence[Damaged] = ()
    recounted: Sequence[Recounted] = ()
    last: bytes = b""  # the stream that the page ends with


class Rebuild:
    """One pass over a store. With ``check`` it tells what differs, and changes nothing."""

    def __init__(self, store: Store, writer: Writer, machines: Machines, *, check: bool) -> None:
        self._store = store
        self._writer = writer
        self._machines = machines
        self._check = check
        self._opened: Counter[int] = Counter()  # heads that differed, by playbook: how many more are open

    async def run(self) -> AsyncIterator[Found]:
        """Page after page; what is told of one is durable."""
        playbooks = await self._store.query("playbooks")
        for shard in range(self._store.shards):
            async for found in self._heads(shard):
                yield found
            here = [row["playbook"] for row in playbooks if row["shard"] == shard]
            for start in range(0, len(here), PLAYBOOKS):
                page = here[start : start + PLAYBOOKS]
                yield await self._writer.change(partial(self._recount, shard, page[0], page[-1]), shard=shard)

    async def _heads(self, shard: int) -> AsyncIterator[Found]:
        """Pages of heads. One that the store refuses is tried in smaller parts, until the head at fault is alone."""
        after, limit = bytes(16), PAGE
        while True:
            try:
                found = await self._page(shard, after, limit, write=not self._check)
            except StatementFailed as fault:
                if limit > 1:
                    limit //= 2
                    continue
                found = _unwritable(await self._page(shard, after, 1, write=False), fault)
                limit = PAGE
            if not found.looked:
                return
            self._opened.update(_opened(found.changed))
            yield found
            after = found.last

    async def _page(self, shard: int, after: bytes, limit: int, *, write: bool) -> Found:
        async def work(transaction: Transaction) -> Found:
            found = await self._refold(shard, after, limit, transaction)
            if write and found.changed:
                writes = [HeadWrite(head=_next(one.after), base=one.before.version) for one in found.changed]
                await transaction.write(Batch(heads=writes))
            return found

        return await self._writer.change(work, shard=shard)

    async def _refold(self, shard: int, after: bytes, limit: int, transaction: Transaction) -> Found:
        rows_of = partial(transaction.query, shard=shard, after=after)
        locked = [rows.head(row) for row in await rows_of("folded_heads", limit=limit)]
        if not locked:
            return Found()
        last = locked[-1].stream
        events = defaultdict[bytes, list[Row]](list)
        for row in await rows_of("refold_events", last=last):
            events[row["stream"]].append(row)
        now = await transaction.now()
        changed, damaged = [], []
        for head in locked:
            try:
                again = self._refolded(head, events[head.stream], now)
            except Exception as fault:  # whatever it is that a damaged row does to its machine
                damaged.append(Damaged(head=head, why=f"Its events cannot be folded: {fault}"))
                continue
            if again != head:
                changed.append(Changed(before=head, after=again))
        return Found(looked=len(locked), changed=changed, damaged=damaged, last=last)

    def _refolded(self, head: Head, found: Sequence[Row], now: int) -> Head:
        recorded = [rows.recorded(head.stream, row) for row in sorted(found, key=lambda row: int(row["seq"]))]
        _check_whole(head, [one.seq for one in recorded])
        machine = self._machines.folded[head.kind]
        state = reduce(machine.evolve, recorded, machine.initial())
        last = recorded[-1]
        return heads.refolded(head, machine.summary(state), seq=last.seq, last_at=last.at, now=now)

    async def _recount(self, shard: int, first: int, last: int, transaction: Transaction) -> Found:
        """The counters are locked before anything is counted, so that nobody opens or ends a request in between."""
        rows_of = partial(transaction.query, shard=shard, first=first, last=last)
        counters = await rows_of("counted_feeds")
        waiting = Counter({row["playbook"]: row["open"] for row in await rows_of("open_heads")})
        if self._check:  # the heads themselves were left as they are
            waiting.update(self._opened)
        recounted = [
            Recounted(playbook=row["playbook"], before=row["open"], after=waiting[row["playbook"]])
            for row in counters
            if row["open"] != waiting[row["playbook"]]
        ]
        if recounted and not self._check:
            await transaction.write(Batch(opened={one.playbook: one.after - one.before for one in recounted}))
        return Found(recounted=recounted)


def _check_whole(head: Head, seqs: Sequence[int]) -> None:
    """Refuse a stream with a hole. If its last events are lost, its head alone remembers how it ended."""
    if not seqs:
        raise ValueError("there are none")
    gap = next((before + 1 for before, after in pairwise(seqs) if after != before + 1), seqs[-1] + 1)
    if gap <= max(head.seq, seqs[-1]):
        raise ValueError(f"event {gap} is missing")


def _next(head: Head) -> Head:
    return replace(head, version=head.version + 1)


def _opened(changed: Sequence[Changed]) -> Counter[int]:
    opened = Counter[int]()
    for one in changed:
        opened[one.before.playbook] += one.after.open - one.before.open
    return opened


def _unwritable(found: Found, fault: StatementFailed) -> Found:
    """A page of one stream whose head cannot be written."""
    damaged = [Damaged(head=one.before, why=f"Its head cannot be written: {fault}") for one in found.changed]
    return replace(found, changed=(), damaged=damaged)
