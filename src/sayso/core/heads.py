"""The head of a stream: its one narrow row, which lists filter by and the worker looks at."""

import dataclasses
from enum import IntEnum

from sayso.core.frozen import frozen, frozen_row


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


# Kinds whose streams keep a state beside their head, with events as its log. That of all others is a fold of theirs.
KEPT = frozenset({StreamKind.CONVERSATION, StreamKind.WORKFLOW, StreamKind.AGENT})
# Kinds whose streams have a key of their own in their playbook, kept in the head's digest.
KEYED = frozenset({StreamKind.DEFINITION, StreamKind.CONVERSATION})


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


@frozen
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


@frozen
class Summary:
    """What a head repeats of its stream's state, so that lists and claims need not fold it."""

    status: Status
    outcome: Outcome | None = None
    due_at: int | None = None
    expires_at: int | None = None
    ended_at: int | None = None
    from_seq: int = 1
    party: str | None = None
    answerer: str | None = None
    definition: bytes | None = None
    definition_version: int | None = None


@frozen_row
class Head:
    """A row of ``heads``. ``version`` rises with every change, silent ones too, and is the fence of a write.

    ``answerer`` is None where the party itself answers. Times are microseconds since 1970.
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
    answerer: str | None = None

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
    return Head(
        stream=head.stream,
        shard=head.shard,
        playbook=head.playbook,
        org=head.org,
        billing_org=head.billing_org,
        parent=head.parent,
        run_id=head.run_id,
        kind=head.kind,
        version=head.version + 1,
        seq=seq,
        from_seq=summary.from_seq,
        status=summary.status,
        outcome=summary.outcome,
        definition=summary.definition,
        definition_version=summary.definition_version,
        party=summary.party if summary.party is not None else head.party,  # content: a fold without it keeps it
        digest=head.digest,
        at=head.at,
        by=head.by,
        last_at=max(head.last_at, now),
        expires_at=summary.expires_at,
        ended_at=summary.ended_at,
        due_at=summary.due_at,
        lease=head.lease,
        open_children=head.open_children,
        answerer=summary.answerer if summary.party is not None else head.answerer,
    )


# For how long a claim that lies in the head itself puts its stream off, in microseconds.
CLAIM_US = 60_000_000


def refolded(head: Head, summary: Summary, *, seq: int, last_at: int, now: int) -> Head:
    """The head as its events say it, their content included: they end with ``seq``, at ``last_at``.

    What no event says stays: what the stream was born with, its version, what others count in it. So does a due time
    that a claim put off: the stream is looked at within a minute, and would be looked at twice. Erasing clears the
    party and the answerer from the events as from the head, and here they stay cleared.
    """
    due_at = head.due_at if _is_put_off(head, summary, now) else summary.due_at
    again = advanced(head, summary, seq=seq, now=last_at)
    return dataclasses.replace(
        again,
        version=head.version,
        party=summary.party,
        answerer=summary.answerer,
        last_at=last_at,
        due_at=due_at,
        fails=head.fails,
    )


def _is_put_off(head: Head, summary: Summary, now: int) -> bool:
    if head.due_at is None or summary.due_at is None:
        return False
    return summary.due_at < head.due_at <= now + CLAIM_US
