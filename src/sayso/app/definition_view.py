"""A definition as every door shows it: one version of it, in a list, by itself, or with what it says in plain words."""

import asyncio
import json

from sayso.app.snapshot import Snapshot
from sayso.core import values
from sayso.core.document.function import Function
from sayso.core.instants import iso
from sayso.core.overview.overview import overview
from sayso.core.rows import Row
from sayso.core.values import Json

MEDIA_TYPE = "text/markdown"


def listed(row: Row, playbook: str, snapshot: Snapshot) -> dict[str, Json]:
    """A version as a list shows it: without its source."""
    return values.stated(
        type=row["type"],
        name=row["name"],
        version=row["version"],
        status="active" if row["outcome"] is None else "retired",
        media_type=MEDIA_TYPE,
        description=row["description"],
        input_schema=_schema(row["input_schema"]),
        output_schema=_schema(row["output_schema"]),
        created_at=iso(row["created_at"]),
        created_by=snapshot.caller_id(row["created_by"], playbook),
        updated_at=iso(row["at"]),
        retired_at=None if row["ended_at"] is None else iso(row["ended_at"]),
    )


def shown(row: Row, playbook: str, snapshot: Snapshot, function: Function | None) -> dict[str, Json]:
    """A version by itself. ``function`` is None where this release cannot read it any more."""
    body = listed(row, playbook, snapshot)
    if function is not None and function.warnings:
        body["warnings"] = [warning.detail for warning in function.warnings]
    return body | {"source": row["source"]}


async def explained(function: Function | None) -> dict[str, Json]:
    """What a version says in plain words (AUTO: The overview). Nothing can call a function yet, so none is used by any.

    Written where others need not wait: a document may hold a thousand fields.
    """
    return {} if function is None else {"overview": await asyncio.to_thread(overview, function)}


def _schema(text: str | None) -> Json:
    return None if text is None else json.loads(text)
