"""What a schema may hold, judged before it is compiled: no reference that leaves it, nothing that has no bound.

Validation itself runs in native code that nothing here could stop, so what is accepted must be cheap for every value:
what that takes is weighed in `cost`. ``unevaluatedProperties`` and ``unevaluatedItems`` have no bound: they look at
what lies below again for every keyword beside them.
"""

from collections.abc import Iterator
from typing import NamedTuple

from sayso.core import bounds, pointers, values
from sayso.core.schemas.advice import of_no_schema
from sayso.core.schemas.extent import extent
from sayso.core.schemas.subschemas import Path, below, every, places, references
from sayso.core.values import Json

DIALECT = "https://json-schema.org/draft/2020-12/schema"

_UNTAKEN = {
    "unevaluatedProperties": "its cost has no bound; additionalProperties is taken",
    "unevaluatedItems": "its cost has no bound; items is taken",
    "dependencies": "it is of older drafts; dependentSchemas and dependentRequired are taken",
    "$recursiveRef": "it is of older drafts",
    "$vocabulary": "it is for dialects",
}


class SchemaFault(NamedTuple):
    """What is wrong with a schema, and where in it."""

    path: Path
    detail: str

    @property
    def pointer(self) -> str:
        return pointers.join(self.path)


def size_faults(schema: Json) -> Iterator[SchemaFault]:
    """What is too much to look at any closer, or no schema at all."""
    if not isinstance(schema, dict):
        yield SchemaFault((), of_no_schema(schema))
    elif values.depth(schema) > bounds.SCHEMA_DEPTH:
        yield SchemaFault((), f"The schema nests past {bounds.SCHEMA_DEPTH} levels.")
    elif values.size(schema) > bounds.SCHEMA_BYTES:
        yield SchemaFault((), f"The schema is larger than {bounds.SCHEMA_BYTES:,} bytes as JSON.")
    elif extent(schema).letters > bounds.SCHEMA_POINTER_CHARACTERS:  # the engine spells the place of every keyword
        yield SchemaFault((), "The names in the schema are too long for how much stands below them.")


def place_faults(schema: Json) -> Iterator[SchemaFault]:
    """What stands where a schema should and is none."""
    subs = (sub for path, one in every(schema) for sub in below(path, one))
    return (SchemaFault(sub.path, of_no_schema(sub.schema)) for sub in subs if not isinstance(sub.schema, dict | bool))


def faults(schema: Json) -> Iterator[SchemaFault]:
    """What this format does not take of JSON Schema. Its grammar is checked elsewhere, and need not be right here."""
    known = places(schema)
    for path, one in every(schema):
        yield from _faults_at(path, one, known)
    if sum(1 for _, one in every(schema) for _ in written_patterns(one)) > bounds.SCHEMA_PATTERNS:
        yield SchemaFault((), f"A schema takes at most {bounds.SCHEMA_PATTERNS} regular expressions.")


def written_patterns(schema: dict[str, Json]) -> Iterator[tuple[str, str]]:
    """The regular expressions of a subschema itself, each with its keyword."""
    if isinstance(pattern := schema.get("pattern"), str):
        yield "pattern", pattern
    if isinstance(named := schema.get("patternProperties"), dict):
        yield from (("patternProperties", pattern) for pattern in named)


def _faults_at(path: Path, schema: dict[str, Json], known: dict[str, Path]) -> Iterator[SchemaFault]:
    for name in _UNTAKEN.keys() & schema.keys():
        yield SchemaFault((*path, name), f"{name} is not taken: {_UNTAKEN[name]}.")
    if schema.get("$schema", DIALECT) not in (DIALECT, f"{DIALECT}#"):
        yield SchemaFault((*path, "$schema"), f"Schemas are of JSON Schema 2020-12, {DIALECT}.")
    if path and "$id" in schema:
        yield SchemaFault((*path, "$id"), "Only the schema as a whole may have an $id.")
    if isinstance(options := schema.get("enum"), list) and len(options) > bounds.SCHEMA_ENUM_VALUES:
        yield SchemaFault((*path, "enum"), f"An enum takes at most {bounds.SCHEMA_ENUM_VALUES:,} values.")
    for name, pattern in written_patterns(schema):
        if len(pattern) > bounds.SCHEMA_PATTERN_CHARACTERS:
            detail = f"A regular expression takes at most {bounds.SCHEMA_PATTERN_CHARACTERS} characters."
            yield SchemaFault((*path, name), detail)
    for name, reference in references(schema).items():
        if reference not in known:
            yield SchemaFault((*path, name), "A reference leads to a schema within this one, such as #/$defs/name.")
