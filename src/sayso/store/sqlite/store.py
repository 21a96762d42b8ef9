"""The store on one SQLite file: for one serving process, with command lines that may write beside it."""

import asyncio
import contextlib
import itertools
import os
import threading
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from time import monotonic, sleep

from sayso.core.rows import Parameter, Row
from sayso.ports import Clock, CommitUnknown, Due, Transaction
from sayso.store.clock import ForwardClock, SystemClock
from sayso.store.fences import Fences
from sayso.store.migration import MigrationReport
from sayso.store.queries import queries
from sayso.store.sqlite.claims import Claims
from sayso.store.sqlite.connection import Connection, Faults
from sayso.store.sqlite.readers import Readers
from sayso.store.sqlite.schema import migrations, prepare, recognised_version
from sayso.store.sqlite.transaction import SqliteTransaction
from sayso.store.transfer.mark import refuse_moved

FILE_NAME = "sayso.db"
MEMORY = ":memory:"
_AGAIN_SECONDS = 0.01

_memories = itertools.count(1)


def statements() -> tuple[str, ...]:
    """The names of all statements that a transaction may run to write: before and after each lies a fault point."""
    written = (name for name, query in queries("sqlite").items() if query.words & {"unit", "reference"})
    return ("begin", *written, "commit", "rollback")


class SqliteStore:
    """A store in a file, or in memory for tests: the same code, only without a disk, and readers wait for the writer.

    ``shards`` counts for a new file, which keeps it; with another number than the file's it is refused. ``faults`` is
    called with ``before`` or ``after`` and a statement's name around all that the writer's connection does.
    ``on_broken`` is told when a read finds that the file can no longer be trusted; the writer hears of its own.
    """

    def __init__(
        self,
        path: str | Path,
        *,
        shards: int | None = None,
        faults: Faults | None = None,
        clock: Clock | None = None,
        busy_seconds: float = 5.0,
        on_broken: Callable[[], None] = lambda: None,
    ) -> None:
        self._clock = ForwardClock(clock or SystemClock())
        self._address = _address(path)
        self._busy_seconds = busy_seconds
        self._writer = Connection(self._address, busy_seconds=busy_seconds, faults=faults)
        try:
            meta = prepare(self._writer, path=str(path), shards=shards, now=self._clock.now())
        except BaseException:
            self._writer.close()
            raise
        self.shards = meta.shards
        self.secret = meta.secret
        self._fences = Fences()
        self._readers = Readers(lambda: Connection(self._address, busy_seconds=busy_seconds, on_broken=on_broken))
        self._claims = Claims(self._due)
        self._seen = threading.local()

    @property
    def fences(self) -> int:
        """How often the last fence held a batch back. It should be 0."""
        return self._fences.count

    def transaction(self, shard: int) -> AbstractAsyncContextManager[Transaction]:
        """A transaction for the writer: one at a time, and in one thread."""
        return SqliteTransaction(self._writer, queries("sqlite"), shard, self._clock, self._fences)

    async def query(self, name: str, /, **parameters: Parameter) -> Sequence[Row]:
        """The rows of a named query, as last committed."""
        return await self._readers.query(queries("sqlite")[name], parameters)

    async def now(self) -> int:
        """The process's clock, which never goes back here."""
        return self._clock.now()

    async def reference_version(self) -> int:
        """The number in the file, read only if anybody wrote anything since this thread last looked."""
        connection = self._readers.connection()
        moved = connection.fetch("data_version", "pragma data_version")[0][0]
        if getattr(self._seen, "moved", None) != moved:
            # Looked at first: what is written between the two is read now, and once more the next time.
            version = connection.fetch("reference_version", queries("sqlite")["reference_version"].text())[0][0]
            self._seen.moved, self._seen.version = moved, version
        return int(self._seen.version)

    async def claim(self, shard: int, limit: int) -> Sequence[Due]:
        """Due streams that nobody in this process holds."""
        return self._claims.claim(shard, self._clock.now(), limit)

    async def release(self, shard: int, claimed: Sequence[Due]) -> None:
        """Give claimed streams back."""
        self._claims.release(shard, [due.stream for due in claimed])

    async def next_due(self, shard: int) -> int | None:
        """When the next stream is due that nobody in this process holds."""
        return self._claims.next_due(shard)

    def _due(self, shard: int, now: int, limit: int) -> Sequence[Due]:
        statement = queries("sqlite")["due"].bind({"shard": shard, "now": now, "limit": limit})
        rows = self._readers.connection().fetch("due", *statement)
        return [Due(shard=shard, stream=row[0], playbook=row[1], due_at=row[2]) for row in rows]

    def tell(self, due_at: int) -> None:
        """Nobody else works on the file."""

    async def scrub(self) -> None:
        """Fold the log into the file and cut it off: pages as they were before lie there. The file itself is clean at
        once (``secure_delete``)."""
        await asyncio.to_thread(self._fold_log)

    def _fold_log(self) -> None:
        # SQLite waits for readers, but not for another checkpoint: it says "busy" at once. So we ask again.
        until = monotonic() + self._busy_seconds
        connection = Connection(self._address, busy_seconds=self._busy_seconds)
        try:
            while connection.fetch("fold_log", "pragma wal_checkpoint(truncate)")[0][0]:
                if monotonic() >= until:
                    raise CommitUnknown("somebody reads all the time what was there before: try again")
                sleep(_AGAIN_SECONDS)
        finally:
            connection.close()

    async def close(self) -> None:
        """Close the file; the last to do so folds the log into it. Idempotent."""
        self._readers.close()
        self._writer.close()


def open_store(
    directory: Path,
    *,
    shards: int | None = None,
    faults: Faults | None = None,
    clock: Clock | None = None,
    on_broken: Callable[[], None] = lambda: None,
) -> SqliteStore:
    """The store of a data directory. Both are made when missing, for nobody but their owner to read.

    Refused: one that was moved elsewhere.
    """
    refuse_moved(directory)
    directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = directory / FILE_NAME
    _make(path)
    return SqliteStore(path, shards=shards, faults=faults, clock=clock, on_broken=on_broken)


def migration_due(directory: Path) -> MigrationReport:
    """What `migrate_sqlite` would do. Nothing is changed; without a file there, none is made."""
    path = directory / FILE_NAME
    if not path.exists():
        return MigrationReport(from_version=0, to_version=len(migrations()))
    connection = Connection(_address(path), busy_seconds=5.0)
    try:
        return MigrationReport(from_version=recognised_version(connection, str(path)), to_version=len(migrations()))
    finally:
        connection.close()


async def migrate_sqlite(directory: Path, *, shards: int | None = None) -> MigrationReport:
    """Bring the tables of a data directory up to date; every opening does so, this one also tells."""
    report = migration_due(directory)
    await open_store(directory, shards=shards).close()
    return report


def _make(path: Path) -> None:
    """Make the file with a mode that SQLite gives its log too. One that is there is left unopened: a process that
    closes a file gives up all its locks on it, those of a store that it has open as well."""
    with contextlib.suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR | os.O_CLOEXEC, 0o600))


def _address(path: str | Path) -> str:
    if str(path) != MEMORY:
        return Path(path).absolute().as_uri()
    # A name that begins with a slash is one database for all connections of this process, with locks as of a file.
    return f"file:/sayso-{os.getpid()}-{next(_memories)}?vfs=memdb"
