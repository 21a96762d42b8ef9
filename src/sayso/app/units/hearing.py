"""What reaches a kept stream from others: it is counted, shown and left in its inbox; its step is never run for it."""

from dataclasses import replace

from sayso.app.units.working import Draft, Stands
from sayso.core import bounds
from sayso.core.commands import PLAYBOOK_ITSELF, Post
from sayso.core.heads import Head
from sayso.core.machines import inbox
from sayso.core.machines.inbox import ChildEnded, Heard, OrderRefused, Posted
from sayso.core.machines.machine import Reaction
from sayso.errors import RETRY_AFTER_S, Problem, Reason, conflict
from sayso.ports import InboxRow

NOTHING = Reaction()


def child(draft: Draft, parent: bytes, child: Head, more: int) -> None:
    """A child was opened or has ended: its parent counts it, shows it, and of an ending it is to hear now.

    A parent that has ended itself only counts: it has nothing to show and nothing to hear any more.
    """
    stands = draft.there(parent)
    head = replace(stands.head, open_children=stands.head.open_children + more)
    stands = replace(stands, head=head)
    if head.outcome is not None:
        _reach(draft, stands, NOTHING, None)
        return
    reaction = draft.working.machines.kept[head.kind].hears(head, child)
    ended = None if child.outcome is None else ChildEnded(child=child.stream, outcome=child.outcome)
    _reach(draft, stands, reaction, ended)


def refused(draft: Draft, stream: bytes, ordered: bytes, problem: Problem) -> None:
    """A step's order was refused: its machine is to hear of it, since the step itself stands."""
    heard = OrderRefused(stream=ordered, reason=problem.reason, kind=problem.kind)
    _reach(draft, draft.there(stream), NOTHING, heard)


def posted(draft: Draft, stands: Stands, post: Post, by: int) -> Problem | None:
    """Leave something in an inbox, or say why not."""
    if stands.head.outcome is not None:
        return conflict("It has ended: it takes nothing more.")
    if post.body_bytes > bounds.POSTED_BYTES:
        return Problem(
            Reason.CONTENT_TOO_LARGE, f"At most {bounds.POSTED_BYTES:,} bytes can be sent at once. Send less."
        )
    waiting = sum(inbox.room(row.body) for row in stands.inbox)
    if waiting + max(post.body_bytes, bounds.POSTED_LEAST_BYTES) > bounds.INBOX_BYTES:
        detail = "It has not taken yet what was sent to it before. Send this again in a moment."
        return Problem(Reason.UNAVAILABLE, detail, retry_after=RETRY_AFTER_S)
    _reach(draft, stands, NOTHING, Posted(post=post, at=draft.working.time(stands.head), by=by))
    return None


def _reach(draft: Draft, stands: Stands, reaction: Reaction, heard: Heard | None) -> None:
    before = stands.head
    now = draft.working.time(before)
    recorded = draft.record(before, reaction.events, PLAYBOOK_ITSELF)
    head = replace(
        before,
        version=before.version + 1,
        seq=before.seq + len(recorded),
        status=reaction.status or before.status,
        last_at=now,
        due_at=before.due_at if heard is None else now,
    )
    rows = stands.inbox
    if heard is not None:
        # The version rises with each thing that is heard, so it numbers what lies in the inbox.
        row = InboxRow(stream=head.stream, n=head.version, from_stream=inbox.source(heard), body=inbox.to_body(heard))
        draft.rows.inbox.append(row)
        rows = (*rows, row)
    draft.streams[head.stream] = replace(stands, head=head, inbox=rows)
