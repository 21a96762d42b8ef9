"""Definitions: save a document, change it, read it."""

import asyncio
import hashlib
import json

from sayso.app import inputs
from sayso.app.functions import key
from sayso.app.means import Means
from sayso.app.operations import Allowed, Outcome
from sayso.app.pages import cut, page
from sayso.app.places import Place
from sayso.app.snapshot import Snapshot
from sayso.app.units.unit import Order, Unit
from sayso.core import values
from sayso.core.commands import CreateDefinition, Text, UpdateDefinition
from sayso.core.document.parse import RequestFunction, parse
from sayso.core.events import DefinitionSaved
from sayso.core.heads import Birth, StreamKind
from sayso.core.instants import iso
from sayso.core.rows import Row
from sayso.core.values import Json

LISTING = "definitions"
MEDIA_TYPE = "text/markdown"


class Definitions:
    """The operations on definitions."""

    def __init__(self, means: Means) -> None:
        self._store = means.store
        self._writer = means.writer
        self._places = means.places
        self._reference = means.reference
        self._functions = means.functions
        self._mint = means.mint
        self._cursors = means.cursors

    async def create_definition(self, allowed: Allowed, fields: inputs.CreateDefinition) -> Outcome:
        """Save a new definition. 409 ``taken`` for a name that one has or had, 422 with every fault of the source."""
        function = await self._parsed(fields.source, fields.name)
        place = await self._places.to_change(allowed)
        saved, text = _saved(fields.type, fields.name, fields.source, function)
        birth = Birth(
            kind=StreamKind.DEFINITION, org=place.org, playbook=place.playbook, key=key(fields.type, fields.name)
        )
        stream = self._mint.stream(place.shard)
        order = Order(stream=stream, command=CreateDefinition(saved=saved, text=text), by=place.by, birth=birth)
        await self._submit(place, order, text)
        return await self._show(place, fields.type, fields.name, function)

    async def update_definition(self, allowed: Allowed, fields: inputs.UpdateDefinition) -> Outcome:
        """Save a changed source as the next version; the same source again changes nothing."""
        function = await self._parsed(fields.source, fields.name)
        place = await self._places.to_change_in(allowed, "definition")
        row = await self._functions.latest(place, fields.type, fields.name)
        saved, text = _saved(fields.type, fields.name, fields.source, function)
        command = UpdateDefinition(saved=saved, text=text, expected_version=fields.expected_version)
        order = Order(stream=row["stream"], command=command, by=place.by, what="definition")
        await self._submit(place, order, text)
        return await self._show(place, fields.type, fields.name, function)

    async def _parsed(self, source: str, name: str) -> RequestFunction:
        """The function that a source is. A hostile one may take a third of a second, which others must not wait for."""
        return await asyncio.to_thread(parse, source, name=name)

    async def get_definition(self, allowed: Allowed, fields: inputs.GetDefinition) -> Outcome:
        """The newest version of a definition, retired or not."""
        place = await self._places.to_find(allowed, "definition")
        return await self._show(place, fields.type, fields.name, None)

    async def list_definitions(self, allowed: Allowed, fields: inputs.ListDefinitions) -> Outcome:
        """The definitions of a type by name, without their sources."""
        place = await self._places.to_read(allowed)
        if place is None:
            return page(LISTING, [], None)
        where = f"{place.playbook}"
        after = self._cursors.read(LISTING, where, fields.cursor).decode() if fields.cursor else ""
        rows = await self._store.query(
            "definitions",
            shard=place.shard,
            playbook=place.playbook,
            type=fields.type,
            include_retired=fields.include_retired,
            after_name=after,
            limit=fields.limit + 1,
        )
        snapshot = await self._reference.naming(row["created_by"] for row in rows)
        found, last = cut(rows, fields.limit)
        cursor = None if last is None else self._cursors.write(LISTING, where, last["name"].encode())
        return page(LISTING, [_shown(snapshot, place, row) for row in found], cursor)

    async def _submit(self, place: Place, order: Order, text: Text) -> None:
        unit = Unit(shard=place.shard, playbook=place.playbook, orders=(order,), size=2 * len(text.source))
        await self._writer.submit(unit)

    async def _show(self, place: Place, type_: str, name: str, function: RequestFunction | None) -> Outcome:
        row = await self._functions.latest(place, type_, name)
        shown = _shown(await self._reference.naming([row["created_by"]]), place, row)
        if function is not None and function.warnings:
            shown["warnings"] = list(function.warnings)
        return shown | {"source": row["source"]}


def _saved(type_: str, name: str, source: str, function: RequestFunction) -> tuple[DefinitionSaved, Text]:
    text = Text(
        source=source,
        description=function.description,
        input_schema=function.input_schema.source if function.input_schema else None,
        output_schema=function.output_schema.source if function.output_schema else None,
    )
    encoded = source.encode()
    saved = DefinitionSaved(
        type=type_,
        name=name,
        version=1,
        source_bytes=len(encoded),
        source_sha256=hashlib.sha256(encoded).hexdigest(),
        warnings=len(function.warnings),
        description=function.description,
    )
    return saved, text


def _shown(snapshot: Snapshot, place: Place, row: Row) -> Outcome:
    shown: dict[str, Json] = {
        "type": row["type"],
        "name": row["name"],
        "version": row["version"],
        "status": "active" if row["outcome"] is None else "retired",
        "media_type": MEDIA_TYPE,
        "description": row["description"],
        "input_schema": _schema(row["input_schema"]),
        "output_schema": _schema(row["output_schema"]),
        "created_at": iso(row["created_at"]),
        "created_by": snapshot.caller_id(row["created_by"], place.name),
        "updated_at": iso(row["at"]),
        "retired_at": None if row["ended_at"] is None else iso(row["ended_at"]),
    }
    return values.stated(**shown)


def _schema(text: str | None) -> Json:
    return None if text is None else json.loads(text)
