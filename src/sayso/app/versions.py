"""Versions: what was saved of a definition, when and by whom, and how two of them differ."""

import asyncio

from sayso.app import differences, inputs
from sayso.app.means import Means
from sayso.app.operations import Allowed, Outcome
from sayso.app.pages import cut, page
from sayso.app.places import Place
from sayso.app.snapshot import Snapshot
from sayso.core import rows, values
from sayso.core.events import DefinitionSaved, Recorded
from sayso.core.instants import iso
from sayso.core.rows import Row
from sayso.core.values import Json

LISTING = "versions"


class Versions:
    """The operations ``list_definition_versions`` and ``compare_definition``."""

    def __init__(self, means: Means) -> None:
        self._store = means.store
        self._places = means.places
        self._reference = means.reference
        self._functions = means.functions
        self._cursors = means.cursors

    async def list_definition_versions(self, allowed: Allowed, fields: inputs.ListDefinitionVersions) -> Outcome:
        """A page of a definition's versions, newest first, without their sources."""
        place = await self._places.to_find(allowed, "definition")
        stream = (await self._functions.latest(place, fields.type, fields.name)).stream
        where = f"{place.playbook} {fields.type} {fields.name}"
        before = int.from_bytes(self._cursors.read(LISTING, where, fields.cursor)) if fields.cursor else None
        found, last = cut(await self._saved(place, stream, before, fields.limit), fields.limit)
        snapshot = await self._reference.naming(row["by"] for row in found)
        cursor = None if last is None else self._cursors.write(LISTING, where, last["seq"].to_bytes(4))
        return page(LISTING, [_shown(rows.recorded(stream, row), place, snapshot) for row in found], cursor)

    async def _saved(self, place: Place, stream: bytes, before: int | None, limit: int) -> list[Row]:
        """Rows of savings, more than a page holds where there are more. One event, the retirement, is none."""
        found = await self._store.query(
            "events_page_desc", shard=place.shard, stream=stream, before=before, limit=limit + 2
        )
        return [row for row in found if isinstance(rows.recorded(stream, row).event, DefinitionSaved)]

    async def compare_definition(self, allowed: Allowed, fields: inputs.CompareDefinition) -> Outcome:
        """What changed from one version to another: to the newest, and from the one before it, unless others are named.
        Nothing comes before the first, so that it is compared with itself."""
        place = await self._places.to_find(allowed, "definition")
        new = await self._functions.row(place, fields.type, fields.name, fields.to_version)
        before = fields.from_version or max(new["version"] - 1, 1)
        old = await self._functions.row(place, fields.type, fields.name, before)
        return await asyncio.to_thread(_compared, old, new)


def _shown(recorded: Recorded, place: Place, snapshot: Snapshot) -> dict[str, Json]:
    saved = recorded.event
    assert isinstance(saved, DefinitionSaved), "found as one"
    return values.stated(
        version=saved.version,
        saved_at=iso(recorded.at),
        saved_by=snapshot.caller_id(recorded.by, place.name),
        source_bytes=saved.source_bytes,
        source_sha256=saved.source_sha256,
        description=saved.description,
    )


def _compared(old: Row, new: Row) -> Outcome:
    """Both sources are read whole, which others need not wait for."""
    names = (f"{row['name']} version {row['version']}" for row in (old, new))
    return {
        "from_version": old["version"],
        "to_version": new["version"],
        "changed": list(differences.changed(old["source"], new["source"])),
        "diff": differences.unified(old["source"], new["source"], *names),
    }
