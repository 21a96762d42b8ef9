"""What a schema may hold, judged before it is compiled: no reference that leaves it, nothing that has no bound.

Validation itself runs in native code that nothing here could stop, so what is accepted must be cheap for every value:

- Regular expressions run on an engine that takes linear time, and which knows no look-around and no back references.
- A schema may not refer to itself: a value of 512 levels could exhaust the native stack. Nor may one value be looked
  at by more than `SCHEMA_EVALUATIONS` subschemas, which ``$ref`` could double at each step.
- ``unevaluatedProperties`` and ``unevaluatedItems`` look at what lies below again for every keyword beside them.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from sayso.core import bounds, pointers, values
from sayso.core.schemas.advice import of_no_schema
from sayso.core.values import Json

DIALECT = "https://json-schema.org/draft/2020-12/schema"

_UNTAKEN = {
    "unevaluatedProperties": "its cost has no bound; additionalProperties is taken",
    "unevaluatedItems": "its cost has no bound; items is taken",
    "dependencies": "it is of older drafts; dependentSchemas and dependentRequired are taken",
    "$recursiveRef": "it is of older drafts",
    "$vocabulary": "it is for dialects",
}
_REFERENCES = ("$ref", "$dynamicRef")
_ANCHORS = ("$anchor", "$dynamicAnchor")

# Keywords by what stands under them, and by whether that judges the same value or a part of it.
_SAME_LIST = ("allOf", "anyOf", "oneOf")
_SAME_ONE = ("not", "if", "then", "else")
_SAME_MAP = ("dependentSchemas",)
_PART_LIST = ("prefixItems",)
_PART_ONE = ("additionalProperties", "items", "contains", "propertyNames")
_PART_MAP = ("patternProperties",)
_DEFINITIONS = ("$defs", "definitions")  # the second is of older drafts, and still what many write


class SchemaFault(NamedTuple):
    """What is wrong with a schema, and where in it."""

    pointer: str
    detail: str


class _Sub(NamedTuple):
    """A subschema: where it stands, and whether it judges the same value as what it stands in."""

    pointer: str
    schema: Json
    same: bool


def size_faults(schema: Json) -> list[SchemaFault]:
    """What is too much to look at any closer, or no schema at all."""
    if not isinstance(schema, dict):
        return [SchemaFault("", of_no_schema(schema))]
    if values.depth(schema) > bounds.SCHEMA_DEPTH:
        return [SchemaFault("", f"The schema nests past {bounds.SCHEMA_DEPTH} levels.")]
    if values.size(schema) > bounds.SCHEMA_BYTES:
        return [SchemaFault("", f"The schema is larger than {bounds.SCHEMA_BYTES:,} bytes as JSON.")]
    return []


def place_faults(schema: Json) -> list[SchemaFault]:
    """What stands where a schema should and is none. The grammar would tell of each of them once a vocabulary."""
    below = (sub for at, one in subschemas(schema) for sub in _below(at, one))
    return [
        SchemaFault(sub.pointer, of_no_schema(sub.schema)) for sub in below if not isinstance(sub.schema, dict | bool)
    ]


def faults(schema: Json) -> list[SchemaFault]:
    """What this format does not take of JSON Schema. Its grammar is checked elsewhere, and need not be right here."""
    places = _places(schema)
    found = [fault for at, one in subschemas(schema) for fault in _faults_at(at, one, places)]
    if sum(1 for _, one in subschemas(schema) for _ in _patterns(one)) > bounds.SCHEMA_PATTERNS:
        found.append(SchemaFault("", f"A schema takes at most {bounds.SCHEMA_PATTERNS} regular expressions."))
    return found


def cost_faults(schema: Json) -> list[SchemaFault]:
    """Whether a schema without other faults costs too much: at most one fault, the first that is found."""
    return _Cost(schema).faults()


def subschemas(schema: Json) -> Iterator[tuple[str, dict[str, Json]]]:
    """Every subschema that is an object, those of ``$defs`` too. Values, such as those of ``enum``, are not entered."""
    waiting = [("", schema)]
    while waiting:
        at, one = waiting.pop()
        if isinstance(one, dict):
            yield at, one
            waiting += [(sub.pointer, sub.schema) for sub in _below(at, one)]


def _places(schema: Json) -> dict[str, str]:
    """Where each reference may lead: its text without ``#``, and the pointer of the subschema there."""
    places = {"": ""}
    for at, one in subschemas(schema):
        places |= {sub.pointer: sub.pointer for sub in _below(at, one)}
        places |= {name: at for keyword in _ANCHORS if isinstance(name := one.get(keyword), str)}
    return places


def _below(at: str, schema: dict[str, Json]) -> Iterator[_Sub]:
    yield from (_Sub(f"{at}/{name}", schema[name], True) for name in _SAME_ONE if name in schema)
    yield from (_Sub(f"{at}/{name}", schema[name], False) for name in _PART_ONE if name in schema)
    for name in (*_SAME_LIST, *_PART_LIST):
        if isinstance(members := schema.get(name), list):
            yield from (_Sub(f"{at}/{name}/{i}", member, name in _SAME_LIST) for i, member in enumerate(members))
    for name in (*_SAME_MAP, *_PART_MAP, "properties", *_DEFINITIONS):
        if isinstance(members := schema.get(name), dict):
            yield from (_Sub(pointers.join((name, k), base=at), v, name in _SAME_MAP) for k, v in members.items())


