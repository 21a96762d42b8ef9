"""Rows as the store keeps them: values in the order of a statement's columns or marks."""

import json
from collections.abc import Callable, Iterable, Sequence
from operator import attrgetter
from typing import TypeVar

from sayso.core.events import VERSION, Recorded, code, from_wire, to_wire
from sayso.core.rows import HEAD_COLUMNS, Cell, Columns
from sayso.core.values import Json, compact
from sayso.ports import DefinitionRow, HeadWrite, InboxRow, KeptState, MemberRow
from sayso.store.sql import Query

T = TypeVar("T")

# A row to be written.
Cells = tuple[Cell, ...]

# What `{head}` stands for in a query.
HEAD_PART = ", ".join(f"h.{column}" for column in HEAD_COLUMNS)


def recorded_of(rows: Sequence[Columns]) -> list[Recorded]:
    """The events in rows (stream, seq, at, by, type, v, data), without their content."""
    data = json.loads(f"[{','.join(row[6] for row in rows)}]")  # one look at the parser for all rows
    return [
        Recorded(row[0], row[1], row[2], row[3], from_wire(row[4], row[5], written, None))
        for row, written in zip(rows, data, strict=True)
    ]


def head_values(query: Query) -> Callable[[HeadWrite], Cells]:
    """What gives a head's values in the order of a query whose names are columns, and last maybe ``base``."""
    names = query.names
    if names[-1] != "base":
        columns = attrgetter(*names)
        return lambda write: columns(write.head)
    columns = attrgetter(*names[:-1])
    return lambda write: (*columns(write.head), write.base)


def event_values(shard: int, playbook: int, position: int, recorded: Recorded) -> Cells:
    """A row of ``insert_events``."""
    event = recorded.event
    data, content = to_wire(event)
    where = (shard, recorded.stream, recorded.seq, playbook, position)
    return (*where, code(event), VERSION, recorded.at, recorded.by, compact(data), _json(content))


def definition_values(shard: int, row: DefinitionRow) -> Cells:
    """A row of ``insert_definitions``."""
    text = row.text
    key = (shard, row.playbook, row.type, row.name, row.version, row.stream)
    schemas = (_json(text.input_schema), _json(text.output_schema))
    return (*key, text.source, text.description, *schemas, row.at, row.by)


def state_values(shard: int, kept: KeptState) -> Cells:
    """A row of ``put_states``."""
    return shard, kept.stream, kept.format, compact(kept.state)


def state_of(row: Columns) -> KeptState:
    """The state in a row of ``load_states``."""
    return KeptState(stream=row[0], format=row[1], state=json.loads(row[2]))


def inbox_values(shard: int, row: InboxRow) -> Cells:
    """A row of ``insert_inbox``."""
    return shard, row.stream, row.n, row.from_stream, compact(row.body)


def inbox_of(row: Columns) -> InboxRow:
    """What waits, in a row of ``load_inbox``."""
    return InboxRow(stream=row[0], n=row[1], from_stream=row[2], body=json.loads(row[3]))


def member_values(shard: int, row: MemberRow) -> Cells:
    """A row of ``put_members``."""
    return shard, row.conversation, row.sent_id, row.stream, row.asked_at


def grouped(items: Iterable[T], stream: Callable[[T], bytes]) -> dict[bytes, list[T]]:
    """Items by their stream, each stream's in the order in which they came."""
    groups: dict[bytes, list[T]] = {}
    for item in items:
        groups.setdefault(stream(item), []).append(item)
    return groups


def _json(value: Json) -> str | None:
    return None if value is None else compact(value)
