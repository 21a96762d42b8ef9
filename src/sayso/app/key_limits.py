"""Limits of a key, as its maker writes them: each checked when the key is made, so that none is there by a slip."""

import re
from collections.abc import Sequence

from sayso.app.access import RESERVED_CALLERS, RESERVED_ORGS, Permission, check_org
from sayso.app.inputs import NAME
from sayso.core import bounds, party
from sayso.errors import invalid_input

KEY_ID = re.compile(r"[a-z][a-z0-9-]{0,47}")
PLAYBOOK = re.compile(NAME.strip("^$"))


def permissions(words: Sequence[str] | None) -> frozenset[Permission]:
    """What a key may do; None is everything."""
    if words is None:
        return frozenset(Permission)
    unknown = sorted(set(words) - {permission.value for permission in Permission})
    if unknown or not words:
        known = ", ".join(Permission)
        raise invalid_input(f"Permissions are some of {known}.", "/permissions")
    return frozenset(Permission(word) for word in words)


def playbooks(names: Sequence[str] | None) -> frozenset[str] | None:
    """The playbooks that a key is limited to; None is no limit, and so is ``*``. A limit to nothing is a slip."""
    if names is None or list(names) == ["*"]:
        return None
    if not names or not all(PLAYBOOK.fullmatch(name) for name in names):
        raise invalid_input(
            "Playbooks are * for all, or ids of 3 to 48 lower-case letters, digits, hyphens.", "/playbooks"
        )
    return frozenset(names)


def parties(names: Sequence[str] | None) -> frozenset[str] | None:
    """The parties that a key is limited to, at most 16 of them; None is no limit. A limit to nothing is a slip."""
    if names is None:
        return None
    stripped = frozenset(name.strip() for name in names)
    faults = [fault for fault in map(party.fault, sorted(stripped)) if fault is not None]
    if faults or not stripped:
        raise invalid_input(f"A party is {faults[0] if faults else 'missing'}.", "/parties")
    if len(stripped) > bounds.KEY_PARTIES:
        raise invalid_input(f"A key is limited to {bounds.KEY_PARTIES} parties at most.", "/parties")
    return stripped


def check_names(org: str, key_id: str | None) -> None:
    """Refuse an org that can have no key, and an id that no key can have."""
    check_org(org)
    if org in RESERVED_ORGS:
        raise invalid_input("This org is reserved for local mode: choose another name.", "/org")
    if key_id is not None and not KEY_ID.fullmatch(key_id):
        raise invalid_input("A key's id is lower-case letters, digits and hyphens, a letter first.", "/id")
    if key_id in RESERVED_CALLERS:
        raise invalid_input("This id is reserved for whoever has no key: choose another.", "/id")
