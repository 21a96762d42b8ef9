"""Functions: stored documents, compiled once a version. A version never changes, so what is cached stays right."""

import asyncio
import hashlib
import json
from dataclasses import dataclass
from typing import Generic, TypeVar

from sayso.app.places import Place
from sayso.core.document.function import Function
from sayso.core.document.parse import parse
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
class Version:
    """One version of a definition, and whether the definition was retired."""

    name: str
    stream: bytes
    number: int
    is_retired: bool

    @classmethod
    def of(cls, row: Row) -> "Version":
        """The version of a row of definitions."""
        is_retired = row["outcome"] is not None
        return cls(name=row["name"], stream=row["stream"], number=row["version"], is_retired=is_retired)

    @property
    def key(self) -> tuple[bytes, int]:
        """What tells it among all versions of all definitions."""
        return self.stream, self.number


def key(type_: str, name: str) -> bytes:
    """What tells a definition's stream among those of its playbook."""
    return hashlib.sha256(f"{type_}\0{name}".encode()).digest()


class Functions:
    """Definitions of the type interaction, as the store has them."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._functions = Cache[Function]()
        self._schemas = Cache[Schema | None]()
        self._reading = asyncio.Lock()

    async def row(self, place: Place, type_: str, name: str, version: int | None = None) -> Row:
        """A version's row, the newest unless one is asked for, with how its definition stands; 404 if there is none."""
        rows = await self._store.query(
            "definition_version", shard=place.shard, playbook=place.playbook, type=type_, name=name, version=version
        )
        if not rows:
            raise not_found("definition")
        if version not in {None, rows[0]["version"]}:
            raise not_found("version")
        return rows[0]

    async def latest(self, place: Place, type_: str, name: str) -> Version:
        """The newest version, by one look at the definition's head; 404 if the name was never saved."""
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
        return Version(name=name, stream=head["stream"], number=head["definition_version"], is_retired=is_retired)

    async def function(self, place: Place, version: Version) -> Function:
        """The function that a version is. 409 ``unworkable`` where this release no longer reads it."""
        if version.key in self._functions:
            return self._functions.get(version.key)
        async with self._reading:  # one at a time: many runs of one version that nobody has compiled compile it once
            if version.key in self._functions:
                return self._functions.get(version.key)
            row = await self._version(place.shard, *version.key)
            try:
                return self._functions.keep(version.key, await parsed(row["source"], version.name))
            except Problem as problem:
                raise _unreadable(problem) from problem

    def keep(self, head: Head, function: Function) -> None:
        """Keep the function that the version of a definition's head is, so that no run needs to compile it."""
        assert head.definition_version is not None, "a definition has a version"
        self._functions.keep((head.stream, head.definition_version), function)

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


async def parsed(source: str, name: str) -> Function:
    """The function that a source is. A hostile one may take a third of a second, which others must not wait for."""
    return await asyncio.to_thread(parse, source, name=name)


def _unreadable(problem: Problem) -> Problem:
    detail = f"The stored document cannot be read any more; update the definition. {problem.detail}"
    return Problem(Reason.CONFLICT, detail, kind=Kind.UNWORKABLE)
