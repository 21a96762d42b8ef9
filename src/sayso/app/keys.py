"""API keys: made once, shown once, kept as a digest, refused within a second of being revoked."""

import base64
import hashlib
import hmac
import json
import re
from collections.abc import Mapping, Sequence

from sayso.app.access import RESERVED_CALLERS, RESERVED_ORGS, Permission, Principal, check_org
from sayso.app.configured import Configured
from sayso.app.inputs import NAME
from sayso.app.operations import Outcome
from sayso.app.reference import Reference
from sayso.app.snapshot import KeyRow, Snapshot
from sayso.core.instants import iso
from sayso.core.rows import Cell
from sayso.errors import Kind, Problem, Reason, conflict, invalid_input, not_found
from sayso.ports import Entropy, Store, Transaction

SECRET_BITS = 256
KEY_ID = re.compile(r"[a-z][a-z0-9-]{0,47}")
PLAYBOOK = re.compile(NAME.strip("^$"))
KEY = re.compile(rf"say_({KEY_ID.pattern})_[A-Za-z0-9_-]{{43}}")


class Keys:
    """The keys of a store, and beside them those of the configuration. Whoever presents one is the caller of its id."""

    def __init__(self, store: Store, reference: Reference, entropy: Entropy, configured: Configured) -> None:
        self._store = store
        self._reference = reference
        self._entropy = entropy
        self.configured = configured

    async def authenticate(self, key: str) -> Principal:
        """Who presents this key. The same 401 for one that never was, was revoked, or has run out."""
        match = KEY.fullmatch(key)
        if match and match[1] in self.configured:
            return self._configured(match[1], key)
        snapshot = await self._reference.snapshot()
        if match and match[1] not in snapshot.keys:
            snapshot = await self._reference.snapshot(fresh=True)
        row = snapshot.keys.get(match[1]) if match else None
        known = row.hash if row else bytes(32)
        fits = hmac.compare_digest(_digest(key), known)
        if row is None or not fits or row.revoked_at is not None or await self._is_over(row):
            raise _not_valid()
        return Principal(
            caller_id=row.id, org=snapshot.org_names[row.org], permissions=row.permissions, playbooks=row.playbooks
        )

    def _configured(self, key_id: str, key: str) -> Principal:
        principal = self.configured.principal(key_id, _digest(key))
        if principal is None:
            raise _not_valid()
        return principal

    async def create(
        self,
        org: str,
        permissions: Sequence[str] | None = None,
        playbooks: Sequence[str] | None = None,
        key_id: str | None = None,
        expires_at: int | None = None,
    ) -> Outcome:
        """A new key, whole: the only time it is shown. Without permissions it has all, without playbooks all."""
        granted, limit = _permissions(permissions), _limit(playbooks)
        _check_names(org, key_id)
        key_id = key_id or f"k{self._entropy.bits(48):012x}"
        secret = base64.urlsafe_b64encode(self._entropy.bits(SECRET_BITS).to_bytes(32, "big")).decode().rstrip("=")
        key = f"say_{key_id}_{secret}"
        columns: dict[str, Cell] = {
            "org": await self._reference.add_org(org),
            "hash": _digest(key),
            "permissions": json.dumps(sorted(granted)),
            "playbooks": None if limit is None else json.dumps(sorted(limit)),
            "expires_at": expires_at,
        }
        await self._reference.change(lambda transaction: _add(transaction, key_id, columns))
        snapshot = await self._reference.snapshot()
        return {"id": key_id, "key": key} | _shown(snapshot, snapshot.keys[key_id])

    async def list(self, org: str | None = None) -> Sequence[Outcome]:
        """The keys of an org, or of all, by id; never the keys themselves."""
        snapshot = await self._reference.snapshot(fresh=True)
        rows = (row for _, row in sorted(snapshot.keys.items()))
        return [_shown(snapshot, row) for row in rows if org is None or snapshot.org_names[row.org] == org]

    async def revoke(self, key_id: str) -> Outcome:
        """Refuse a key from now on. Again: no change."""
        if key_id not in (await self._reference.snapshot(fresh=True)).keys:
            raise not_found("key")
        await self._reference.change(lambda transaction: _revoke(transaction, key_id))
        snapshot = await self._reference.snapshot()
        return _shown(snapshot, snapshot.keys[key_id])

    async def any(self) -> bool:
        """Whether there is a key, be it revoked: such a store is never opened in local mode."""
        return bool(self.configured) or bool((await self._reference.snapshot()).keys)

    async def _is_over(self, row: KeyRow) -> bool:
        return row.expires_at is not None and await self._store.now() >= row.expires_at


async def _add(transaction: Transaction, key_id: str, columns: Mapping[str, Cell]) -> None:
    if await transaction.query("key_named", id=key_id):
        raise conflict("There is a key with this id: choose another.", Kind.TAKEN)
    at = await transaction.now()
    await transaction.execute("add_key", id=key_id, at=at, by=None, party=None, billing_org=None, **columns)


async def _revoke(transaction: Transaction, key_id: str) -> None:
    await transaction.execute("revoke_key", id=key_id, revoked_at=await transaction.now())


def _not_valid() -> Problem:
    return Problem(Reason.UNAUTHENTICATED, "The key is not valid: it is unknown, was revoked, or has run out.")


def _digest(key: str) -> bytes:
    return hashlib.sha256(key.encode(errors="replace")).digest()


def _permissions(words: Sequence[str] | None) -> frozenset[Permission]:
    if words is None:
        return frozenset(Permission)
    unknown = sorted(set(words) - {permission.value for permission in Permission})
    if unknown or not words:
        known = ", ".join(Permission)
        raise invalid_input(f"Permissions are some of {known}.", "/permissions")
    return frozenset(Permission(word) for word in words)


def _limit(playbooks: Sequence[str] | None) -> frozenset[str] | None:
    """The playbooks that a key is limited to; None is no limit, and so is ``*``. A limit to nothing is a slip."""
    if playbooks is None or list(playbooks) == ["*"]:
        return None
    if not playbooks or not all(PLAYBOOK.fullmatch(name) for name in playbooks):
        raise invalid_input(
            "Playbooks are * for all, or ids of 3 to 48 lower-case letters, digits, hyphens.", "/playbooks"
        )
    return frozenset(playbooks)


def _check_names(org: str, key_id: str | None) -> None:
    check_org(org)
    if org in RESERVED_ORGS:
        raise invalid_input("This org is reserved for local mode: choose another name.", "/org")
    if key_id is not None and not KEY_ID.fullmatch(key_id):
        raise invalid_input("A key's id is lower-case letters, digits and hyphens, a letter first.", "/id")
    if key_id in RESERVED_CALLERS:
        raise invalid_input("This id is reserved for whoever has no key: choose another.", "/id")


def _shown(snapshot: Snapshot, row: KeyRow) -> Outcome:
    shown: Outcome = {
        "id": row.id,
        "org": snapshot.org_names[row.org],
        "permissions": sorted(row.permissions),
        "playbooks": None if row.playbooks is None else sorted(row.playbooks),
        "created_at": iso(row.at),
    }
    if row.expires_at is not None:
        shown["expires_at"] = iso(row.expires_at)
    if row.revoked_at is not None:
        shown["revoked_at"] = iso(row.revoked_at)
    return shown
