"""Migrations: the numbered steps from no tables to those that this program knows, of each store its own."""

import re
from dataclasses import dataclass
from functools import cache
from importlib import resources

from sayso.core.ids import SHARD_MAX
from sayso.ports import StoreError


@dataclass(frozen=True, kw_only=True)
class Migration:
    """The step from one version of the tables to the next."""

    version: int
    name: str
    text: str


@dataclass(frozen=True, kw_only=True)
class MigrationReport:
    """The version that the tables had, 0 where there were none, and the one that this program makes of them."""

    from_version: int
    to_version: int


@dataclass(frozen=True, kw_only=True)
class Meta:
    """What a store says of itself. ``secret`` signs the cursors that doors hand out.

    A program that knows the tables of version ``compatible_from`` may use these, though they be newer.
    """

    schema_version: int
    compatible_from: int
    shards: int
    secret: bytes


@cache
def migrations_of(package: str) -> tuple[Migration, ...]:
    """All migrations of a store that this program knows, in order, numbered from 1 without a gap."""
    files = sorted(resources.files(package).joinpath("migrations").iterdir(), key=lambda file: file.name)
    found = [(re.fullmatch(r"(\d{4})_(\w+)\.sql", file.name), file) for file in files]
    return tuple(
        Migration(version=int(match[1]), name=match[0], text=file.read_text(encoding="utf-8"))
        for match, file in found
        if match
    )


def check_number(shards: int | None) -> None:
    """Refuse a number of shards that no store has."""
    if not 1 <= (shards or 1) <= SHARD_MAX + 1:
        raise StoreError(f"A store has 1 to {SHARD_MAX + 1} shards, not {shards}.")


def check_shards(where: str, has: int, wanted: int | None) -> None:
    """Refuse another number of shards than the store was made with."""
    if wanted not in {None, has}:
        raise StoreError(f"{where} has {has} shards, and a store keeps its number: it cannot have {wanted}.")


def check_compatible(where: str, version: int, compatible_from: int, known: int) -> None:
    """Refuse tables of a newer version than this program knows, unless they say that it may use them."""
    if compatible_from > known:
        raise StoreError(
            f"{where} was written by a newer sayso: its tables are of version {version}, and this program knows "
            f"{known}. Install the newer sayso again, or go back to a copy of the store from before."
        )
