"""SQLite's limit: waits a second when a wait is two rows, durable at each commit."""

import os
import sqlite3
import time
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from bench.measured import Measured, measuring

# Waits a commit, at which a disk's flush costs next to nothing any more.
GROUP = 50
MESSAGE = "x" * 300
TWO_DAYS_S = 172_800

TABLES = """
create table request(
  id blob primary key, status int not null, party text not null, expires_at int not null, message text not null
) without rowid;
create index waiting on request(expires_at) where status = 0;
create table event(
  seq integer primary key, request blob not null, type int not null, at int not null, body text not null
);
"""
SETTINGS = ("pragma journal_mode = wal", "pragma synchronous = full")


@dataclass(frozen=True, kw_only=True)
class Commits:
    """How many waits were made durable, and how long each commit took, in milliseconds."""

    measured: Measured
    milliseconds: list[float]


def commits(folder: Path, seconds: float, *, group: int) -> Commits:
    """Insert waits, so many a commit, for so long."""
    path = folder / "limit.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as file:
        for setting in SETTINGS:
            file.execute(setting)
        file.executescript(TABLES)
        milliseconds: list[float] = []
        with measuring() as meter:
            until = time.perf_counter() + seconds
            while time.perf_counter() < until:
                milliseconds.append(_commit(file, group, len(milliseconds) * group))
            meter.done(len(milliseconds) * group)
    for left in folder.glob("limit.db*"):
        left.unlink()
    return Commits(measured=meter.measured, milliseconds=milliseconds)


def _commit(file: sqlite3.Connection, group: int, first: int) -> float:
    began = time.perf_counter()
    file.execute("begin immediate")
    for number in range(first, first + group):
        key, now = os.urandom(16), int(time.time())
        request = (key, f"party {number % 100}", now + TWO_DAYS_S, MESSAGE)
        file.execute("insert into request(id, status, party, expires_at, message) values (?, 0, ?, ?, ?)", request)
        file.execute("insert into event(request, type, at, body) values (?, 1, ?, ?)", (key, now, MESSAGE))
    file.execute("commit")
    return (time.perf_counter() - began) * 1000


def fold(path: Path) -> None:
    """Write the log of a store that nobody has open back into its file."""
    with closing(sqlite3.connect(path)) as file:
        file.execute("pragma wal_checkpoint(truncate)")


def facts() -> Mapping[str, str]:
    """What tells one SQLite from another."""
    return {"sqlite": sqlite3.sqlite_version, "settings": ", ".join(SETTINGS)}
