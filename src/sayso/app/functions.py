"""Functions: stored documents, compiled once a version. A version never changes, so what is cached stays right."""

import hashlib
import json
from functools import lru_cache

from sayso.app.places import Place
from sayso.core.document.parse import InboxFunction, parse
from sayso.core.document.schemas import Schema, saved_schema
from sayso.core.heads import Head
from sayso.core.rows import Row
from sayso.errors import Kind, Problem, Reason, not_found
from sayso.ports import Store

CACHED = 256


@lru_cache(maxsize=CACHED)
def compiled(source: str, name: str) -> InboxFunction:
    """The function that a stored source is. 409 ``unworkable`` where this release no longer reads it."""
    try:
        return parse(source, name=name)
    except Problem as problem:
        detail = f"The stored document cannot be read any more; update the definition. {problem.detail}"
        raise Problem(Reason.CONFLICT, detail, kind=Kind.UNWORKABLE) from problem


def key(type_: str, name: str) -> bytes:
    """What tells a definition's stream among those of its playbook."""
    return hashlib.sha256(f"{type_}\0{name}".encode()).digest()


class Functions:
    """Definitions of the type interaction, as the store has them."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: dict[tuple[bytes | None, int | None], Schema | None] = {}

    async def latest(self, place: Place, type_: str, name: str) -> Row:
        """The newest version's row with the state of its definition; 404 if the name was never saved."""
        rows = await self._store.query(
            "definition_latest", shard=place.shard, playbook=place.playbook, type=type_, name=name
        )
        if not rows:
            raise not_found("definition")
        return rows[0]

    async def answer_schema(self, head: Head) -> Schema | None:
        """What answers to a run's request are checked against: the schema of the version that asked, as it was saved,
        whatever later releases take in a document."""
        key = (head.definition, head.definition_version)
        if key not in self._known:
            rows = await self._store.query(
                "definition_of", shard=head.shard, definition=head.definition, version=head.definition_version
            )
            while len(self._known) >= CACHED:
                self._known.pop(next(iter(self._known)))
            written = rows[0]["output_schema"]
            self._known[key] = None if written is None else saved_schema(json.loads(written))
        return self._known[key]
