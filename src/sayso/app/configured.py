"""Keys that the operator configured: they stand beside those of the store, and can be replaced while it is served."""

import hmac
from collections.abc import Iterable
from dataclasses import dataclass

from sayso.app.access import Permission, Principal


@dataclass(frozen=True, kw_only=True)
class ConfiguredKey:
    """A key as an operator writes it down: never the key, only the SHA-256 of all of it."""

    id: str
    org: str
    permissions: frozenset[Permission]
    playbooks: frozenset[str] | None
    parties: frozenset[str] | None = None
    hash: bytes

    @property
    def principal(self) -> Principal:
        """Who presents it."""
        return Principal(
            caller_id=self.id,
            org=self.org,
            permissions=self.permissions,
            playbooks=self.playbooks,
            parties=self.parties,
        )


class Configured:
    """The configured keys, by id. What was replaced is refused from then on."""

    def __init__(self, keys: Iterable[ConfiguredKey] = ()) -> None:
        self.replace(keys)

    def replace(self, keys: Iterable[ConfiguredKey]) -> None:
        """Know these keys, and no others."""
        self._keys = {key.id: key for key in keys}

    def __contains__(self, key_id: object) -> bool:
        return key_id in self._keys

    def __len__(self) -> int:
        return len(self._keys)

    def holder(self, key_id: str) -> Principal | None:
        """Who holds the key of this id."""
        key = self._keys.get(key_id)
        return key.principal if key is not None else None

    def principal(self, key_id: str, digest: bytes) -> Principal | None:
        """Who presents a key of this id and digest; None where that is no configured key. In constant time."""
        key = self._keys.get(key_id)
        known = key.hash if key is not None else bytes(32)
        fits = hmac.compare_digest(digest, known)
        return key.principal if key is not None and fits else None
