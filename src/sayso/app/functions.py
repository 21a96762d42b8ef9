"""Functions: stored documents, compiled once a version. A version never changes, so what is cached stays right."""

import hashlib
import json
from dataclasses import dataclass
from typing import Generic, TypeVar

from sayso.app.places import Place
from sayso.core.document.parse import RequestFunction, parse
from sayso.core.heads import Head, StreamKind
from sayso.core.rows import Row
from sayso.core.schemas.schema import Schema, saved_schema
from sayso.errors import Kind, Problem, Reason, not_found
from sayso.ports import Store

CACHED = 256
T = TypeVar("T")


class Cache(Generic[T]):
    """What was made of versions of definitions, by stream and version; the longest there goes first."""

    def __init__(self) -> None:
        self._kept: dict[tuple[bytes, int], T] = {}

    def __contains__(self, version: tuple[bytes, int]) -> bool:
        return version in self._kept

    def get(self, version: tuple[bytes, int]) -> T:
        """What is kept of a version."""
        return self._kept[version]

    def keep(self, version: tuple[bytes, int], made: T) -> T:
        """Keep what was made of a version."""
        while len(self._kept) >= CACHED:
            self._kept.pop(next(iter(self._kept)))
        self._kept[version] = made
        return made


@dataclass(frozen=True, kw_only=True)
class Latest:
    """The newest version of a definition, as its head tells of it."""

    name: str
    stream: bytes
    version: int
    is_retired: bool


def key(type_: str, name: str) -> bytes:
    """What tells a definition's stream among those of its playbook."""
    return hashlib.sha256(f"{type_}\0{name}".encode()).digest()


class Functions:
    """Definitions of the type interaction, as the store has them."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._functions = Cache[RequestFunction]()
        self._schemas = Cache[Schema | None]()

    async def latest(self, place: Place, type_: str, name: str) -> Row:
        """The newest version's row with the state of its definition; 404 if the name was never saved."""
        rows = await self._store.query(
            "definition_latest", shard=place.shard, playbook=place.playbook, type=type_, name=name
        )
        if not rows:
            raise not_found("definition")
        return rows[0]

    async def runnable(self, place: Place, type_: str, name: str) -> Latest:
        """Which version a run is of, by one look at the definition's head; 404 if the name was never saved."""
        heads = await self._store.query(
            "head_keyed",
            shard=place.shard,
            playbook=place.playbook,
            kind=int(StreamKind.DEFINITION),
            key=key(type_, name),
        )
        if not heads:
            raise not_found("definition")
        head = heads[0]
        is_retired = head["outcome"] is not None
        return Latest(name=name, stream=head["stream"], version=head["definition_version"], is_retired=is_retired)

    async def function(self, place: Place, latest: Latest) -> RequestFunction:
        """The function that a version is. 409 ``unworkable`` where this release no longer reads it."""
        version = latest.stream, latest.version
        if version in self._functions:
            return self._functions.get(version)
        row = await self._version(place.shard, *version)
        return self._functions.keep(version, _compiled(row["source"], latest.name))

    async def answer_schema(self, head: Head) -> Schema | None:
        """What answers to a run's request are checked against: the schema of the version that asked, as it was saved,
        whatever later releases take in a document."""
        assert head.definition is not None and head.definition_version is not None, "a run is of a version"
        version = head.definition, head.definition_version
        if version in self._schemas:
            return self._schemas.get(version)
        written = (await self._version(head.shard, *version))["output_schema"]
        return self._schemas.keep(version, None if written is None else saved_schema(json.loads(written)))

    async def _version(self, shard: int, stream: bytes, version: int) -> Row:
        return (await self._store.query("definition_of", shard=shard, definition=stream, version=version))[0]


def _compiled(source: str, name: str) -> RequestFunction:
    try:
        return parse(source, name=name)
    except Problem as problem:
        detail = f"The stored document cannot be read any more; update the definition. {problem.detail}"
        raise Problem(Reason.CONFLICT, detail, kind=Kind.UNWORKABLE) from problem
