"""Every statement of the writer has a fault point on each side, and each error of SQLite its meaning."""

import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from sayso.core.heads import StreamKind
from sayso.ports import (
    CommitUnknown,
    InboxRow,
    KeptState,
    MemberRow,
    StatementFailed,
    StoreBroken,
    StoreError,
    Transaction,
    Wanted,
)
from sayso.store import SqliteStore, open_store
from sayso.store.clock import ForwardClock
from sayso.store.sqlite.store import FILE_NAME, statements
from tests.store.examples import answered, asked, kept, merged, saved, stream
from tests.store.test_reference import KEY, PLAYBOOK

pytestmark = pytest.mark.anyio


class Points:
    """Remembers the fault points that were passed, and raises at one of them."""

    def __init__(self) -> None:
        self.passed: list[str] = []
        self.at: dict[str, BaseException] = {}

    def __call__(self, point: str) -> None:
        self.passed.append(point)
        if point in self.at:
            raise self.at.pop(point)


@pytest.fixture
def points() -> Points:
    return Points()


@pytest.fixture
async def store(points: Points, tmp_path: Path) -> AsyncIterator[SqliteStore]:
    store = open_store(tmp_path, faults=points)
    points.passed.clear()
    yield store
    await store.close()


async def everything(transaction: Transaction) -> None:
    """One of each that a transaction can do."""
    agent, row = stream(9), InboxRow(stream=stream(9), n=1, from_stream=stream(1), body={})
    batch = merged(asked(1), saved(2, "pay", 1), kept(9, StreamKind.AGENT))
    batch.states, batch.inbox, batch.taken = [KeptState(stream=agent, format=1, state={})], [row], [(agent, 1)]
    batch.joined = [MemberRow(conversation=agent, sent_id="m1", stream=stream(1), asked_at=1)]
    batch.left, batch.erased = [(stream(1), 2)], [stream(1)]
    await transaction.write(batch)
    await transaction.write(answered(batch.heads[0].head))
    await transaction.load(Wanted(streams=frozenset({stream(1), agent}), playbooks=frozenset({1})))
    await transaction.execute("add_org", name="acme")
    await transaction.execute("add_caller", org=1, id="key:k1")
    await transaction.execute("add_playbook", **PLAYBOOK)
    await transaction.execute("update_playbook", playbook=1, title="t", description="", updated_at=1)
    await transaction.execute("retire_playbook", playbook=1, status=2, retired_at=1)
    await transaction.execute("add_key", **KEY)
    await transaction.execute("use_key", id="k1", last_used_at=1)
    await transaction.execute("rotate_key", id="k1", hash=b"i" * 32, old_until=1)
    await transaction.execute("revoke_key", id="k1", revoked_at=1)
    await transaction.execute("prove_writable")


async def test_every_statement_passes_its_two_fault_points(store: SqliteStore, points: Points) -> None:
    async with store.transaction(0) as transaction:
        await everything(transaction)
    points.at["before commit"] = OSError()
    with pytest.raises(OSError):
        await write(store)
    passed = {point.split(" ", 1)[1] for point in points.passed}
    assert passed == set(statements())
    assert points.passed[:2] == ["before begin", "after begin"]


async def test_sqlite_itself_sees_no_statement_without_a_fault_point(store: SqliteStore, points: Points) -> None:
    seen: list[str] = []
    store._writer._file.set_trace_callback(seen.append)
    async with store.transaction(0) as transaction:
        await everything(transaction)
    store._writer._file.set_trace_callback(None)
    assert len(seen) > 20
    # executemany runs its statement once a row, within one pair of points
    assert len(seen) - 4 == sum(point.startswith("after") for point in points.passed)


async def write(store: SqliteStore) -> None:
    async with store.transaction(0) as transaction:
        await transaction.write(asked(5))


def error(code: int) -> sqlite3.Error:
    found = sqlite3.OperationalError("planted")
    found.sqlite_errorcode = code
    return found


