"""The keys of a configuration: entries of an id, an org, permissions, limits and the digest of the key."""

import re
from collections.abc import Mapping
from typing import Any

from sayso.app.access import ORG, RESERVED_CALLERS, RESERVED_ORGS, Permission
from sayso.app.configured import ConfiguredKey
from sayso.config.kinds import Kind
from sayso.config.refusal import Path, Unfit
from sayso.core import bounds, json_text, party
from sayso.core.values import Json
from sayso.errors import Problem

MEMBERS = ("id", "org", "permissions", "playbooks", "parties", "sha256")
NEEDED = ("id", "org", "permissions", "sha256")

_ID = "[a-z][a-z0-9-]{0,47}"
_PLAYBOOK = "[a-z][a-z0-9-]{2,47}"
_DIGEST = "[0-9a-f]{64}"
# Something that is seen, and no control character.
_PARTY = r"^[^\u0000-\u001f\u007f-\u009f]*[^\s\u0000-\u001f\u007f-\u009f][^\u0000-\u001f\u007f-\u009f]*$"


class ApiKeys(Kind):
    """A list of entries: JSON in the environment."""

    def from_text(self, text: str) -> tuple[ConfiguredKey, ...]:
        """The entries of a JSON text."""
        try:
            return self.from_json(json_text.parse(text.encode(errors="replace")))
        except Problem:
            raise Unfit("must be a JSON list of entries") from None

    def from_json(self, value: Json) -> tuple[ConfiguredKey, ...]:
        """The entries of a list."""
        if not isinstance(value, list):
            raise Unfit("must be a list of entries")
        keys: dict[str, ConfiguredKey] = {}
        for number, entry in enumerate(value):
            key = _entry(entry, (number,))
            if key.id in keys:
                raise Unfit("is the id of an entry before it", (number, "id"))
            keys[key.id] = key
        return tuple(keys.values())

    def schema(self) -> Mapping[str, Json]:
        """An array of closed objects."""
        playbooks: Json = {"type": "array", "minItems": 1, "items": {"type": "string", "pattern": f"^{_PLAYBOOK}$"}}
        parties: Json = {
            "type": "array",
            "minItems": 1,
            "maxItems": bounds.KEY_PARTIES,
            "items": {"type": "string", "maxLength": bounds.PARTY_BYTES, "pattern": _PARTY},
        }
        return {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": list(NEEDED),
                "properties": {
                    "id": {"type": "string", "pattern": f"^{_ID}$"},
                    "org": {"type": "string", "pattern": f"^{ORG.pattern}$"},
                    "permissions": {"type": "array", "minItems": 1, "items": {"enum": sorted(Permission)}},
                    "playbooks": {"anyOf": [{"const": "*"}, playbooks]},
                    "parties": parties,
                    "sha256": {"type": "string", "pattern": f"^{_DIGEST}$"},
                },
            },
        }

    def shown(self, value: tuple[ConfiguredKey, ...]) -> str:
        """The ids, which are public."""
        return ", ".join(key.id for key in value)


def _entry(entry: Json, path: Path) -> ConfiguredKey:
    if not isinstance(entry, dict):
        raise Unfit(f"must be an entry of {', '.join(MEMBERS)}", path)
    unknown = next((name for name in entry if name not in MEMBERS), None)
    if unknown is not None:
        raise Unfit(f"has a member that no entry has: those are {', '.join(MEMBERS)}", path)
    for name in NEEDED:
        if name not in entry:
            raise Unfit(f"needs {name}", path)
    return ConfiguredKey(
        id=_id(entry["id"], (*path, "id")),
        org=_org(entry["org"], (*path, "org")),
        permissions=frozenset(map(Permission, _listed(entry["permissions"], (*path, "permissions"), _PERMISSIONS))),
        playbooks=_playbooks(entry.get("playbooks", "*"), (*path, "playbooks")),
        parties=_parties(entry["parties"], (*path, "parties")) if "parties" in entry else None,
        hash=bytes.fromhex(_text(entry["sha256"], (*path, "sha256"), _DIGEST, _DIGEST_NEEDS)),
    )


def _id(value: Json, path: Path) -> str:
    key_id = _text(value, path, _ID, "must be 1 to 48 lower-case letters, digits and hyphens, a letter first")
    if key_id in RESERVED_CALLERS:
        raise Unfit("is reserved for whoever has no key", path)
    return key_id


def _org(value: Json, path: Path) -> str:
    org = _text(value, path, ORG.pattern, "must be 1 to 64 letters, digits, hyphens and underscores")
    if org in RESERVED_ORGS:
        raise Unfit("is reserved for local mode", path)
    return org


def _playbooks(value: Json, path: Path) -> frozenset[str] | None:
    return None if value == "*" else frozenset(_listed(value, path, (_PLAYBOOK, _PLAYBOOKS_NEED)))


def _parties(value: Json, path: Path) -> frozenset[str]:
    if not isinstance(value, list) or not 0 < len(value) <= bounds.KEY_PARTIES:
        raise Unfit(f"must be a list of 1 to {bounds.KEY_PARTIES} parties", path)
    return frozenset(_party(item, (*path, number)) for number, item in enumerate(value))


def _party(value: Json, path: Path) -> str:
    if not isinstance(value, str):
        raise Unfit("must be a party: a text", path)
    fault = party.fault(value.strip())
    if fault is not None:
        raise Unfit(f"must be a party, and is {fault}", path)
    return value.strip()


def _listed(value: Json, path: Path, each: tuple[str, str]) -> list[Any]:
    if not isinstance(value, list) or not value:
        raise Unfit(f"must be a list, and each item {each[1]}", path)
    return [_text(item, (*path, number), *each) for number, item in enumerate(value)]


def _text(value: Json, path: Path, pattern: str, needs: str) -> str:
    if not isinstance(value, str) or not re.fullmatch(pattern, value):
        raise Unfit(needs, path)
    return value


_PERMISSIONS = ("|".join(map(re.escape, Permission)), f"must be one of {', '.join(Permission)}")
_PLAYBOOKS_NEED = "must be 3 to 48 lower-case letters, digits and hyphens, a letter first (or * in place of the list)"
_DIGEST_NEEDS = "must be 64 hexadecimal digits in lower case: the SHA-256 of the whole key"
