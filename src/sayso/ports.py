"""What the app needs of the world: a store, a clock, chance. Adapters implement these; tests hold them to one suite."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Protocol

from sayso.core.commands import Text
from sayso.core.events import Recorded
from sayso.core.frozen import frozen
from sayso.core.heads import Head, StreamKind
from sayso.core.rows import Cell, Parameter, Row
from sayso.core.values import Json


class StoreError(Exception):
    """The store did not do what it was asked; nothing of the transaction stands unless the message says otherwise."""


class StatementFailed(StoreError):
    """A statement failed and its transaction was rolled back: one of the batch's units is at fault."""


class Moved(StoreError):
    """Another process was first, or the database let it go first; nothing stands: load and decide the batch anew."""


class CommitUnknown(StoreError):
    """The store is away or too busy, or a COMMIT failed or its fate is not known: say 503, never that it conflicted."""


class StoreBroken(StoreError):
    """An I/O error: what the process believes of the file may be wrong, so it must end and start anew."""


@frozen
class Wanted:
    """The streams that a batch needs: by id, by the caller's run id, by a key of their kind."""

    streams: frozenset[bytes] = frozenset()
    run_ids: frozenset[tuple[int, bytes]] = frozenset()  # (playbook, run_id)
    keys: frozenset[tuple[int, StreamKind, bytes]] = frozenset()  # (playbook, kind, key)
    playbooks: frozenset[int] = frozenset()


@frozen
class KeptState:
    """The stored state of a kept machine: JSON of a numbered format."""

    stream: bytes
    format: int
    state: Json


@frozen
class InboxRow:
    """What waits for a kept machine's next step, in the order of ``n``."""

    stream: bytes
    n: int
    from_stream: bytes
    body: Json


@frozen
class Loaded:
    """What was wanted, with the parents and the conversations of those streams, their heads locked.

    ``now`` is the store's clock (microseconds), read once the heads were locked. ``events`` are those since each head's
    ``from_seq``, in order, without their content. ``open_requests`` counts by playbook, as last committed.
    """

    now: int
    heads: Sequence[Head]
    events: Mapping[bytes, Sequence[Recorded]]
    states: Mapping[bytes, KeptState]
    inbox: Mapping[bytes, Sequence[InboxRow]]
    open_requests: Mapping[int, int]


@frozen
class HeadWrite:
    """A head as it shall stand; ``base`` is the version it was loaded at, 0 for a new one."""

    head: Head
    base: int


@frozen
class DefinitionRow:
    """One version of a definition, never changed once written."""

    playbook: int
    type: str
    name: str
    version: int
    stream: bytes
    text: Text
    at: int
    by: int


@frozen
class MemberRow:
    """What the playbook sent into a conversation: the message of a request, or a telling, which has no ``asked_at``."""

    conversation: bytes
    sent_id: str
    stream: bytes
    asked_at: int | None


@dataclass(kw_only=True, slots=True)
class Batch:
    """All that one commit writes, in one shard. Events take consecutive positions of their playbook's feed, in order.

    ``opened`` is how many more requests are open in each playbook than before. ``room`` is how many may be open there
    once the batch stands, where a decision counted them: if others opened some since the load, that is a `Moved`.
    """

    heads: list[HeadWrite] = field(default_factory=list)
    events: list[tuple[int, Recorded]] = field(default_factory=list)  # (playbook, event)
    opened: dict[int, int] = field(default_factory=dict)
    room: dict[int, int] = field(default_factory=dict)
    definitions: list[DefinitionRow] = field(default_factory=list)
    states: list[KeptState] = field(default_factory=list)
    inbox: list[InboxRow] = field(default_factory=list)
    taken: list[tuple[bytes, int]] = field(default_factory=list)  # inbox rows (stream, n)
    joined: list[MemberRow] = field(default_factory=list)
    left: list[tuple[bytes, int]] = field(default_factory=list)  # (stream, when): it waits in no conversation any more
    erased: list[bytes] = field(default_factory=list)  # streams whose events lose their content

    def __bool__(self) -> bool:
        return bool(self.heads)


class Transaction(Protocol):
    """One transaction in one shard. It commits when its context ends without an exception."""

    async def now(self) -> int:
        """The store's clock, in microseconds since 1970."""

    async def load(self, wanted: Wanted) -> Loaded:
        """All that is wanted, in one statement a table, locked in ascending order of streams."""

    async def write(self, batch: Batch) -> None:
        """All of the batch, in one statement a table; the feeds' counters last, in ascending order of playbooks."""

    async def query(self, name: str, /, **parameters: Cell) -> Sequence[Row]:
        """The rows of a named query, as this transaction sees them."""

    async def execute(self, name: str, /, **parameters: Cell) -> None:
        """A named statement on reference data (orgs, playbooks, callers, keys): never on run data."""


@frozen
class Due:
    """A stream to look at, since its time has come."""

    shard: int
    stream: bytes
    playbook: int
    due_at: int


class Store(Protocol):
    """Where everything stands. Times are the store's own; every method may raise a StoreError.

    ``secret`` was made with the store, for what its doors sign: all that serve it have the same.
    """

    shards: int
    secret: bytes

    def transaction(self, shard: int) -> AbstractAsyncContextManager[Transaction]:
        """A transaction for the writer. Only the writer opens one."""

    async def query(self, name: str, /, **parameters: Parameter) -> Sequence[Row]:
        """The rows of a named read query, as last committed. May be called from any task of the serving loop."""

    async def now(self) -> int:
        """About what the store's clock says, in microseconds since 1970. What decides is read in a transaction."""

    async def reference_version(self) -> int:
        """A number that moves whenever reference data did, in this process or another. Costs next to nothing."""

    async def claim(self, shard: int, limit: int) -> Sequence[Due]:
        """Streams whose time has come by the store's clock, the longest due first, that nobody else holds.

        A claim lasts until it is given back, or, where other processes may claim too, for a minute at most.
        """

    async def release(self, shard: int, claimed: Sequence[Due]) -> None:
        """Give claims back: handled, or for somebody else to look at. What a unit wrote meanwhile is left as it is."""

    async def next_due(self, shard: int) -> int | None:
        """When the next unclaimed stream of the shard is due, or None."""

    def tell(self, due_at: int) -> None:
        """Hint to other processes that something is due then. From any thread; it may be lost without harm."""

    async def scrub(self) -> None:
        """Let what was erased leave the store's own files, as far as that holds nobody up.

        Raises a StoreError if somebody reads all the time what was there before.
        """

    async def close(self) -> None:
        """Release files and connections. Idempotent."""


class Clock(Protocol):
    """The process's clock, for what is not decided: rendering, ids, log lines."""

    def now(self) -> int:
        """Microseconds since 1970."""


class Entropy(Protocol):
    """Chance."""

    def bits(self, count: int) -> int:
        """A number of ``count`` random bits."""
