"""How a connection to PostgreSQL is made, and what of asyncpg's is used of it."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Protocol
from urllib.parse import urlsplit

import asyncpg

from sayso import address
from sayso.core.rows import Columns, Row
from sayso.ports import StoreError
from sayso.store.postgres.failures import ERRORS, failure

CONNECT_S: Final = 10.0
PART_S: Final = 2.0
STATEMENT_S: Final = 30.0

# Statements go by indexes, whatever the statistics of a young or a much changed table say; for joins see `joins.py`.
_PLANNING: Final[Mapping[str, str]] = {
    "enable_seqscan": "off",
    "enable_bitmapscan": "off",
    "enable_hashjoin": "off",
    "enable_mergejoin": "off",
    "enable_memoize": "off",
    "max_parallel_workers_per_gather": "0",
    "jit": "off",
}
# A process that hangs with locks holds others up so long, and no longer.
_BOUNDS: Final[Mapping[str, str]] = {
    "idle_in_transaction_session_timeout": "10s",
    "lock_timeout": "10s",
    "tcp_keepalives_idle": "10",
    "tcp_keepalives_interval": "5",
    "tcp_keepalives_count": "3",
}
# The writer's few statements are planned once. They are written so that no statistics can spoil their plans.
PLANNED_ONCE: Final[Mapping[str, str]] = {"plan_cache_mode": "force_generic_plan"}
# What reads is planned each time, for the values that it has and for tables as large as they are now. What is lost of a
# claim at a crash is lost without harm, so no claim waits for the disk.
PLANNED_EACH_TIME: Final[Mapping[str, str]] = {"plan_cache_mode": "force_custom_plan", "synchronous_commit": "off"}


class Session(Protocol):
    """What is used of asyncpg's connection."""

    async def fetch(self, query: str, *args: Any) -> list[Any]:
        """All rows, each both a sequence and a mapping."""

    async def fetchrow(self, query: str, *args: Any) -> Any:
        """The first row, or None."""

    async def execute(self, query: str, *args: Any) -> str:
        """Run it; the tag that it ended with, such as ``UPDATE 3``. Without values it may be a script."""

    async def set_type_codec(self, typename: str, **how: Any) -> None:
        """What values of a type are in Python."""

    def transaction(self) -> Any:
        """A transaction, as a context."""

    async def add_listener(self, channel: str, callback: Callable[..., None]) -> None:
        """Call back with each notification: session, pid, channel, payload."""

    def add_log_listener(self, callback: Callable[..., None]) -> None:
        """Call back with each notice and warning."""

    def get_server_pid(self) -> int:
        """The number of the server's process."""

    def is_closed(self) -> bool:
        """Whether it is known to be of no use any more."""

    async def close(self) -> None:
        """Say good-bye."""

    def terminate(self) -> None:
        """Let it go without a word."""


@dataclass(frozen=True)
class Address:
    """Where a database is. ``pooled``: a pooler lends its connections for a transaction each, which keep nothing."""

    url: str = field(repr=False)
    pooled: bool = False

    def __post_init__(self) -> None:
        if not address.is_address(self.url):
            raise StoreError("The address of the database must be a URL such as postgresql://USER:PASSWORD@HOST/NAME.")

    @property
    def shown(self) -> str:
        """The address without user and password."""
        return address.shown(self.url)

    def direct(self, url: str | None) -> "Address":
        """The address behind the pooler, as far as it is known."""
        return self if url is None else replace(self, url=url, pooled=False)

    def _settings(self, own: Mapping[str, str]) -> dict[str, str]:
        """What a session is set to; a pooler refuses what it does not know, and lends sessions that others have set."""
        name = {"application_name": "sayso"}
        return name if self.pooled else {**name, **_PLANNING, **_BOUNDS, **own}

    async def connect(self, settings: Mapping[str, str] = PLANNED_EACH_TIME, *, is_patient: bool = False) -> Session:
        """A session with a server that may write: of several hosts the one that is no standby.

        A statement that has no answer after `STATEMENT_S` is given up, unless who asks ``is_patient``.
        """
        try:
            session: Session = await asyncpg.connect(
                self.url,
                timeout=CONNECT_S,
                command_timeout=None if is_patient else STATEMENT_S,
                statement_cache_size=0 if self.pooled else 256,
                target_session_attrs=None if "target_session_attrs" in urlsplit(self.url).query else "primary",
                server_settings=self._settings(settings),
            )
            await session.set_type_codec("uuid", schema="pg_catalog", format="binary", encoder=_same, decoder=_same)
        except (*ERRORS, ValueError) as error:
            raise failure(f"connect to {self.shown}", error) from None
        return session


def _same(value: bytes) -> bytes:
    return value


async def part(session: Session) -> None:
    """Close a session; one that is in the middle of something, or whose server is away, is let go."""
    try:
        async with asyncio.timeout(PART_S):
            await session.close()
    except ERRORS:
        session.terminate()


async def fetch(session: Session, name: str, text: str, values: Sequence[Any] = ()) -> list[Columns]:
    """The rows of a statement that has no fault points: it writes nothing that is not lost without harm."""
    try:
        return await session.fetch(text, *values)
    except ERRORS as error:
        raise failure(name, error) from None


def row_of(columns: Columns) -> Row:
    """A row by the names of its columns, which asyncpg's rows have too."""
    named: Any = columns
    return dict(named.items())
