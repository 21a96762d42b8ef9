"""What the store's tests write: streams in the states that lists and loads tell apart."""

from collections.abc import Sequence
from dataclasses import replace

from sayso.core import heads
from sayso.core.commands import Text
from sayso.core.events import (
    DefinitionRetired,
    DefinitionSaved,
    Event,
    EventPublished,
    InteractionRequested,
    Recorded,
    RequestAnswered,
    RequestReassigned,
    RunCancelRequested,
    RunErased,
    RunFailed,
    RunRejected,
    RunStarted,
    RunSucceeded,
)
from sayso.core.heads import Birth, Head, Outcome, Status, StreamKind, Summary
from sayso.core.ids import stream_id
from sayso.ports import Batch, DefinitionRow, HeadWrite

NOW = 1_750_000_000_000_000
HOUR = 3_600_000_000

STARTED = RunStarted(
    type="interaction",
    name="approve-spend",
    definition="0199a3c4-7d2e-7c1a-9b3f-000000000000",
    version=1,
    input_sha256="aa" * 32,
    input_bytes=15,
    input={"amount": 10**30},
)
REQUESTED = InteractionRequested(
    delivery={"server": "chat", "tool": "post"},
    message_bytes=9,
    takes_answer=True,
    expires_at=NOW + HOUR,
    to="the treasurer",
    answerer="the board",
    message="Pay “it”?",
)

# One of each type, with every field filled.
EVENTS: Sequence[Event] = (
    STARTED,
    REQUESTED,
    RequestAnswered(
        answer_sha256="bb" * 32, answer_bytes=5, answer="yes\u0000", claimed_for="the chair", reply={"id": "7"}
    ),
    RunCancelRequested(kind="requested", reason="Not needed."),
    RunSucceeded(output_bytes=2, is_answer=False, output={"deep": [[[1.5, None, True]]]}),
    RunRejected(
        reason="invalid_input",
        kind="unworkable",
        because="tool_error",
        issue_count=1,
        detail="No.",
        issues=[{"pointer": "/x", "detail": "y"}],
    ),
    RunFailed(),
    RunErased(reason="cancelled", kind="requested", because=None),
    DefinitionSaved(
        type="interaction",
        name="approve-spend",
        version=2,
        source_bytes=4,
        source_sha256="cc" * 32,
        warnings=0,
        description="Ask.",
    ),
    DefinitionRetired(version=2),
    RequestReassigned(to="the auditor", answerer="the chair"),
    EventPublished(event_sha256="dd" * 32, event_bytes=30, event={"type": "stock.low", "data": [None, 1.5]}),
)


def stream(n: int, shard: int = 0) -> bytes:
    """The nth stream of the tests; later ones sort later."""
    return stream_id(NOW + n, shard, n)


def run_named(name: str) -> bytes:
    """A run id of a caller's own: a UUID, to the store."""
    return name.encode().ljust(16, b".")


def recorded(which: bytes, *events: Event, after: int = 0) -> list[Recorded]:
    """Events at the end of a stream that has ``after`` of them."""
    return [
        Recorded(stream=which, seq=seq, at=NOW + seq, by=1, event=event) for seq, event in enumerate(events, after + 1)
    ]


def head(n: int, summary: Summary, *, shard: int, birth: Birth, seq: int) -> Head:
    """The head of the nth stream, as a first unit leaves it."""
    return heads.advanced(heads.born(stream(n, shard), shard, birth, NOW, 1), summary, seq=seq, now=NOW)


def asked(
    n: int,
    *,
    shard: int = 0,
    playbook: int = 1,
    run_id: bytes | None = None,
    parent: bytes | None = None,
    party: str = "the treasurer",
    answerer: str | None = None,
    definition: bytes | None = None,
    due_at: int = NOW + HOUR,
) -> Batch:
    """A request that waits."""
    birth = Birth(kind=StreamKind.REQUEST, org=1, playbook=playbook, run_id=run_id, parent=parent)
    summary = Summary(
        status=Status.WAITING,
        due_at=due_at,
        expires_at=due_at,
        party=party,
        answerer=answerer,
        definition=definition,
        definition_version=1,
    )
    its = head(n, summary, shard=shard, birth=birth, seq=2)
    events = [(playbook, event) for event in recorded(its.stream, STARTED, REQUESTED)]
    return Batch(heads=[HeadWrite(head=its, base=0)], events=events, opened={playbook: 1})


def answered(before: Head) -> Batch:
    """The answer to a request that waits, and with it the end of its run."""
    events = recorded(before.stream, EVENTS[2], RunSucceeded(output_bytes=5, is_answer=True), after=before.seq)
    after = replace(
        before, version=before.version + 1, seq=before.seq + 2, outcome=Outcome.SUCCEEDED, ended_at=NOW, due_at=None
    )
    return Batch(
        heads=[HeadWrite(head=after, base=before.version)],
        events=[(before.playbook, event) for event in events],
        opened={before.playbook: -1},
    )


def kept(n: int, kind: StreamKind, *, shard: int = 0, playbook: int = 1, key: bytes | None = None) -> Batch:
    """A stream of a kept kind, without events or a state."""
    summary = Summary(status=Status.RUNNING)
    its = head(n, summary, shard=shard, birth=Birth(kind=kind, org=1, playbook=playbook, key=key), seq=0)
    return Batch(heads=[HeadWrite(head=its, base=0)])


def saved(n: int, name: str, *versions: int, shard: int = 0, playbook: int = 1, retired: bool = False) -> Batch:
    """A definition with these versions."""
    birth = Birth(kind=StreamKind.DEFINITION, org=1, playbook=playbook, key=name.encode())
    summary = Summary(
        status=Status.STARTED,
        from_seq=len(versions),
        definition_version=versions[-1],
        outcome=Outcome.RETIRED if retired else None,
        ended_at=NOW if retired else None,
    )
    its = head(n, summary, shard=shard, birth=birth, seq=len(versions))
    rows = [
        DefinitionRow(
            playbook=playbook,
            type="interaction",
            name=name,
            version=version,
            stream=its.stream,
            text=Text(
                source=f"v{version}", description=None, input_schema={"type": "object"}, output_schema={"v": version}
            ),
            at=NOW + version,
            by=version,
        )
        for version in versions
    ]
    return Batch(heads=[HeadWrite(head=its, base=0)], definitions=rows)


def merged(*batches: Batch) -> Batch:
    """All of these in one commit."""
    whole = Batch()
    for batch in batches:
        for name in ("heads", "events", "definitions", "states", "inbox", "taken", "joined", "left"):
            getattr(whole, name).extend(getattr(batch, name))
        for playbook, opened in batch.opened.items():
            whole.opened[playbook] = whole.opened.get(playbook, 0) + opened
    return whole