MEANINGS = [
    ("before begin", sqlite3.SQLITE_BUSY, CommitUnknown),
    ("before begin", sqlite3.SQLITE_PROTOCOL, CommitUnknown),
    ("before insert_heads", sqlite3.SQLITE_CONSTRAINT, StatementFailed),
    ("before insert_heads", sqlite3.SQLITE_TOOBIG, StatementFailed),
    ("before insert_heads", sqlite3.SQLITE_FULL, CommitUnknown),
    ("before insert_heads", sqlite3.SQLITE_IOERR, StoreBroken),
    ("after insert_events", sqlite3.SQLITE_IOERR_READ, StoreBroken),
    ("after insert_events", sqlite3.SQLITE_CORRUPT, StoreBroken),
    ("before commit", sqlite3.SQLITE_FULL, CommitUnknown),
    ("before commit", sqlite3.SQLITE_BUSY, CommitUnknown),
    ("before commit", sqlite3.SQLITE_ERROR, CommitUnknown),
    ("before commit", sqlite3.SQLITE_IOERR_FSYNC, StoreBroken),
]


@pytest.mark.parametrize(("point", "code", "meaning"), MEANINGS)
async def test_an_error_has_its_meaning_and_leaves_nothing(
    store: SqliteStore, points: Points, point: str, code: int, meaning: type[StoreError]
) -> None:
    points.at[point] = error(code)
    with pytest.raises(meaning):
        await write(store)
    assert await store.query("head", shard=0, playbook=1, stream=stream(5)) == []
    await write(store)
    assert len(await store.query("head", shard=0, playbook=1, stream=stream(5))) == 1


async def test_a_transaction_that_cannot_be_undone_breaks_the_store(store: SqliteStore, points: Points) -> None:
    points.at = {
        "before insert_heads": error(sqlite3.SQLITE_CONSTRAINT),
        "before rollback": error(sqlite3.SQLITE_ERROR),
    }
    with pytest.raises(StoreBroken, match="could not be undone"):
        await write(store)


@pytest.mark.parametrize("point", ["before begin", "after begin", "before commit"])
async def test_any_other_exception_at_either_end_leaves_nothing(store: SqliteStore, points: Points, point: str) -> None:
    points.at[point] = KeyboardInterrupt()
    with pytest.raises(KeyboardInterrupt):
        await write(store)
    await write(store)


async def test_running_out_of_memory_is_a_matter_of_later(store: SqliteStore, points: Points) -> None:
    points.at["before insert_heads"] = MemoryError()
    with pytest.raises(CommitUnknown):
        await write(store)


async def test_a_lock_that_somebody_else_keeps_is_a_matter_of_later(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / FILE_NAME, busy_seconds=0)
    other = sqlite3.connect(tmp_path / FILE_NAME, isolation_level=None)
    other.execute("begin immediate")
    with pytest.raises(CommitUnknown, match="locked"):
        await write(store)
    assert await store.query("orgs") == []  # reading goes on
    other.close()
    await store.close()


async def test_a_file_that_was_damaged_breaks_the_store(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    async with store.transaction(0) as transaction:
        await transaction.write(merged(*(asked(n) for n in range(300))))
    await store.close()
    with (tmp_path / FILE_NAME).open("r+b") as file:
        file.seek(40 * 4096)
        file.write(b"\xff" * 4096 * 500)
    store = open_store(tmp_path)
    with pytest.raises(StoreBroken):
        async with store.transaction(0) as transaction:
            await transaction.load(Wanted(streams=frozenset(stream(n) for n in range(300))))
    await store.close()


async def test_a_closed_store_says_so_and_closes_again(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    await store.close()
    await store.close()
    with pytest.raises(StoreError):
        await store.query("orgs")
    with pytest.raises(StoreError):
        await write(store)


async def test_a_connection_that_cannot_be_set_up_is_closed(tmp_path: Path, points: Points) -> None:
    points.at["after settings"] = error(sqlite3.SQLITE_IOERR)
    with pytest.raises(StoreBroken):
        open_store(tmp_path, faults=points)


class Dial:
    """A clock that a test turns."""

    def __init__(self) -> None:
        self.time = 10

    def now(self) -> int:
        return self.time


async def test_the_clock_never_goes_back(tmp_path: Path) -> None:
    dial = Dial()
    store = open_store(tmp_path, clock=dial)
    assert await store.now() == 10
    dial.time = 7
    async with store.transaction(0) as transaction:
        assert (await store.now(), await transaction.now()) == (10, 10)
    dial.time = 11
    assert await store.now() == 11
    assert ForwardClock(dial).now() == 11
    await store.close()
