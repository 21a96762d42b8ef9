"""A follower of feeds: reads what comes after where it stands, and nothing else tells it what it may have missed."""

import asyncio
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from time import monotonic

from bench.children import Gate
from bench.ground import Place
from sayso.core.rows import Row
from sayso.ports import Store

PAGE = 1_000
REST_S = 0.005
PATIENCE_S = 60.0


@dataclass(frozen=True, kw_only=True)
class Followed:
    """What a follower saw: a digest of all, in order, and how late it saw each, in microseconds."""

    digest: str
    lags: list[int]


@dataclass(kw_only=True)
class Follower:
    """Where a follower stands in the feed of one playbook."""

    playbook: int
    position: int = 0
    lags: list[int] = field(default_factory=list)
    _seqs: dict[bytes, int] = field(default_factory=dict)
    _digest: "hashlib._Hash" = field(default_factory=hashlib.sha256)

    async def look(self, store: Store) -> int:
        """Read the next page; how many events it had."""
        where = {"shard": 0, "playbook": self.playbook, "after": self.position, "limit": PAGE}
        rows = await store.query("feed_after", **where)
        now = await store.now()
        for row in rows:
            self.take(row)
            self.lags.append(now - row["at"])
        return len(rows)

    def take(self, row: Row) -> None:
        """See one event: it comes next in its feed, and next in its stream."""
        stream, seq = row["stream"], row["seq"]
        assert row["position"] == self.position + 1, f"{row['position']} came after {self.position}"
        assert seq == self._seqs.get(stream, 0) + 1, f"event {seq} of a stream came after {self._seqs.get(stream, 0)}"
        self.position, self._seqs[stream] = row["position"], seq
        self._digest.update(stream + seq.to_bytes(3))

    @property
    def digest(self) -> str:
        """Of all that was seen, in its order."""
        return self._digest.hexdigest()


async def follow(gate: Gate, place: Place, playbooks: Sequence[int], events: int) -> Followed:
    """Follow these playbooks until so many events were seen in each."""
    store = await place.open()
    try:
        followers = [Follower(playbook=playbook) for playbook in playbooks]
        await gate.ready()
        moved_at = monotonic()
        while behind := [one for one in followers if one.position < events]:
            if sum([await one.look(store) for one in behind]):
                moved_at = monotonic()
            else:
                assert monotonic() < moved_at + PATIENCE_S, f"nothing comes after {[one.position for one in behind]}"
                await asyncio.sleep(REST_S)
    finally:
        await store.close()
    lags = [lag for one in followers for lag in one.lags]
    return Followed(digest=" ".join(one.digest for one in followers), lags=lags)
