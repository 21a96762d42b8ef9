"""Rows of the store, as heads and events. Every store names its columns as the schema does."""

import dataclasses
import json
from collections.abc import Mapping, Sequence
from typing import Any

from sayso.core import events
from sayso.core.events import Event, Recorded
from sayso.core.heads import Head, Outcome, Status, StreamKind

# What a column can hold, and a parameter of a named statement.
Cell = str | int | bytes | None
# A row as a store gives it: by the names of its columns, or in the order that its statement says.
Row = Mapping[str, Any]
Columns = Sequence[Any]

HEAD_COLUMNS = tuple(field.name for field in dataclasses.fields(Head))

# Looked up far more often than an enumeration's own constructor is quick enough for.
_KINDS = {int(kind): kind for kind in StreamKind}
_STATUSES = {int(status): status for status in Status}
_OUTCOMES: dict[int | None, Outcome | None] = {None: None} | {int(outcome): outcome for outcome in Outcome}


def head_of(values: Columns) -> Head:
    """The head that values in the order of `HEAD_COLUMNS` are."""
    return Head(
        stream=values[0],
        shard=values[1],
        playbook=values[2],
        org=values[3],
        billing_org=values[4],
        parent=values[5],
        run_id=values[6],
        kind=_KINDS[values[7]],
        version=values[8],
        seq=values[9],
        from_seq=values[10],
        status=_STATUSES[values[11]],
        outcome=_OUTCOMES[values[12]],
        definition=values[13],
        definition_version=values[14],
        party=values[15],
        digest=values[16],
        at=values[17],
        by=values[18],
        last_at=values[19],
        expires_at=values[20],
        ended_at=values[21],
        due_at=values[22],
        fails=values[23],
        lease=values[24],
        open_children=values[25],
    )


def head(row: Row) -> Head:
    """The head in a row with the columns of ``heads``, whatever else it has."""
    return head_of([row[name] for name in HEAD_COLUMNS])


def event(number: int, version: int, data: str, content: str | None) -> Event:
    """The event whose JSON these are. Raises ValueError or TypeError for what no event of ours wrote."""
    return events.from_wire(number, version, json.loads(data), None if content is None else json.loads(content))


def recorded(stream: bytes, row: Row) -> Recorded:
    """The event of a stream that a row of ``events`` holds, with its content."""
    fact = event(row["type"], row["v"], row["data"], row["content"])
    return Recorded(stream=stream, seq=row["seq"], at=row["at"], by=row["by"], event=fact)
