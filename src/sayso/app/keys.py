"""API keys: made once, shown once, kept as a digest, refused within a second of being revoked or of their expiry."""

import base64
import hashlib
import hmac
import json
import re
from collections.abc import Mapping, Sequence
from functools import partial

from sayso.app import key_limits
from sayso.app.access import Principal
from sayso.app.configured import Configured
from sayso.app.expiries import expires_at, length
from sayso.app.key_view import ACTIVE, shown, standing
from sayso.app.operations import Outcome
from sayso.app.reference import Reference
from sayso.app.snapshot import KeyRow, Snapshot, key_row
from sayso.app.uses import Uses
from sayso.core import bounds
from sayso.core.rows import Cell
from sayso.errors import Kind, Problem, Reason, conflict, invalid_input, not_found
from sayso.ports import Entropy, Store, Transaction

SECRET_BITS = 256
KEY = re.compile(rf"say_({key_limits.KEY_ID.pattern})_[A-Za-z0-9_-]{{43}}")


class Keys:
    """The keys of a store, and beside them those of the configuration. Whoever presents one is the caller of its id."""

    def __init__(
        self, store: Store, reference: Reference, entropy: Entropy, uses: Uses, configured: Configured
    ) -> None:
        self._store = store
        self._reference = reference
        self._entropy = entropy
        self._uses = uses
        self.configured = configured

    async def authenticate(self, key: str) -> Principal:
        """Who presents this key. The same 401 for one that never was, was revoked, or has run out."""
        match = KEY.fullmatch(key)
        if match and match[1] in self.configured:
            return self._configured(match[1], key)
        now = await self._store.now()
        for fresh in (False, True):  # another process may just have made it, or given it another secret
            snapshot = await self._reference.snapshot(fresh=fresh)
            row = snapshot.keys.get(match[1]) if match else None
            fits = _fits(row, _digest(key), now)
            if row is not None and fits and standing(row, now) == ACTIVE:
                self._uses.note(row.id, now)
                return _principal(snapshot, row)
        raise _not_valid()

    async def holder(self, key_id: str) -> Principal | None:
        """Who holds the key of this id; None where it was revoked, has run out, or never was."""
        if key_id in self.configured:
            return self.configured.holder(key_id)
        now = await self._store.now()
        snapshot = await self._reference.snapshot()
        if key_id not in snapshot.keys:
            snapshot = await self._reference.snapshot(fresh=True)
        row = snapshot.keys.get(key_id)
        return _principal(snapshot, row) if row is not None and standing(row, now) == ACTIVE else None

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
        *,
        parties: Sequence[str] | None = None,
        expires: str | None = None,
    ) -> Outcome:
        """A new key, whole: the only time it is shown. Without permissions it has all, without playbooks and parties
        all. ``expires`` is a duration or an instant."""
        granted, limit = key_limits.permissions(permissions), key_limits.playbooks(playbooks)
        wanted = key_limits.parties(parties)
        key_limits.check_names(org, key_id)
        until = None if expires is None else expires_at(expires, await self._store.now(), "/expires")
        key_id = key_id or f"k{self._entropy.bits(48):012x}"
        key = self._new(key_id)
        columns: dict[str, Cell] = {
            "org": await self._reference.add_org(org),
            "hash": _digest(key),
            "permissions": json.dumps(sorted(granted)),
            "playbooks": _listed(limit),
            "party": _listed(wanted),
            "expires_at": until,
        }
        await self._reference.change(lambda transaction: _add(transaction, key_id, columns))
        return {"id": key_id, "key": key} | await self._shown(key_id)

    async def rotate(self, key_id: str, overlap: str | None = None) -> Outcome:
        """Give a key another secret, shown this once; the one before it stays good for ``overlap``, a duration of at
        most 30 days, and without one ends at once. One from before that ends in any case."""
        over = _overlap(overlap)
        key = self._new(key_id)
        await self._reference.change(partial(_rotate, key_id=key_id, digest=_digest(key), overlap=over))
        return {"id": key_id, "key": key} | await self._shown(key_id)

    async def list(self, org: str | None = None) -> Sequence[Outcome]:
        """The keys of an org, or of all, by id; never the keys themselves."""
        snapshot = await self._reference.snapshot(fresh=True)
        now = await self._store.now()
        # Their last uses move nothing else, and so are in no snapshot.
        found = [key_row(row) for row in await self._store.query("keys")]
        return [shown(snapshot, row, now) for row in found if org is None or snapshot.org_names.get(row.org) == org]

    async def revoke(self, key_id: str) -> Outcome:
        """Refuse a key from now on. Again: no change."""
        await self._reference.change(lambda transaction: _revoke(transaction, key_id))
        return await self._shown(key_id)

    async def any(self) -> bool:
        """Whether there is a key, be it revoked: such a store is never opened in local mode."""
        return bool(self.configured) or bool((await self._reference.snapshot()).keys)

    def _new(self, key_id: str) -> str:
        secret = self._entropy.bits(SECRET_BITS).to_bytes(32, "big")
        return f"say_{key_id}_{base64.urlsafe_b64encode(secret).decode().rstrip('=')}"

    async def _shown(self, key_id: str) -> Outcome:
        snapshot = await self._reference.snapshot(fresh=True)
        return shown(snapshot, snapshot.keys[key_id], await self._store.now())


