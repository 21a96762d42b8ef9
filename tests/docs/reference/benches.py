"""The benchmarks and their bars, as `bench` has them."""

import sys
from collections.abc import Iterator

from bench.bars import BARS, Bar
from bench.benchmarks import BENCHMARKS, POSTGRES_ONLY
from tests.docs.reference.table import code, table

STORES = ("sqlite", "postgres")


def listed() -> str:
    """Each benchmark with what it measures, as it says itself."""
    rows = ((code(name), _said(name), "PostgreSQL" if name in POSTGRES_ONLY else "both") for name in BENCHMARKS)
    return table(("NAME", "What it measures", "Stores"), rows)


def _said(name: str) -> str:
    says = sys.modules[BENCHMARKS[name].__module__].__doc__ or ""
    title, _, words = says.partition("\n\n")[0].replace("\n", " ").partition(": ")
    if title != name:
        raise LookupError(f"the benchmark {name} does not say what it measures")
    return words[0].upper() + words[1:]


def bars() -> str:
    """What each judged figure has to be on each store: its goal, its reach, its floor."""
    return table(("NAME", "Figure", "SQLite", "PostgreSQL"), _bars())


def _bars() -> Iterator[tuple[str, ...]]:
    for name in BENCHMARKS:
        by_store = {store: {bar.figure: bar for bar in BARS.get((name, store), ())} for store in STORES}
        for figure in dict.fromkeys(figure for bars in by_store.values() for figure in bars):
            yield (code(name), figure, *(_marks(by_store[store].get(figure)) for store in STORES))


def _marks(bar: Bar | None) -> str:
    if bar is None:
        return ""
    return f"{'≤' if bar.at_most else '≥'} {bar.goal:g}, {bar.reach:g}, {bar.floor:g}"
