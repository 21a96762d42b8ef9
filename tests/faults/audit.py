"""What must be true of every store, however often its writers were killed: read past all of ours."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import reduce
from itertools import groupby
from pathlib import Path
from typing import Any

from sayso.core.events import (
    InteractionRequested,
    Recorded,
    RequestAnswered,
    RunErased,
    RunFailed,
    RunRejected,
    RunStarted,
    RunSucceeded,
)
from sayso.core.heads import Head, Outcome, StreamKind, refolded
from sayso.core.machines import MACHINES
from sayso.core.machines.machine import Machines
from sayso.core.rows import head_of
from sayso.store import SystemClock
from sayso.store.rows import HEAD_PART, recorded_of
from tests import stores
from tests.beside import Run, beside

ENDINGS = (RunSucceeded, RunRejected, RunFailed)


@dataclass(frozen=True, kw_only=True)
class Audit:
    """How much was looked at."""

    streams: int
    events: int
    open: int


def audit(store: Path, machines: Machines = MACHINES, until: int | None = None) -> Audit:
    """Assert that all of the store in a folder agrees: files, feeds, streams, heads, counters, what is due.

    No clock that was used there ever showed more than ``until``, or the present time.
    """
    with beside(store) as run:
        heads = {head.stream: head for head in map(head_of, run(f"select {HEAD_PART} from heads h"))}
        streams = dict(_streams(run))
        _check_feeds(run, heads.values())
        _check_definitions(run, heads.values())
        _check_parents(run, heads)
        _check_members(run, heads)
    # A claim that is written puts a due time off from what the events say.
    claimed_by = (until or SystemClock().now()) if stores.is_postgres(store) else 0
    assert streams.keys() <= heads.keys()
    for head in heads.values():
        _check_stream(machines, head, streams.get(head.stream, []), claimed_by)
    opened = sum(head.open for head in heads.values())
    return Audit(streams=len(heads), events=sum(map(len, streams.values())), open=opened)


def _streams(run: Run) -> Iterator[tuple[bytes, list[Recorded]]]:
    rows = run("select stream, seq, at, by, type, v, data from events order by stream, seq")
    for stream, recorded in groupby(recorded_of(rows), lambda one: one.stream):
        yield stream, list(recorded)


def _check_feeds(run: Run, heads: Any) -> None:
    """Positions without a gap, and the counter of what waits."""
    waiting = Counter(head.playbook for head in heads if head.open)
    for playbook, position, opened in run("select playbook, position, open from feeds"):
        positions = run("select position from events where playbook = ? order by position", playbook)
        assert [row[0] for row in positions] == list(range(1, position + 1))
        assert opened == waiting[playbook]


def _check_definitions(run: Run, heads: Any) -> None:
    """Each saved version has its row, and each row its event."""
    rows = Counter(row[0] for row in run("select stream from definitions"))
    saved = {head.stream: head.definition_version for head in heads if head.kind is StreamKind.DEFINITION}
    assert rows == saved


def _check_parents(run: Run, heads: dict[bytes, Head]) -> None:
    """A parent counts its open children, and is due while something waits in its inbox."""
    children = Counter(head.parent for head in heads.values() if head.parent and head.outcome is None)
    waits = {row[0] for row in run("select stream from inbox")}
    for head in heads.values():
        assert head.open_children == children[head.stream]
        assert head.due_at is not None or head.stream not in waits


def _check_members(run: Run, heads: dict[bytes, Head]) -> None:
    """Who waits in a conversation is a request that has not ended, and who has ended left then."""
    for stream, left_at in run("select stream, left_at from members where asked_at is not null"):
        assert left_at == heads[stream].ended_at


def _check_stream(machines: Machines, head: Head, events: list[Recorded], claimed_by: int) -> None:
    assert [one.seq for one in events] == list(range(1, head.seq + 1))
    assert [one.at for one in events] == sorted(one.at for one in events)
    assert not events or events[-1].at <= head.last_at
    machine = machines.folded.get(head.kind)
    if machine is None:
        return
    state = reduce(machine.evolve, (one for one in events if one.seq >= head.from_seq), machine.initial())
    last = events[-1]
    told = replace(machine.summary(state), party=head.party, answerer=head.answerer)  # content is not read here
    assert refolded(head, told, seq=last.seq, last_at=last.at, now=claimed_by) == head
    if head.kind is StreamKind.REQUEST:
        _check_request(head, [one for one in events if one.seq >= head.from_seq])


def _check_request(head: Head, events: list[Recorded]) -> None:
    """A run is whole: put or ended in the unit that began it, at most one answer, and that with its ending."""
    events = [one for one in events if not isinstance(one.event, RunErased)]  # it may come any time after the ending
    kinds = [type(one.event) for one in events]
    assert kinds[0] is RunStarted
    assert kinds[1] in {InteractionRequested, RunRejected}
    assert events[0].at == events[1].at
    assert sum(kind in ENDINGS for kind in kinds) == (head.outcome is not None)
    assert head.outcome is None or kinds[-1] in ENDINGS
    answers = [one for one in events if isinstance(one.event, RequestAnswered)]
    if answers:
        assert len(answers) == 1
        assert head.outcome is Outcome.SUCCEEDED
        assert (events[-2], events[-1].at) == (answers[0], answers[0].at)
