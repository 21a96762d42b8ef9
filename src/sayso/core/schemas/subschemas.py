"""The subschemas of a schema: where they stand, what they judge, and where its references lead.

A place is a path of names, and a pointer only where somebody reads it: names may be long, and things below them many.
"""

from collections.abc import Iterator
from typing import NamedTuple

from sayso.core import pointers
from sayso.core.values import Json

Path = tuple[str, ...]

_REFERENCES = ("$ref", "$dynamicRef")
_ANCHORS = ("$anchor", "$dynamicAnchor")

DEFINITIONS = frozenset({"$defs", "definitions"})  # the second is of older drafts, and still what many write

# Keywords by what stands under them.
_ONE = frozenset({"additionalProperties", "contains", "else", "if", "items", "not", "propertyNames", "then"})
_LIST = frozenset({"allOf", "anyOf", "oneOf", "prefixItems"})
_MAP = frozenset({"dependentSchemas", "patternProperties", "properties", *DEFINITIONS})


class Subschema(NamedTuple):
    """A subschema, or what stands where one should, and the keyword that it stands under."""

    path: Path
    schema: Json
    keyword: str


def below(path: Path, schema: dict[str, Json]) -> Iterator[Subschema]:
    """What stands directly below a subschema."""
    for name, written in schema.items():
        if name in _ONE:
            yield Subschema((*path, name), written, name)
        elif name in _LIST and isinstance(written, list):
            yield from (Subschema((*path, name, str(index)), item, name) for index, item in enumerate(written))
        elif name in _MAP and isinstance(written, dict):
            yield from (Subschema((*path, name, key), member, name) for key, member in written.items())


def every(schema: Json) -> Iterator[tuple[Path, dict[str, Json]]]:
    """Every subschema that is an object, those of ``$defs`` too. Values, such as those of ``enum``, are not entered."""
    waiting: list[tuple[Path, Json]] = [((), schema)]
    while waiting:
        path, one = waiting.pop()
        if isinstance(one, dict):
            yield path, one
            waiting += [(sub.path, sub.schema) for sub in below(path, one)]


def references(schema: dict[str, Json]) -> dict[str, str]:
    """The references that a subschema itself makes, by their keywords."""
    return {name: text for name in _REFERENCES if isinstance(text := schema.get(name), str)}


def places(schema: Json) -> dict[str, Path]:
    """Where the references of a schema lead. Of one that leads out of it, or to no subschema, nothing is said.

    What is percent-encoded is not taken: the engine would decode it, and go elsewhere than was weighed.
    """
    anchors: dict[str, Path] = {}
    wanted: dict[str, Path] = {}
    for path, one in every(schema):
        anchors |= {f"#{name}": path for word in _ANCHORS if isinstance(name := one.get(word), str)}
        wanted |= {text: tuple(pointers.split(text)) for text in references(one).values() if "%" not in text}
    paths = {path for text, path in wanted.items() if text == f"#{pointers.join(path)}"}
    subs = (sub.path for path, one in every(schema) for sub in below(path, one)) if paths else ()
    there = {(), *(path for path in subs if path in paths)}
    return {text: path for text, path in wanted.items() if path in paths & there} | anchors


def without_subschemas(schema: dict[str, Json]) -> dict[str, Json]:
    """A subschema with true in the place of each that stands in it."""
    alone = dict(schema)
    for name, members in schema.items():
        if name in _ONE:
            alone[name] = True
        elif name in _LIST and isinstance(members, list):
            alone[name] = [True] * len(members)
        elif name in _MAP and isinstance(members, dict):
            alone[name] = dict.fromkeys(members, True)
    return alone