async def _add(transaction: Transaction, key_id: str, columns: Mapping[str, Cell]) -> None:
    if await transaction.query("key_named", id=key_id):
        raise conflict("There is a key with this id: choose another.", Kind.TAKEN)
    await transaction.execute("add_key", id=key_id, at=await transaction.now(), by=None, billing_org=None, **columns)


async def _rotate(transaction: Transaction, *, key_id: str, digest: bytes, overlap: int) -> None:
    now = await transaction.now()
    row = await _found(transaction, key_id)
    if standing(row, now) != ACTIVE:
        raise conflict("The key was revoked or has run out: make another one.")
    await transaction.execute("rotate_key", id=key_id, hash=digest, old_until=now + overlap)


async def _revoke(transaction: Transaction, key_id: str) -> None:
    await _found(transaction, key_id)
    await transaction.execute("revoke_key", id=key_id, revoked_at=await transaction.now())


async def _found(transaction: Transaction, key_id: str) -> KeyRow:
    """A key as the transaction sees it; 404 if there is none of this id."""
    found = await transaction.query("key_named", id=key_id)
    if not found:
        raise not_found("key")
    return key_row(found[0])


def _overlap(written: str | None) -> int:
    try:
        over = length(written or "PT0S")
    except ValueError as fault:
        raise invalid_input(f"The overlap {fault}.", "/overlap") from None
    if over > bounds.KEY_OVERLAP_MS * 1_000:
        raise invalid_input("The overlap is longer than 30 days.", "/overlap")
    return over


def _not_valid() -> Problem:
    return Problem(Reason.UNAUTHENTICATED, "The key is not valid: it is unknown, was revoked, or has run out.")


def _digest(key: str) -> bytes:
    return hashlib.sha256(key.encode(errors="replace")).digest()


def _fits(row: KeyRow | None, digest: bytes, now: int) -> bool:
    """Whether a digest is that of the key's secret, or of the one before it while that is good. It takes as long
    whichever it is, and as long for no key."""
    nothing = bytes(32)
    is_newest = hmac.compare_digest(digest, row.hash if row else nothing)
    is_former = hmac.compare_digest(digest, (row.old_hash if row else None) or nothing)
    return is_newest or (is_former and row is not None and row.old_until is not None and now < row.old_until)


def _principal(snapshot: Snapshot, row: KeyRow) -> Principal:
    return Principal(
        caller_id=row.id,
        org=snapshot.org_names[row.org],
        permissions=row.permissions,
        playbooks=row.playbooks,
        parties=row.parties,
    )


def _listed(names: frozenset[str] | None) -> str | None:
    return None if names is None else json.dumps(sorted(names), ensure_ascii=False)
