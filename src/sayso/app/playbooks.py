"""Playbooks: what owns definitions and runs. ``default`` is made when a command first names it."""

from dataclasses import dataclass

from sayso.app import inputs
from sayso.app.operations import Allowed, Outcome
from sayso.app.reference import PlaybookRow, Reference, Snapshot, find_playbook
from sayso.core.instants import iso
from sayso.errors import Kind, Problem, Reason, conflict, not_found
from sayso.ports import Store, Transaction

DEFAULT = "default"
ACTIVE, RETIRED = 1, 2


@dataclass(frozen=True, kw_only=True)
class Place:
    """Where an operation acts, as the store knows it: one playbook, its shard, and the caller's number there."""

    org: int
    playbook: int
    name: str
    shard: int
    by: int


class Playbooks:
    """The operations on playbooks, and the way from a public id to the place in the store."""

    def __init__(self, store: Store, reference: Reference) -> None:
        self._store = store
        self._reference = reference

    async def create_playbook(self, allowed: Allowed, fields: inputs.CreatePlaybook) -> Outcome:
        """Make a playbook. 409 for an id that the org has or had; 403 for a key that is limited to other ids."""
        limit = allowed.principal.playbooks
        if limit is not None and fields.playbook not in limit:
            raise Problem(Reason.FORBIDDEN, "This key is limited to other playbooks.")
        org, by = await self._caller(allowed)
        made = await self._make(org, by, fields.playbook, fields.name, fields.description)
        if not made:
            raise conflict("The playbook exists already: choose another id, or update it.", Kind.TAKEN)
        return _shown(await self._reference.snapshot(), await self._row(org, fields.playbook))

    async def list_playbooks(self, allowed: Allowed, fields: inputs.ListPlaybooks) -> Outcome:
        """The playbooks of the org that the caller may act in, by id."""
        snapshot = await self._reference.snapshot(fresh=True)
        org = snapshot.orgs.get(allowed.org)
        limit = allowed.principal.playbooks
        rows = [
            row
            for (its_org, name), row in sorted(snapshot.playbooks.items())
            if its_org == org and (limit is None or name in limit)
            if fields.include_retired or row.retired_at is None
        ]
        return {"playbooks": [_shown(snapshot, row) for row in rows]}

    async def get_playbook(self, allowed: Allowed, fields: inputs.GetPlaybook) -> Outcome:
        """One playbook, retired or not."""
        snapshot = await self._reference.snapshot(fresh=True)
        return _shown(snapshot, _named(snapshot, allowed.org, fields.playbook))

    async def update_playbook(self, allowed: Allowed, fields: inputs.UpdatePlaybook) -> Outcome:
        """Name and describe a playbook anew. What changes nothing records nothing."""
        org, _ = await self._caller(allowed)

        async def change(transaction: Transaction) -> None:
            row = await find_playbook(transaction, org, fields.playbook)
            if row is None:
                raise not_found("playbook")
            if (row.title, row.description) != (fields.name, fields.description):
                await transaction.execute(
                    "update_playbook",
                    playbook=row.playbook,
                    title=fields.name,
                    description=fields.description,
                    updated_at=await transaction.now(),
                )

        await self._reference.change(change)
        return _shown(await self._reference.snapshot(), await self._row(org, fields.playbook))

    async def to_read(self, allowed: Allowed) -> Place | None:
        """The place of a query; None for a ``default`` that nothing was ever put into. A query makes nothing."""
        row = await self._find(allowed)
        if row is None and allowed.playbook == DEFAULT:
            return None
        if row is None:
            raise not_found("playbook")
        return Place(org=row.org, playbook=row.playbook, name=row.name, shard=row.shard, by=0)

    async def to_find(self, allowed: Allowed, what: str) -> Place:
        """The place of a query for one thing, which is not there if the playbook never was."""
        place = await self.to_read(allowed)
        if place is None:
            raise not_found(what)
        return place

    async def to_change_in(self, allowed: Allowed, what: str) -> Place:
        """The place of a command on a thing that is there already: no ``default`` is made to find nothing in it."""
        if allowed.playbook == DEFAULT and await self._find(allowed) is None:
            raise not_found(what)
        return await self.to_change(allowed)

    async def to_change(self, allowed: Allowed) -> Place:
        """The place of a command; ``default`` and the caller's number are made when they are new."""
        row = await self._find(allowed)
        if row is None and allowed.playbook != DEFAULT:
            raise not_found("playbook")
        org, by = await self._caller(allowed)
        if row is None:
            await self._make(org, by, DEFAULT, "Default", "")
            row = await self._row(org, DEFAULT)
        if row.retired_at is not None:
            raise conflict("The playbook is retired: it is read, and changes no more.", Kind.RETIRED)
        return Place(org=org, playbook=row.playbook, name=row.name, shard=row.shard, by=by)

    async def _find(self, allowed: Allowed) -> PlaybookRow | None:
        """The playbook of an operation; a miss looks again, for another process may just have made it."""
        assert allowed.playbook is not None, "the operation acts in one playbook"
        for fresh in (False, True):
            snapshot = await self._reference.snapshot(fresh=fresh)
            found = snapshot.playbooks.get((snapshot.orgs.get(allowed.org, 0), allowed.playbook))
            if found is not None:
                return found
        return None

    async def _caller(self, allowed: Allowed) -> tuple[int, int]:
        org = await self._reference.add_org(allowed.org)
        return org, await self._reference.add_caller(org, allowed.principal.caller_id)

    async def _row(self, org: int, name: str) -> PlaybookRow:
        return (await self._reference.snapshot()).playbooks[org, name]

    async def _make(self, org: int, by: int, name: str, title: str, description: str) -> bool:
        """Make a playbook unless the org has it; whether it was made."""
        shard = (org + sum(name.encode())) % self._store.shards

        async def change(transaction: Transaction) -> bool:
            if await find_playbook(transaction, org, name) is not None:
                return False
            await transaction.execute(
                "add_playbook",
                org=org,
                name=name,
                shard=shard,
                title=title,
                description=description,
                status=ACTIVE,
                at=await transaction.now(),
                by=by,
            )
            return True

        return await self._reference.change(change)


def _named(snapshot: Snapshot, org: str, name: str) -> PlaybookRow:
    row = snapshot.playbooks.get((snapshot.orgs.get(org, 0), name))
    if row is None:
        raise not_found("playbook")
    return row


def _shown(snapshot: Snapshot, row: PlaybookRow) -> Outcome:
    shown: Outcome = {
        "id": row.name,
        "name": row.title,
        "description": row.description,
        "status": "active" if row.retired_at is None else "retired",
        "created_at": iso(row.at),
        "created_by": snapshot.caller_id(row.by, row.name),
        "updated_at": iso(row.updated_at),
    }
    return shown if row.retired_at is None else shown | {"retired_at": iso(row.retired_at)}
