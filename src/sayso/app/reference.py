"""Reference data: orgs, playbooks, callers and keys, as one snapshot that is read anew only when it moved."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from sayso.app.access import Permission
from sayso.app.unit import PLAYBOOK_ITSELF
from sayso.app.writer import Writer
from sayso.ports import Row, Store, Transaction

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class PlaybookRow:
    """A playbook: its number in the store, the shard that all its run data is in, and what it shows."""

    playbook: int
    org: int
    name: str
    shard: int
    title: str
    description: str
    at: int
    by: int
    updated_at: int
    retired_at: int | None


@dataclass(frozen=True, kw_only=True)
class KeyRow:
    """A key as it is stored: never the key, only its digest."""

    id: str
    org: int
    hash: bytes
    permissions: frozenset[Permission]
    playbooks: frozenset[str] | None
    at: int
    by: int | None
    expires_at: int | None
    revoked_at: int | None


@dataclass(frozen=True, kw_only=True)
class Snapshot:
    """All reference data as it stood at one moment."""

    orgs: Mapping[str, int]
    org_names: Mapping[int, str]
    playbooks: Mapping[tuple[int, str], PlaybookRow]
    callers: Mapping[tuple[int, str], int]
    caller_ids: Mapping[int, str]
    keys: Mapping[str, KeyRow]

    def caller_id(self, by: int, playbook: str) -> str:
        """Who did something, as every door names it: the caller's public id, or the playbook itself."""
        return f"playbook:{playbook}" if by == PLAYBOOK_ITSELF else self.caller_ids[by]


# Seconds within which a change that another process made is seen; this process's own are seen at once.
LOOK_EVERY_S = 0.1


class Reference:
    """The snapshot that is now true, and the only way to add to it."""

    def __init__(self, store: Store, writer: Writer) -> None:
        self._store = store
        self._writer = writer
        self._version = -1
        self._looked_at = 0.0
        self._snapshot: Snapshot | None = None
        self._callers: dict[tuple[int, str], int] = {}
        self._caller_ids: dict[int, str] = {}

    async def snapshot(self, *, fresh: bool = False) -> Snapshot:
        """What stands now. ``fresh`` looks at the store whenever it last did: whoever misses something asks so, and
        whoever names the callers in rows just read, which another process may have written."""
        looked_at = asyncio.get_running_loop().time()
        if self._snapshot is not None and not fresh and looked_at - self._looked_at < LOOK_EVERY_S:
            return self._snapshot
        version = await self._store.reference_version()
        if self._snapshot is None or version != self._version:
            self._snapshot = await self._read()
            self._version = version
        else:
            await self._read_callers()
        self._looked_at = looked_at
        return self._snapshot

    async def change(self, work: Callable[[Transaction], Awaitable[T]]) -> T:
        """Change reference data; this process's next look sees it."""
        changed = await self._writer.change(work)
        self._looked_at = 0.0
        return changed

    async def add_org(self, name: str) -> int:
        """The org of this name, made if it is new."""
        found = (await self.snapshot()).orgs.get(name)
        if found is None:
            await self.change(lambda transaction: transaction.execute("add_org", name=name))
            found = (await self.snapshot(fresh=True)).orgs[name]
        return found

    async def add_caller(self, org: int, caller_id: str) -> int:
        """The number of a caller in an org, given when it first acts there."""
        found = (await self.snapshot()).callers.get((org, caller_id))
        if found is None:
            await self.change(lambda transaction: transaction.execute("add_caller", org=org, id=caller_id))
            found = (await self.snapshot(fresh=True)).callers[org, caller_id]
        return found

    async def _read(self) -> Snapshot:
        # What others point at is read after them: a commit may fall between two reads.
        keys = {row["id"]: _key_row(row) for row in await self._store.query("keys")}
        playbooks = [_playbook_row(row) for row in await self._store.query("playbooks")]
        await self._read_callers()
        orgs = {row["name"]: row["org"] for row in await self._store.query("orgs")}
        return Snapshot(
            orgs=orgs,
            org_names={org: name for name, org in orgs.items()},
            playbooks={(row.org, row.name): row for row in playbooks},
            callers=self._callers,
            caller_ids=self._caller_ids,
            keys=keys,
        )

    async def _read_callers(self) -> None:
        """Those that came since: there may be many, and one comes with each new person, so they move nothing else."""
        for row in await self._store.query("callers", after=next(reversed(self._caller_ids), 0)):
            self._callers[row["org"], row["id"]] = row["caller"]
            self._caller_ids[row["caller"]] = row["id"]


async def find_playbook(transaction: Transaction, org: int, name: str) -> PlaybookRow | None:
    """A playbook as the transaction sees it."""
    rows = await transaction.query("playbook_named", org=org, name=name)
    return _playbook_row(rows[0]) if rows else None


def _playbook_row(row: Row) -> PlaybookRow:
    """The playbook that a row holds."""
    return PlaybookRow(
        playbook=row["playbook"],
        org=row["org"],
        name=row["name"],
        shard=row["shard"],
        title=row["title"],
        description=row["description"],
        at=row["at"],
        by=row["by"],
        updated_at=row["updated_at"],
        retired_at=row["retired_at"],
    )


def _key_row(row: Row) -> KeyRow:
    playbooks = row["playbooks"]
    return KeyRow(
        id=row["id"],
        org=row["org"],
        hash=row["hash"],
        permissions=frozenset(Permission(word) for word in json.loads(row["permissions"])),
        playbooks=None if playbooks is None else frozenset(json.loads(playbooks)),
        at=row["at"],
        by=row["by"],
        expires_at=row["expires_at"],
        revoked_at=row["revoked_at"],
    )
