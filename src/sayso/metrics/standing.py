"""How the store stands, read when somebody asks for the metrics: no query of it costs more because more is waiting."""

import asyncio
import logging
from collections.abc import Iterator

from prometheus_client import CollectorRegistry
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from sayso.app.runtime import App
from sayso.app.status import COUNTED
from sayso.ports import StoreError

log = logging.getLogger("sayso.metrics")


class Standing(Collector):
    """The figures of the store and of the worker. Those of a store that cannot be read are left out.

    Whoever asks again within ``fresh_s`` is told the same.
    """

    def __init__(self, app: App, registry: CollectorRegistry, fresh_s: float) -> None:
        self._app = app
        self._fresh_s = fresh_s
        self._read_at = float("-inf")
        self._turn = asyncio.Lock()
        self._found: dict[str, float] = {}
        registry.register(self)

    async def read(self) -> None:
        """Read what ``collect`` then tells."""
        async with self._turn:
            now = asyncio.get_running_loop().time()
            if now - self._read_at < self._fresh_s:
                return
            try:
                self._found = await self._stands()
            except StoreError as fault:
                log.warning("the store could not be read: %s", fault)
                self._found = {}
            self._read_at = now

    async def _stands(self) -> dict[str, float]:
        store = self._app.store
        now, shards = await store.now(), range(store.shards)
        totals = [(await store.query("feeds_total", shard=shard))[0] for shard in shards]
        due = [at for shard in shards if (at := await store.next_due(shard)) is not None]
        untold = [(await store.query("failing_notices", shard=shard, limit=COUNTED))[0] for shard in shards]
        return {
            "requests_open": sum(row["open"] for row in totals),
            "due_lag_seconds": max(0, now - min(due, default=now)) / 1_000_000,
            "notices_failing": sum(row["seen"] for row in untold),
            "store_bytes": (await store.query("store_bytes"))[0]["bytes"],
        }

    def collect(self) -> Iterator[Metric]:
        """See Collector."""
        worker = self._app.worker
        for name, count in (("worker_looks", worker.looks), ("worker_stuck", worker.stuck)):
            yield CounterMetricFamily(f"sayso_{name}", COUNTERS[name], value=count)
        for name, value in ({"store_readable": float(bool(self._found))} | self._found).items():
            yield GaugeMetricFamily(f"sayso_{name}", GAUGES[name], value=value)


def names() -> list[str]:
    """The names of all that is told here."""
    return [f"sayso_{name}_total" for name in COUNTERS] + [f"sayso_{name}" for name in GAUGES]


COUNTERS = {
    "worker_looks": "Streams that the worker looked at",
    "worker_stuck": "Looks that failed, or left the stream as due as it was",
}
GAUGES = {
    "store_readable": "Whether the store could be read",
    "requests_open": "Requests that wait for an answer, in the whole store",
    "due_lag_seconds": "For how long the longest due stream has been due",
    "notices_failing": "Playbooks of whose new requests nobody could be told when it was last tried",
    "store_bytes": "The size of the store",
}
