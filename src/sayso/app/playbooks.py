"""Playbooks: what owns definitions and runs."""

from sayso.app import access, inputs
from sayso.app.means import Means
from sayso.app.operations import Allowed, Outcome
from sayso.app.places import DEFAULT, retired
from sayso.app.reference import RETIRED, find_playbook
from sayso.app.snapshot import PlaybookRow, Snapshot
from sayso.core.instants import iso
from sayso.errors import Kind, conflict, not_found
from sayso.ports import Transaction


class Playbooks:
    """The operations on playbooks."""

    def __init__(self, means: Means) -> None:
        self._reference = means.reference
        self._places = means.places

    async def create_playbook(self, allowed: Allowed, fields: inputs.CreatePlaybook) -> Outcome:
        """Make a playbook. 409 for an id that the org has or had; 403 for a key that is limited to other ids."""
        access.check_playbook(allowed.principal, fields.playbook)
        org, by = await self._places.caller(allowed)
        made = await self._reference.add_playbook(org, by, fields.playbook, fields.name, fields.description)
        if not made:
            raise conflict("The playbook exists already: choose another id, or update it.", Kind.TAKEN)
        return await self._stands(org, fields.playbook)

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
        row = snapshot.playbook(allowed.org, fields.playbook)
        if row is None:
            raise not_found("playbook")
        return _shown(snapshot, row)

    async def update_playbook(self, allowed: Allowed, fields: inputs.UpdatePlaybook) -> Outcome:
        """Name and describe a playbook anew. What changes nothing records nothing. 409 for one that is retired."""
        org, _ = await self._places.caller(allowed)

        async def change(transaction: Transaction) -> None:
            row = await find_playbook(transaction, org, fields.playbook)
            if row is None:
                raise not_found("playbook")
            if row.retired_at is not None:
                raise retired()
            if (row.title, row.description) != (fields.name, fields.description):
                await transaction.execute(
                    "update_playbook",
                    playbook=row.playbook,
                    title=fields.name,
                    description=fields.description,
                    updated_at=await transaction.now(),
                )

        await self._reference.change(change)
        return await self._stands(org, fields.playbook)

    async def retire_playbook(self, allowed: Allowed, fields: inputs.RetirePlaybook) -> Outcome:
        """End a playbook for good: it is read, and takes no command any more; its open requests wait until they
        expire. Again: no change. ``default`` is for whoever names no other, and is never retired."""
        org, _ = await self._places.caller(allowed)

        async def change(transaction: Transaction) -> None:
            row = await find_playbook(transaction, org, fields.playbook)
            if row is None:
                raise not_found("playbook")
            if row.name == DEFAULT:
                raise conflict("The playbook default is never retired: retire its definitions instead.")
            if row.retired_at is None:
                at = await transaction.now()
                await transaction.execute("retire_playbook", playbook=row.playbook, status=RETIRED, retired_at=at)

        await self._reference.change(change)
        return await self._stands(org, fields.playbook)

    async def _stands(self, org: int, name: str) -> Outcome:
        """A playbook that is there, whichever process made it, and however lately."""
        snapshot = await self._reference.snapshot(fresh=True)
        return _shown(snapshot, snapshot.playbooks[org, name])


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
