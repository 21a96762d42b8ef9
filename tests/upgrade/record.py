"""Records the main job of the code that is imported as ``sayso``: ``python -m tests.upgrade.record sqlite FILE``.

CONTRIBUTING.md says when, and how it is done with the code of an older release.
"""

import asyncio
import sqlite3
import sys
import tempfile
from pathlib import Path
from typing import Any
from unittest import mock

from sayso.compose import running
from sayso.settings import Settings
from tests.upgrade import sqlite_tape
from tests.upgrade.job import ROOM, Chance, Clock, Job
from tests.upgrade.recording import Tape, write


async def on_sqlite(tape: Tape) -> None:
    """The job on a new file."""
    patched = mock.patch("sqlite3.connect", sqlite_tape.recording(tape, sqlite3.connect))
    with tempfile.TemporaryDirectory() as folder, patched:
        await _do(tape, data=Path(folder))


async def on_postgres(tape: Tape) -> None:
    """The job in a new database of a server that is there as long as it takes."""
    import asyncpg

    from tests.postgres.fixtures import binaries
    from tests.postgres.servers import PostgresServer
    from tests.upgrade import postgres_tape

    with PostgresServer(binaries("postgres15")) as server:
        url = server.fresh()
        await postgres_tape.stop_clock(url)
        with mock.patch("asyncpg.connect", postgres_tape.recording(tape, asyncpg.connect)):
            await _do(tape, database=url)


async def _do(tape: Tape, **store: Any) -> None:
    clock = Clock()
    async with running(Settings(open_requests=ROOM, **store), clock=clock, entropy=Chance(), work=False) as app:
        await Job(app=app, clock=clock, begun=lambda name: setattr(tape, "step", name)).do()


RECORDERS = {"sqlite": on_sqlite, "postgres": on_postgres}


def main(store: str, path: str) -> None:
    tape = Tape()
    asyncio.run(RECORDERS[store](tape))
    write(Path(path), tape.statements)
    print(f"{path}: {len(tape.statements)} statements in {len({one.step for one in tape.statements})} steps")


if __name__ == "__main__":
    main(*sys.argv[1:])
