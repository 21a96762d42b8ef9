"""The head of a stream: its one narrow row, which lists filter by and the worker looks at."""

import dataclasses
from dataclasses import dataclass
from enum import IntEnum


class StreamKind(IntEnum):
    """What a stream is of."""

    REQUEST = 1
    CALL = 2
    CONVERSATION = 3
    WORKFLOW = 4
    AGENT = 5
    EXECUTION = 6
    DEFINITION = 7
    PUBLISH = 8


class Status(IntEnum):
    """Where a stream stands while it has no outcome."""

    STARTED = 1
    WAITING = 2
    CANCELLING = 3
    QUEUED = 4
    RUNNING = 5


class Outcome(IntEnum):
    """How a stream ended."""

    SUCCEEDED = 1
    REJECTED = 2
    FAILED = 3
    RETIRED = 4


@dataclass(frozen=True, kw_only=True)
class Birth:
    """What a stream is given when it is made and keeps for good.

    ``run_id`` is the caller's own, unique in its playbook. ``key`` names a stream of its kind in its playbook: a
    definition by its type and name, a conversation by where it is read.
    """

    kind: StreamKind
    org: int
    playbook: int
    run_id: bytes | None = None
    key: bytes | None = None
    parent: bytes | None = None
    billing_org: int | None = None


@dataclass(frozen=True, kw_only=True)
class Summary:
    """What a head repeats of its stream's state, so that lists and claims need not fold it."""

    status: Status
    outcome: Outcome | None = None
    due_at: int | None = None
    expires_at: int | None = None
    ended_at: int | None = None
    from_seq: int = 1
    party: str | None = None
    definition: bytes | None = None
    definition_version: int | None = None
    digest: bytes | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Head:
    """A row of ``heads``. ``version`` rises with every change, silent ones too, and is the fence of a write.

    Times are microseconds since 1970.
    """

    stream: bytes
    shard: int
    playbook: int
    org: int
    billing_org: int | None
    parent: bytes | None
    run_id: bytes | None
    kind: StreamKind
    version: int
    seq: int
    from_seq: int
    status: Status
    outcome: Outcome | None
    definition: bytes | None
    definition_version: int | None
    party: str | None
    digest: bytes | None
    at: int
    by: int
    last_at: int
    expires_at: int | None
    ended_at: int | None
    due_at: int | None
    fails: int = 0
    lease: str | None = None
    open_children: int = 0

    @property
    def open(self) -> bool:
        """Whether this is a request that still waits: what the inbox lists and the playbook's counter counts."""
        return self.kind is StreamKind.REQUEST and self.outcome is None


def born(stream: bytes, shard: int, birth: Birth, at: int, by: int) -> Head:
    """The head of a stream that has no event yet: version 0, never written as it is."""
    return Head(
        stream=stream,
        shard=shard,
        playbook=birth.playbook,
        org=birth.org,
        billing_org=birth.billing_org,
        parent=birth.parent,
        run_id=birth.run_id,
        kind=birth.kind,
        version=0,
        seq=0,
        from_seq=1,
        status=Status.STARTED,
        outcome=None,
        definition=None,
        definition_version=None,
        party=None,
        digest=birth.key,
        at=at,
        by=by,
        last_at=at,
        expires_at=None,
        ended_at=None,
        due_at=None,
    )


def advanced(head: Head, summary: Summary, *, seq: int, now: int) -> Head:
    """The head after a unit: it repeats the summary, and its version rises by one."""
    return dataclasses.replace(
        head,
        version=head.version + 1,
        seq=seq,
        from_seq=summary.from_seq,
        status=summary.status,
        outcome=summary.outcome,
        definition=summary.definition,
        definition_version=summary.definition_version,
        party=summary.party if summary.party is not None else head.party,  # content: a fold without it keeps it
        digest=summary.digest if summary.digest is not None else head.digest,
        last_at=max(head.last_at, now),
        expires_at=summary.expires_at,
        ended_at=summary.ended_at,
        due_at=summary.due_at,
        fails=0,
    )