def _faults_at(at: str, schema: dict[str, Json], places: dict[str, str]) -> Iterator[SchemaFault]:
    for name in _UNTAKEN.keys() & schema.keys():
        yield SchemaFault(f"{at}/{name}", f"{name} is not taken: {_UNTAKEN[name]}.")
    if schema.get("$schema", DIALECT) not in (DIALECT, f"{DIALECT}#"):
        yield SchemaFault(f"{at}/$schema", f"Schemas are of JSON Schema 2020-12, {DIALECT}.")
    if at and "$id" in schema:
        yield SchemaFault(f"{at}/$id", "Only the schema as a whole may have an $id.")
    if isinstance(options := schema.get("enum"), list) and len(options) > bounds.SCHEMA_ENUM_VALUES:
        yield SchemaFault(f"{at}/enum", f"An enum takes at most {bounds.SCHEMA_ENUM_VALUES:,} values.")
    for name, pattern in _patterns(schema):
        if len(pattern) > bounds.SCHEMA_PATTERN_CHARACTERS:
            detail = f"A regular expression takes at most {bounds.SCHEMA_PATTERN_CHARACTERS} characters."
            yield SchemaFault(f"{at}/{name}", detail)
    for name in _REFERENCES:
        if isinstance(reference := schema.get(name), str) and _target(reference, places) is None:
            yield SchemaFault(f"{at}/{name}", "A reference leads to a schema within this one, such as #/$defs/name.")


def _patterns(schema: dict[str, Json]) -> Iterator[tuple[str, str]]:
    if isinstance(pattern := schema.get("pattern"), str):
        yield "pattern", pattern
    if isinstance(named := schema.get("patternProperties"), dict):
        yield from (("patternProperties", pattern) for pattern in named)


def _target(reference: str, places: dict[str, str]) -> str | None:
    """The pointer that a reference leads to; None if that is outside of the schema, or no subschema.

    What is percent-encoded is not taken: the engine would decode it, and go elsewhere than was weighed.
    """
    return places.get(reference[1:]) if reference.startswith("#") and "%" not in reference else None


@dataclass(frozen=True)
class _Weight:
    """How many subschemas judge the value itself, and at most how many judge any one part of it."""

    value: int
    part: int


class _TooCostly(Exception):
    """Carries the fault. It ends the weighing: one such fault is enough."""


class _Cost:
    """Weighs a schema whose references all lead to places within it."""

    def __init__(self, root: Json) -> None:
        self._root = root
        self._places = _places(root)
        self._known: dict[str, _Weight] = {}
        self._open: list[str] = []

    def faults(self) -> list[SchemaFault]:
        try:
            for at, _ in subschemas(self._root):
                self._weigh(at, at)
        except _TooCostly as refusal:
            return [refusal.args[0]]
        return []

    def _weigh(self, at: str, said_at: str) -> _Weight:
        """The weight of the subschema at a pointer. ``said_at`` is where a person reads of it: at the reference."""
        if at in self._known:
            return self._known[at]
        if at in self._open:
            raise _TooCostly(
                SchemaFault(said_at, "A schema may not refer to itself: what it takes would have no bound.")
            )
        if len(self._open) >= bounds.SCHEMA_LEVELS_THROUGH_REFS:
            detail = f"The schema has more than {bounds.SCHEMA_LEVELS_THROUGH_REFS} levels through its references."
            raise _TooCostly(SchemaFault(said_at, detail))
        self._open.append(at)
        weight = self._sum(at)
        self._open.pop()
        if max(weight.value, weight.part) > bounds.SCHEMA_EVALUATIONS:
            detail = f"One value would be checked by more than {bounds.SCHEMA_EVALUATIONS} subschemas."
            raise _TooCostly(SchemaFault(said_at, detail))
        self._known[at] = weight
        return weight

    def _sum(self, at: str) -> _Weight:
        schema = pointers.find(self._root, at)
        value, part, named = 1, 0, 0
        if not isinstance(schema, dict):
            return _Weight(value, part)
        for sub in self._judging(at, schema):
            weight = self._weigh(sub.pointer, sub.pointer)
            if sub.same:
                value, part = value + weight.value, part + weight.part
            elif sub.pointer.startswith((f"{at}/properties/", f"{at}/prefixItems/")):
                named = max(named, weight.value, weight.part)  # each of these judges another part
            else:
                part += max(weight.value, weight.part)
        for name in _REFERENCES:
            if isinstance(reference := schema.get(name), str):
                target = _target(reference, self._places)
                assert target is not None, "references were checked"
                weight = self._weigh(target, f"{at}/{name}")
                value, part = value + weight.value, part + weight.part
        return _Weight(value, part + named)

    def _judging(self, at: str, schema: dict[str, Json]) -> Iterator[_Sub]:
        return (sub for sub in _below(at, schema) if sub.pointer[len(at) :].split("/")[1] not in _DEFINITIONS)
