"""A copy of a SQLite store while others write it: as it stood at one moment, checked before it gets its name.

SQLite's own backup reads within one transaction, so that it ends however much is written meanwhile, and is written to
disk every 16 MiB: flushed at the end alone, 1.3 GB held up commits of a serving process by 0.2 to 0.4 s, and so by
0.02 s. VACUUM INTO took twice as long and half as much CPU again.
"""

import contextlib
import os
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

from sayso.ports import StoreError
from sayso.store.sqlite.schema import APPLICATION_ID

# Called with how many pages are copied, of how many.
Progress = Callable[[int, int], None]

_STEP_PAGES = 256
_STEPS_A_FLUSH = 16


def back_up(source: Path, target: Path, progress: Progress) -> int:
    """Copy a store's file to a new one, for its owner alone; its size. Nothing else is ever seen under its name.

    A StoreError says why there is none: the file is there already, it is no store, no space is left.
    """
    if target.exists():
        raise StoreError(f"{target} exists, and a backup replaces nothing. Choose another name.")
    try:
        with _temporary(target) as copy:
            _copied(source, copy, progress)
            _check(copy, source)
            size = copy.stat().st_size
            _name(copy, target)
        _flush(target.parent)
    except FileExistsError:
        raise StoreError(f"{target} was made by somebody else meanwhile, and a backup replaces nothing.") from None
    except OSError as fault:
        raise StoreError(f"{target} cannot be written: {fault.strerror}.") from fault
    except sqlite3.Error as fault:
        raise StoreError(f"{source} could not be copied: {fault}.") from fault
    return size


@contextlib.contextmanager
def _temporary(target: Path) -> Iterator[Path]:
    """An empty file beside the target, gone at the end of the context."""
    number, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".part", dir=target.parent)
    os.close(number)
    try:
        yield Path(name)
    finally:
        Path(name).unlink(missing_ok=True)


def _copied(source: Path, copy: Path, progress: Progress) -> None:
    steps = 0

    def step(_status: int, remaining: int, total: int) -> None:
        nonlocal steps
        steps += 1
        if steps % _STEPS_A_FLUSH == 0:
            _flush(copy)
        progress(total - remaining, total)

    with closing(_opened(source, "mode=rw")) as store, closing(_opened(copy, "mode=rw")) as file:
        store.execute("pragma query_only = on")
        file.execute("pragma journal_mode = off")  # until it is whole it is nothing
        store.execute("begin")
        _recognise(store, source)  # a first read: from here on the transaction sees the store as it now stands
        store.backup(file, pages=_STEP_PAGES, progress=step)
    _flush(copy)


def _name(copy: Path, target: Path) -> None:
    """Give the copy its name. A link replaces nothing, whatever has come there meanwhile; not every disk has links."""
    try:
        os.link(copy, target)
    except OSError:
        if target.exists():
            raise FileExistsError from None
        copy.rename(target)


def _check(copy: Path, source: Path) -> None:
    with closing(_opened(copy, "mode=ro&immutable=1")) as file:
        _recognise(file, copy)
        faults = [row[0] for row in file.execute("pragma integrity_check(1)")]
    if faults != ["ok"]:
        raise StoreError(f"{source} is damaged, and so the copy was thrown away: {faults[0]}.")


def _recognise(file: sqlite3.Connection, path: Path) -> None:
    if file.execute("pragma application_id").fetchone()[0] != APPLICATION_ID:
        raise StoreError(f"{path} is no store of sayso.")


def _opened(path: Path, how: str) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.absolute().as_uri()}?{how}", uri=True, isolation_level=None)


def _flush(path: Path) -> None:
    number = os.open(path, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)
