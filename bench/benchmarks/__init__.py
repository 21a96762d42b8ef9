"""The benchmarks by name. Each is a generator of rounds."""

from collections.abc import AsyncIterator, Callable, Mapping

from bench.benchmarks import (
    commits,
    disk,
    feed,
    growth,
    handle,
    idle,
    memory,
    months,
    notices,
    processes,
    restart,
    retries,
    storm,
)
from bench.conditions import Conditions
from bench.rounds import Figures

BENCHMARKS: Mapping[str, Callable[[Conditions], AsyncIterator[Figures]]] = {
    "commits": commits.rounds,
    "disk": disk.rounds,
    "feed": feed.rounds,
    "growth": growth.rounds,
    "handle": handle.rounds,
    "idle": idle.rounds,
    "memory": memory.rounds,
    "months": months.rounds,
    "notices": notices.rounds,
    "processes": processes.rounds,
    "restart": restart.rounds,
    "retries": retries.rounds,
    "storm": storm.rounds,
}

# What SQLite has not: several processes that write, and tables for months.
POSTGRES_ONLY = frozenset({"months", "processes"})
