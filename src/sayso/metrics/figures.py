"""Figures: what a process counts while it works. Every label is of a closed list, so their number is bounded."""

from collections import Counter as Tally

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector

from sayso import __version__
from sayso.core import bounds
from sayso.core.events import InteractionRequested, RequestAnswered, RunRejected
from sayso.errors import Kind
from sayso.http.account import Account
from sayso.ports import Batch

REQUEST_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
BATCH_SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5)
BATCH_UNITS = (1, 2, 4, 8, 16, 32, bounds.BATCH_UNITS, 2 * bounds.BATCH_UNITS, 3 * bounds.BATCH_UNITS)


class Figures:
    """The figures of one process. They are counted from any thread."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._requests = self._counter("http_requests", "Requests by operation and status", "operation", "status")
        self._seconds = Histogram(
            "sayso_http_request_seconds",
            "How long requests took, by operation",
            ["operation"],
            buckets=REQUEST_SECONDS,
            registry=self.registry,
        )
        self._asked = self._counter("requests_opened", "Requests that were put to a party")
        self._answered = self._counter("requests_answered", "Requests that were answered")
        self._expired = self._counter("requests_expired", "Requests that nobody answered in time")
        self._events = self._counter("events", "Events that were written")
        self._batch_units = Histogram(
            "sayso_writer_batch_units", "Units of a commit", buckets=BATCH_UNITS, registry=self.registry
        )
        self._batch_seconds = Histogram(
            "sayso_writer_batch_seconds",
            "How long a commit took, from its start to its end",
            buckets=BATCH_SECONDS,
            registry=self.registry,
        )
        build = Gauge("sayso_build", "The release that runs", ["version"], registry=self.registry)
        build.labels(__version__).set(1)
        ProcessCollector(registry=self.registry)

    def _counter(self, name: str, words: str, *labels: str) -> Counter:
        return Counter(f"sayso_{name}", words, labels, registry=self.registry)

    def observe(self, account: Account) -> None:
        """Count a request."""
        self._requests.labels(account.operation, str(account.status)).inc()
        self._seconds.labels(account.operation).observe(account.seconds)

    def batch(self, units: int, seconds: float) -> None:
        """Count a commit."""
        self._batch_units.observe(units)
        self._batch_seconds.observe(seconds)

    def committed(self, batch: Batch) -> None:
        """Count what a commit wrote."""
        kinds = Tally(_meant(recorded.event) for _, recorded in batch.events)
        self._events.inc(len(batch.events))
        self._asked.inc(kinds["asked"])
        self._answered.inc(kinds["answered"])
        self._expired.inc(kinds["expired"])


def _meant(event: object) -> str:
    match event:
        case InteractionRequested():
            return "asked"
        case RequestAnswered():
            return "answered"
        case RunRejected(kind=Kind.EXPIRED):
            return "expired"
        case _:
            return ""
