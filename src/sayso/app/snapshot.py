"""A snapshot of the reference data: who and what there is, and what a door calls them."""

import json
from collections.abc import Mapping
from dataclasses import dataclass

from sayso.app.access import Permission
from sayso.app.units.unit import PLAYBOOK_ITSELF
from sayso.core.rows import Row


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
    """A key as it is stored: never the key, only its digest, and that of the secret before it while ``old_until``."""

    id: str
    org: int
    hash: bytes
    permissions: frozenset[Permission]
    playbooks: frozenset[str] | None
    at: int
    by: int | None
    expires_at: int | None
    revoked_at: int | None
    parties: frozenset[str] | None = None
    last_used_at: int | None = None
    old_hash: bytes | None = None
    old_until: int | None = None


@dataclass(frozen=True, kw_only=True)
class Snapshot:
    """All reference data as it stood at one moment."""

    orgs: Mapping[str, int]
    org_names: Mapping[int, str]
    playbooks: Mapping[tuple[int, str], PlaybookRow]
    callers: Mapping[tuple[int, str], int]
    caller_ids: Mapping[int, str]
    keys: Mapping[str, KeyRow]

    def playbook(self, org: str, name: str) -> PlaybookRow | None:
        """The playbook of an org by its public id, retired or not."""
        return self.playbooks.get((self.orgs.get(org, 0), name))

    def caller_id(self, by: int, playbook: str) -> str:
        """Who did something, as every door names it: the caller's public id, or the playbook itself."""
        return f"playbook:{playbook}" if by == PLAYBOOK_ITSELF else self.caller_ids[by]


def playbook_row(row: Row) -> PlaybookRow:
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


def key_row(row: Row) -> KeyRow:
    """The key that a row holds."""
    return KeyRow(
        id=row["id"],
        org=row["org"],
        hash=row["hash"],
        permissions=frozenset(Permission(word) for word in json.loads(row["permissions"])),
        playbooks=_names(row["playbooks"]),
        at=row["at"],
        by=row["by"],
        expires_at=row["expires_at"],
        revoked_at=row["revoked_at"],
        parties=_names(row["party"]),
        last_used_at=row["last_used_at"],
        old_hash=row["old_hash"],
        old_until=row["old_until"],
    )


def _names(written: str | None) -> frozenset[str] | None:
    return None if written is None else frozenset(json.loads(written))
