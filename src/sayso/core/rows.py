"""Rows of the store, as heads and events. Every store names its columns as the schema does."""

import dataclasses
import json
from collections.abc import Mapping, Sequence
from typing import Any

from sayso.core import events
from sayso.core.events import Event, Recorded
from sayso.core.heads import Head, Outcome, Status, StreamKind

# What a column can hold, and a parameter of a named statement, which may be a list of ids too.
Cell = str | int | bytes | None
Parameter = Cell | Sequence[bytes]
# A row as a store gives it: by the names of its columns, or in the order that its statement says.
Row = Mapping[str, Any]
Columns = Sequence[Any]

HEAD_COLUMNS = tuple(field.name for field in dataclasses.fields(Head))
_KIND, _STATUS, _OUTCOME = map(HEAD_COLUMNS.index, ("kind", "status", "outcome"))

# Looked up far more often than an enumeration's own constructor is quick enough for.
_KINDS = {int(kind): kind for kind in StreamKind}
_STATUSES = {int(status): status for status in Status}
_OUTCOMES: dict[int | None, Outcome | None] = {None: None} | {int(outcome): outcome for outcome in Outcome}


def head_of(values: Columns) -> Head:
    """The head that values in the order of `HEAD_COLUMNS` are."""
    row = list(values)
    row[_KIND] = _KINDS[row[_KIND]]
    row[_STATUS] = _STATUSES[row[_STATUS]]
    row[_OUTCOME] = _OUTCOMES[row[_OUTCOME]]
    return Head(*row)


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
