"""Rows of the store, as heads and events. Every store names its columns as the schema does."""

import json
from collections.abc import Mapping
from typing import Any

from sayso.core import events
from sayso.core.events import Recorded
from sayso.core.heads import Head, Outcome, Status, StreamKind


def head(row: Mapping[str, Any]) -> Head:
    """The head that a row of ``heads`` holds."""
    outcome = row["outcome"]
    return Head(
        stream=row["stream"],
        shard=row["shard"],
        playbook=row["playbook"],
        org=row["org"],
        billing_org=row["billing_org"],
        parent=row["parent"],
        run_id=row["run_id"],
        kind=StreamKind(row["kind"]),
        version=row["version"],
        seq=row["seq"],
        from_seq=row["from_seq"],
        status=Status(row["status"]),
        outcome=None if outcome is None else Outcome(outcome),
        definition=row["definition"],
        definition_version=row["definition_version"],
        party=row["party"],
        digest=row["digest"],
        at=row["at"],
        by=row["by"],
        last_at=row["last_at"],
        expires_at=row["expires_at"],
        ended_at=row["ended_at"],
        due_at=row["due_at"],
        fails=row["fails"],
        lease=row["lease"],
        open_children=row["open_children"],
    )


def recorded(row: Mapping[str, Any], *, with_content: bool = True) -> Recorded:
    """The event that a row of ``events`` holds; without its content where that was not selected."""
    content = row["content"] if with_content else None
    event = events.from_wire(
        row["type"], row["v"], json.loads(row["data"]), None if content is None else json.loads(content)
    )
    return Recorded(stream=row["stream"], seq=row["seq"], at=row["at"], by=row["by"], event=event)
