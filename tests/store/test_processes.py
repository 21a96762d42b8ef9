"""Two processes on one file: their writes take turns, and each sees what the other wrote."""

import subprocess
import sys
from pathlib import Path

import pytest

from sayso.ports import Wanted
from sayso.store import FILE_NAME, SqliteStore, open_store
from tests.store.examples import asked, merged, stream

pytestmark = pytest.mark.anyio

COMMITS = 40

# Waits for a line, then makes the store's writes; `number` keeps the streams of the two apart.
OTHER = """
import asyncio, sys
from pathlib import Path
from sayso.store import open_store
from tests.store.test_processes import add_org, write_all

async def main(directory, job):
    store = open_store(Path(directory))
    print("ready", flush=True)
    for line in sys.stdin:
        await {"write": lambda: write_all(store, 1000), "org": lambda: add_org(store, line.strip())}[job]()
        print("done", flush=True)
    await store.close()

asyncio.run(main(*sys.argv[1:]))
"""


async def write_all(store: SqliteStore, first: int) -> None:
    """Many small commits to the same two playbooks."""
    for n in range(first, first + COMMITS * 2, 2):
        async with store.transaction(0) as transaction:
            await transaction.load(Wanted(streams=frozenset({stream(n)}), playbooks=frozenset({1, 2})))
            await transaction.write(merged(asked(n, playbook=1), asked(n + 1, playbook=2)))


async def add_org(store: SqliteStore, name: str) -> None:
    async with store.transaction(0) as transaction:
        await transaction.execute("add_org", name=name)


class Other:
    """Another process that has the store of a directory open."""

    def __init__(self, directory: Path, job: str) -> None:
        command = [sys.executable, "-c", OTHER, str(directory), job]
        root = Path(__file__).parents[2]
        self.process = subprocess.Popen(command, cwd=root, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert self.says() == "ready"

    def tell(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()

    def says(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def end(self) -> None:
        self.process.communicate(timeout=30)


async def test_two_processes_write_in_turns_and_the_feed_has_no_gap(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    other = Other(tmp_path, "write")
    other.tell("go")
    await write_all(store, 0)
    assert other.says() == "done"
    for playbook in (1, 2):
        assert await feed(store, playbook) == list(range(1, 4 * COMMITS + 1))
        count = await store.query("open_count", shard=0, playbook=playbook)
        assert count == [{"open": 2 * COMMITS}]
    other.end()
    await store.close()


async def feed(store: SqliteStore, playbook: int) -> list[int]:
    """The positions of all events of a playbook."""
    runs = await store.query(
        "runs_page", shard=0, playbook=playbook, before_position=None, type=None, name=None, outcome=None, limit=1000
    )
    found = [await store.query("events_since", shard=0, stream=run["stream"], from_seq=1) for run in runs]
    return sorted(row["position"] for rows in found for row in rows)


async def test_what_another_process_changed_is_known_at_the_next_look(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    other = Other(tmp_path, "org")
    before = await store.reference_version()
    for moved, name in enumerate(("acme", "globex"), 1):
        other.tell(name)
        assert other.says() == "done"
        assert await store.reference_version() == before + moved
        assert (await store.query("orgs"))[-1]["name"] == name
    other.end()
    await store.close()


async def test_a_read_is_not_held_up_by_a_write_and_sees_what_was_committed(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    async with store.transaction(0) as transaction:
        await transaction.write(asked(1))
        assert await store.query("head", shard=0, playbook=1, stream=stream(1)) == []
        assert len(await transaction.query("head", shard=0, playbook=1, stream=stream(1))) == 1
        assert (
            len(
                await store.query(
                    "runs_page", shard=0, playbook=1, before_position=None, type=None, name=None, outcome=None, limit=1
                )
            )
            == 1
        )
    assert len(await store.query("head", shard=0, playbook=1, stream=stream(1))) == 1
    await store.close()


async def test_opening_a_store_once_more_gives_up_no_lock_of_this_process(tmp_path: Path) -> None:
    first, second = open_store(tmp_path), open_store(tmp_path)
    look = "import sqlite3, sys; file = sqlite3.connect(sys.argv[1]); file.execute('select 1 from meta'); file.close()"
    subprocess.run([sys.executable, "-c", look, tmp_path / FILE_NAME], check=True)
    # Whoever finds no lock takes itself for the last, and does away with the log.
    assert (tmp_path / f"{FILE_NAME}-wal").exists()
    await second.close()
    await first.close()
