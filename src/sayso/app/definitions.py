"""Definitions: save a document, change it, read it, retire it."""

import hashlib

from sayso.app import definition_view, inputs
from sayso.app.functions import Version, key, parsed
from sayso.app.means import Means
from sayso.app.operations import Allowed, Outcome
from sayso.app.pages import cut, page
from sayso.app.places import Place
from sayso.app.units.unit import Order, Result, Unit
from sayso.core.commands import CreateDefinition, RetireDefinition, Text, UpdateDefinition
from sayso.core.document.function import Function
from sayso.core.events import DefinitionSaved
from sayso.core.heads import Birth, StreamKind
from sayso.core.rows import Row
from sayso.errors import Problem

LISTING = "definitions"


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
        function = await parsed(fields.source, fields.name)
        place = await self._places.to_change(allowed)
        saved, text = _saved(fields.type, fields.name, fields.source, function)
        birth = Birth(
            kind=StreamKind.DEFINITION, org=place.org, playbook=place.playbook, key=key(fields.type, fields.name)
        )
        stream = self._mint.stream(place.shard)
        order = Order(stream=stream, command=CreateDefinition(saved=saved, text=text), by=place.by, birth=birth)
        return await self._save(place, order, saved, text, function)

    async def update_definition(self, allowed: Allowed, fields: inputs.UpdateDefinition) -> Outcome:
        """Save a changed source as the next version; the same source again changes nothing."""
        function = await parsed(fields.source, fields.name)
        place = await self._places.to_change_in(allowed, "definition")
        latest = await self._functions.latest(place, fields.type, fields.name)
        saved, text = _saved(fields.type, fields.name, fields.source, function)
        command = UpdateDefinition(saved=saved, text=text, expected_version=fields.expected_version)
        order = Order(stream=latest.stream, command=command, by=place.by, what="definition")
        return await self._save(place, order, saved, text, function)

    async def retire_definition(self, allowed: Allowed, fields: inputs.RetireDefinition) -> Outcome:
        """End a definition for good: it is read, and neither changed nor run any more. Its runs go on."""
        place = await self._places.to_change_in(allowed, "definition")
        latest = await self._functions.latest(place, fields.type, fields.name)
        order = Order(stream=latest.stream, command=RetireDefinition(), by=place.by, what="definition")
        await self._submit(place, order)
        row = await self._functions.row(place, fields.type, fields.name)
        return await self._show(place, row, await self._function(place, row))

    async def get_definition(self, allowed: Allowed, fields: inputs.GetDefinition) -> Outcome:
        """A version of a definition, the newest unless one is asked for, retired or not, and what it says in words."""
        place = await self._places.to_find(allowed, "definition")
        row = await self._functions.row(place, fields.type, fields.name, fields.version)
        function = await self._function(place, row)
        return await self._show(place, row, function) | await definition_view.explained(function)

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
        return page(LISTING, [definition_view.listed(row, place.name, snapshot) for row in found], cursor)

    async def _save(
        self, place: Place, order: Order, saved: DefinitionSaved, text: Text, function: Function
    ) -> Outcome:
        """Save, and keep what was compiled: the version that now stands has this source, whether or not it is new."""
        head = (await self._submit(place, order, size=2 * len(text.source))).done[0].head
        self._functions.keep(head, function)
        row = await self._functions.row(place, saved.type, saved.name, head.definition_version)
        return await self._show(place, row, function)

    async def _submit(self, place: Place, order: Order, size: int = 0) -> Result:
        return await self._writer.submit(Unit(shard=place.shard, playbook=place.playbook, orders=(order,), size=size))

    async def _show(self, place: Place, row: Row, function: Function | None) -> Outcome:
        snapshot = await self._reference.naming([row["created_by"]])
        return definition_view.shown(row, place.name, snapshot, function)

    async def _function(self, place: Place, row: Row) -> Function | None:
        """The function of a version's row; None where this release cannot read it any more."""
        try:
            return await self._functions.function(place, Version.of(row))
        except Problem:
            return None


def _saved(type_: str, name: str, source: str, function: Function) -> tuple[DefinitionSaved, Text]:
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
