"""A key as its operator sees it: what it may do, how it stands, and never the key."""

from sayso.app.operations import Outcome
from sayso.app.snapshot import KeyRow, Snapshot
from sayso.core.instants import iso

ACTIVE, EXPIRED, REVOKED = "active", "expired", "revoked"


def standing(row: KeyRow, now: int) -> str:
    """Whether a key is good now, and what has become of one that is not."""
    if row.revoked_at is not None:
        return REVOKED
    return EXPIRED if row.expires_at is not None and now >= row.expires_at else ACTIVE


def shown(snapshot: Snapshot, row: KeyRow, now: int) -> Outcome:
    """The key; ``old_secret_until`` while the secret before its newest is good too."""
    overlaps = row.old_until is not None and now < row.old_until
    times = {
        "created_at": row.at,
        "expires_at": row.expires_at,
        "last_used_at": row.last_used_at,
        "old_secret_until": row.old_until if overlaps else None,
        "revoked_at": row.revoked_at,
    }
    return {
        "id": row.id,
        "org": snapshot.org_names[row.org],
        "permissions": sorted(row.permissions),
        "playbooks": None if row.playbooks is None else sorted(row.playbooks),
        "parties": None if row.parties is None else sorted(row.parties),
        "status": standing(row, now),
    } | {name: iso(at) for name, at in times.items() if at is not None}
