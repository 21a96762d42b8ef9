"""The store that a run of the tests is on: SQLite with one shard, unless the environment chooses another.

    SAYSO_TEST_STORE   sqlite, postgres15, postgres18; spread-sqlite and spread-postgres are one of four databases
    SAYSO_TEST_SHARDS  1, or 4, which it always is for one that is spread

What is about SQLite itself stays on SQLite, whatever is chosen. Where a folder was prepared for a store on PostgreSQL,
that is where its store is, whatever is chosen.
"""

import atexit
import contextlib
import os
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

from sayso import compose
from sayso.app.runtime import App
from sayso.live import Live
from sayso.metrics.figures import Figures
from sayso.ports import Clock, Entropy, Store
from sayso.settings import Settings
from sayso.store import SqliteStore, open_store
from sayso.store.queries import queries
from tests.postgres.databases import Databases
from tests.postgres.fixtures import binaries
from tests.postgres.servers import PostgresServer
from tests.store.spread import Spread

NAME = os.environ.get("SAYSO_TEST_STORE") or "sqlite"
IS_SPREAD = NAME.startswith("spread-")
SHARDS = 4 if IS_SPREAD else int(os.environ.get("SAYSO_TEST_SHARDS") or "1")
PARTS = 4 if IS_SPREAD else 1
# Where tests work that choose a shard themselves: the last, so that none of them works by chance alone.
SHARD = SHARDS - 1
# Where the app puts the playbook ``default`` of the first org.
DEFAULT_SHARD = (1 + sum(b"default")) % SHARDS
# The statement that writes a batch's events.
WRITE_EVENTS = "append_events" if "postgres" in NAME else "insert_events"

Faults = Callable[[str], None]
_TOLD = "databases"


class _Lent:
    """The databases that are lent now, by what they are lent to: a folder, or anything that stays the same.

    A folder says in a file which ones it has, so that other processes find the same in it.
    """

    def __init__(self) -> None:
        self.urls: dict[object, list[str]] = {}

    def to(self, whom: object) -> list[str]:
        """Those of one store, the same again until they are given back."""
        if whom not in self.urls:
            told = whom / _TOLD if isinstance(whom, Path) else None
            if told is not None and told.exists():
                return told.read_text().split()
            self.urls[whom] = [_databases().lend() for _ in range(PARTS)]
            if told is not None:
                put(told.parent, *self.urls[whom])
        return self.urls[whom]

    def give_back(self, whom: object) -> None:
        """Take back what was lent to somebody, if anything was."""
        for url in self.urls.pop(whom, ()):
            _databases().give_back(url)


lent = _Lent()


@contextlib.contextmanager
def lending() -> Iterator[None]:
    """Whatever is lent within the context is given back at its end."""
    before = set(lent.urls)
    try:
        yield
    finally:
        for whom in lent.urls.keys() - before:
            lent.give_back(whom)


def urls(store: Store | Path) -> list[str]:
    """The addresses of the databases of a store, or of a folder; an open store is taken to be the only one."""
    return lent.to(store) if isinstance(store, Path) else [url for some in lent.urls.values() for url in some]


def put(folder: Path, *urls: str) -> None:
    """Let the store of a folder be in these databases."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / _TOLD).write_text("\n".join(urls))


def prepare(folder: Path, name: str = NAME) -> None:
    """Have the store of a folder where other processes find it, too; and on PostgreSQL, if that is its name."""
    if "postgres" in name:
        lent.to(folder)


def is_postgres(folder: object = None) -> bool:
    """Whether the store of a folder is on PostgreSQL; of none, whether all are that no folder says otherwise of."""
    return "postgres" in NAME or (isinstance(folder, Path) and (folder / _TOLD).exists())


def server_name() -> str:
    """The PostgreSQL server of proofs that need one: the newer one if the tests are on it, else Debian's."""
    return NAME if NAME == "postgres18" else "postgres15"


def statements(name: str = NAME) -> set[str]:
    """The names of all statements that a transaction may run to write: before and after each lies a fault point."""
    named = queries("postgres" if "postgres" in name else "sqlite").items()
    written = {name for name, query in named if query.words & {"unit", "reference"}}
    return {"begin", *written, "commit", "rollback"} - {"now"}  # tests bring their own clock


@cache
def _databases() -> Databases:
    """Those of the suite's server, which keeps nothing safe: no test of behaviour needs that, and all are quicker."""
    unsafe = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off", "max_connections": "300"}
    server = PostgresServer(binaries(server_name()), **unsafe)
    atexit.register(server.close)
    server.start()
    return Databases(server)


async def opened(folder: Path | None = None, *, clock: Clock | None = None, faults: Faults | None = None) -> Store:
    """A store of the chosen kind: an empty one, or the one of the folder, where there is one already."""
    if is_postgres(folder):
        from sayso.store.postgres.store import open_postgres

        urls = lent.to(folder or object())
        parts: list[Store] = [await open_postgres(url, shards=SHARDS, clock=clock, faults=faults) for url in urls]
    elif folder is None:
        parts = [SqliteStore(":memory:", shards=SHARDS, clock=clock, faults=faults) for _ in range(PARTS)]
    else:
        folders = [folder / str(n) for n in range(PARTS)] if IS_SPREAD else [folder]
        parts = [open_store(one, shards=SHARDS, clock=clock, faults=faults) for one in folders]
    return Spread(parts) if IS_SPREAD else parts[0]


@contextlib.asynccontextmanager
async def running(
    settings: Settings,
    *,
    clock: Clock | None = None,
    entropy: Entropy | None = None,
    faults: Faults | None = None,
    work: bool = True,
    live: Live | None = None,
    figures: Figures | None = None,
) -> AsyncIterator[App]:
    """An app as `compose.running` gives it, on the chosen store; what one put into a folder, the next finds there."""
    with contextlib.nullcontext() if settings.data else lending():
        store = await opened(settings.data, clock=clock, faults=faults) if IS_SPREAD else None
        if is_postgres(settings.data) and not IS_SPREAD:
            settings = replace(settings, data=None, database=lent.to(settings.data or object())[0])
        settings = replace(settings, shards=SHARDS)
        async with compose.running(
            settings,
            store=store,
            clock=clock,
            entropy=entropy,
            faults=faults,
            work=work,
            live=live,
            figures=figures,
        ) as app:
            yield app
