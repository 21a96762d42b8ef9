"""A disk that is full, under load: writes are refused in words, reads go on, and room makes it well without a hand."""

import contextlib
import os
import random
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.faults.audit import audit
from tests.faults.away import SmallDisk, small_disk
from tests.faults.gate import Gate
from tests.faults.load import Load, save_questions
from tests.faults.served import Served, ServedDatabase
from tests.faults.wire import Wire
from tests.postgres.daemon import account, until
from tests.postgres.servers import PostgresServer

SHORT, LONG = 1, 10
CLIENTS, MEANWHILE, REFUSED = 4, 50, 20
# Room for the log, which is folded each 16 MB, and for what it is folded into: else no ballast is left to be removed.
SQLITE_MB = 48


@contextlib.contextmanager
def loaded(served: Served) -> Iterator[Load]:
    """A server under load, held against what its clients know at the end; it is the same process until then."""
    served.start()
    served.until_ready()
    pid = served.pid
    save_questions(served.port)
    gate = Gate(served.port)
    gate.open(served.port)
    with Load(gate, random.randrange(1_000), CLIENTS) as load:
        load.until_told(MEANWHILE)
        yield load
    load.checked(served.port)
    assert served.is_ready
    assert served.pid == pid


def refused(load: Load) -> None:
    """Wait until the load is refused."""
    before = load.tally.unavailable
    until(lambda: load.tally.unavailable >= before + REFUSED, lambda: f"nothing is refused: {load.tally}")


def check_refusal(served: Served) -> None:
    """What a caller is told."""
    with closing(Wire(served.port)) as wire:
        reply = wire.send("POST", "/definitions/interaction/lasting/run", {"input": {"mark": "none"}})
    assert reply is not None
    assert reply[0] == 503
    assert "again" in reply[1]["detail"]


def check_reads(served: Served) -> None:
    """Reads go on."""
    with closing(Wire(served.port)) as wire:
        assert wire.get("/runs?limit=1")["runs"]


def filled_once(disk: SmallDisk, load: Load, served: Served) -> float:
    """Fill the disk under load, and make room again; how many seconds later somebody was answered."""
    disk.fill()
    refused(load)
    check_refusal(served)
    check_reads(served)
    disk.make_room()
    began = time.monotonic()
    load.until_told(1)
    back = time.monotonic() - began
    load.until_told(MEANWHILE)
    return back


@pytest.mark.slow
def test_sqlite_on_a_full_disk(tmp_path: Path, is_long: bool, shown: Callable[[str], None]) -> None:
    served = Served(folder=tmp_path)
    with small_disk(served.store, SQLITE_MB) as disk:
        try:
            with loaded(served) as load:
                back = [filled_once(disk, load, served) for _ in range(LONG if is_long else SHORT)]
            audited = audit(served.store)
            served.stop()
        finally:
            served.end()
    shown(f"SQLite on a full disk: {load.tally}, back {max(back):.2f} s after there was room; {audited}")


@pytest.fixture
def server(postgres: PostgresServer) -> Iterator[PostgresServer]:
    """A server of the test's own, with whose disk all is well at first."""
    with PostgresServer(postgres.binaries, min_wal_size="32MB", max_wal_size="48MB") as started:
        yield started


@contextlib.contextmanager
def small_disk_of(server: PostgresServer, megabytes: int) -> Iterator[SmallDisk]:
    """A small disk where the server may write."""
    with small_disk(server.data.parent / "small", megabytes) as disk:
        yield disk


@pytest.mark.slow
def test_postgresql_whose_tables_have_no_room(
    tmp_path: Path, server: PostgresServer, is_long: bool, shown: Callable[[str], None]
) -> None:
    with small_disk_of(server, 48) as disk:
        place = owned(disk.folder / "tables")
        server.sql(f"create tablespace small location '{place}'")
        server.sql("create database small tablespace small")
        served = ServedDatabase(folder=tmp_path, database=server.url("small"))
        try:
            with loaded(served) as load:
                back = [filled_once(disk, load, served) for _ in range(LONG if is_long else SHORT)]
            audited = audit(served.store)
        finally:
            served.end()
            server.close()
    shown(f"PostgreSQL's tables on a full disk: {load.tally}, back {max(back):.2f} s after there was room; {audited}")


@pytest.mark.slow
def test_postgresql_whose_log_has_no_room(
    tmp_path: Path, server: PostgresServer, is_long: bool, shown: Callable[[str], None]
) -> None:
    """It stops itself then, and may have to be started by a hand; ``sayso`` is not."""
    server.stop()
    away, back = [], []
    with small_disk_of(server, 112) as disk:
        log = server.data / "pg_wal"
        subprocess.run(("mv", log, disk.folder / "log"), check=True)
        log.symlink_to(disk.folder / "log")
        server.start()
        served = ServedDatabase(folder=tmp_path, database=server.fresh())
        try:
            with loaded(served) as load:
                for _ in range(LONG if is_long else SHORT):
                    disk.fill()
                    write_until_it_stops(server)
                    refused(load)
                    check_refusal(served)
                    disk.make_room()
                    began = time.monotonic()
                    started_again(server)
                    away.append(time.monotonic() - began)
                    load.until_told(1)
                    back.append(time.monotonic() - began - away[-1])
                    load.until_told(MEANWHILE)
            audited = audit(served.store)
            assert "PANIC" in server.words
        finally:
            served.end()
            server.close()
    shown(f"PostgreSQL's log on a full disk: {load.tally}, back {max(back):.2f} s after the server was; {audited}")


def owned(folder: Path) -> Path:
    """A folder of the server's user."""
    folder.mkdir()
    if (user := account()) is not None:
        os.chown(folder, user.pw_uid, user.pw_gid)
    return folder


def write_until_it_stops(server: PostgresServer) -> None:
    """Fill what there is of the log; somebody else on the same server does."""
    with contextlib.suppress(AssertionError):
        while True:
            server.sql("select pg_logical_emit_message(false, 'test', repeat('x', 8000000))")


def started_again(server: PostgresServer) -> None:
    """Once there is room it has come back by itself, or it has given up and is started."""

    def answers() -> bool:
        with contextlib.suppress(AssertionError):
            server.sql("select 1")
            return True
        if not server.runs:
            server.start()
        return False

    until(answers, lambda: server.words)
