"""Rows of the store, as heads and events. Every store names its columns as the schema does."""

import dataclasses
import json
from collections.abc import Mapping
from typing import Any

from sayso.core import events
from sayso.core.events import Recorded
from sayso.core.heads import Head, Outcome, Status, StreamKind

_COLUMNS = tuple(field.name for field in dataclasses.fields(Head))


def head(row: Mapping[str, Any]) -> Head:
    """The head that a row with the columns of ``heads`` holds."""
    columns = {name: row[name] for name in _COLUMNS}
    columns["kind"] = StreamKind(columns["kind"])
    columns["status"] = Status(columns["status"])
    columns["outcome"] = None if columns["outcome"] is None else Outcome(columns["outcome"])
    return Head(**columns)


def recorded(stream: bytes, row: Mapping[str, Any]) -> Recorded:
    """The event of a stream that a row of ``events`` holds, with its content."""
    content = row["content"]
    event = events.from_wire(
        row["type"], row["v"], json.loads(row["data"]), None if content is None else json.loads(content)
    )
    return Recorded(stream=stream, seq=row["seq"], at=row["at"], by=row["by"], event=event)
