"""Places: from the org and the playbook that a caller names to where an operation acts in the store.

``default`` is made when a command first names it. A query makes nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from sayso.app import access
from sayso.app.access import Principal
from sayso.app.operations import Allowed
from sayso.app.reference import Reference
from sayso.app.snapshot import PlaybookRow
from sayso.core.heads import Head
from sayso.errors import Kind, Problem, conflict, not_found

DEFAULT = "default"


@dataclass(frozen=True, kw_only=True)
class Place:
    """One playbook as the store knows it, its shard, who acts there, and the number of that caller (0 of a query's)."""

    org: int
    playbook: int
    name: str
    shard: int
    by: int
    principal: Principal

    def shows(self, head: Head) -> bool:
        """Whether a run of the playbook is there for who acts."""
        return access.sees(self.principal, head.party, head.answerer)


class Places:
    """Finds places, each way with its own words for one that is not there."""

    def __init__(self, reference: Reference) -> None:
        self._reference = reference

    async def to_read(self, allowed: Allowed) -> Place | None:
        """The place of a query; None for a ``default`` that nothing was ever put into."""
        row = await self._find(allowed)
        if row is None and allowed.playbook == DEFAULT:
            return None
        if row is None:
            raise not_found("playbook")
        return _place(row, allowed, by=0)

    async def to_find(self, allowed: Allowed, what: str) -> Place:
        """The place of a query for one thing, which is not there if the playbook never was."""
        place = await self.to_read(allowed)
        if place is None:
            raise not_found(what)
        return place

    async def of_org(self, allowed: Allowed) -> Sequence[Place]:
        """The places of a query over an org: its playbooks that the caller may act in, retired ones too."""
        snapshot = await self._reference.snapshot(fresh=True)
        org, limit = snapshot.orgs.get(allowed.org), allowed.principal.playbooks
        return [
            _place(row, allowed, by=0)
            for (its_org, name), row in sorted(snapshot.playbooks.items())
            if its_org == org and (limit is None or name in limit)
        ]

    async def to_change_in(self, allowed: Allowed, what: str) -> Place:
        """The place of a command on a thing that is there already: no ``default`` is made to find nothing in it."""
        if allowed.playbook == DEFAULT and await self._find(allowed) is None:
            raise not_found(what)
        return await self.to_change(allowed)

    async def to_erase_in(self, allowed: Allowed) -> Place:
        """The place of an erasure: a retired playbook takes that too."""
        row = await self._find(allowed)
        if row is None:
            raise not_found("run" if allowed.playbook == DEFAULT else "playbook")
        _, by = await self.caller(allowed)
        return _place(row, allowed, by=by)

    async def to_change(self, allowed: Allowed) -> Place:
        """The place of a command; ``default`` and the caller's number are made when they are new."""
        row = await self._find(allowed)
        if row is None and allowed.playbook != DEFAULT:
            raise not_found("playbook")
        org, by = await self.caller(allowed)
        if row is None:
            await self._reference.add_playbook(org, by, DEFAULT, "Default", "")
            row = (await self._reference.snapshot()).playbooks[org, DEFAULT]
        if row.retired_at is not None:
            raise retired()
        return _place(row, allowed, by=by)

    async def caller(self, allowed: Allowed) -> tuple[int, int]:
        """The numbers of the caller's org and of the caller there, given when they are new."""
        org = await self._reference.add_org(allowed.org)
        return org, await self._reference.add_caller(org, allowed.principal.caller_id)

    async def _find(self, allowed: Allowed) -> PlaybookRow | None:
        """The playbook of an operation; a miss looks again, for another process may just have made it."""
        assert allowed.playbook is not None, "the operation acts in one playbook"
        for fresh in (False, True):
            snapshot = await self._reference.snapshot(fresh=fresh)
            found = snapshot.playbook(allowed.org, allowed.playbook)
            if found is not None:
                return found
        return None


def _place(row: PlaybookRow, allowed: Allowed, *, by: int) -> Place:
    return Place(org=row.org, playbook=row.playbook, name=row.name, shard=row.shard, by=by, principal=allowed.principal)


def retired() -> Problem:
    """What a retired playbook takes of no command."""
    return conflict("The playbook is retired: it is read, and changes no more.", Kind.RETIRED)
