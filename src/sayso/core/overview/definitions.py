"""The subschemas of a schema as they mean: with what their references and their allOf lead to put together."""

from collections.abc import Collection, Iterator
from typing import Any

from sayso.core import pointers
from sayso.core.values import Json

# What an overview says of a schema: the keywords that are read here, and by the modules beside this one.
_SAID = frozenset(
    (
        *("title", "description", "type", "enum", "const", "properties", "required", "additionalProperties"),
        *("items", "prefixItems", "anyOf", "oneOf", "format", "pattern", "default", "minLength", "maxLength"),
        *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
        *("minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties"),
    )
)
# What narrows a value further, in ways that take more than a phrase. `FURTHER` stands for all of them.
_NARROWING = frozenset(
    ("not", "if", "contains", "propertyNames", "patternProperties", "dependentSchemas", "dependentRequired")
)
FURTHER = "further"
# What two schemas of one value may say each in its way, with both of them right.
_BESIDE = frozenset(("title", "description", "default", "required", "properties", FURTHER))

Facts = dict[str, Any]
_TRUE: Facts = {}
_FALSE: Facts = {"enum": []}


class Definitions:
    """The subschemas of one schema, each put together once, so that its facts are always the same object.

    A schema refers to nothing outside of it, nor to itself.
    """

    def __init__(self, root: Json) -> None:
        self._root = root
        self._known: dict[int, Facts] = {}

    def facts(self, schema: Json) -> Facts:
        """What a subschema says by its keywords; nothing for ``true``. ``false`` is an enum without a value."""
        if not isinstance(schema, dict):
            return _TRUE if schema else _FALSE
        if id(schema) not in self._known:  # the root is kept, so no other schema can get this id
            self._known[id(schema)] = self._together(schema)
        return self._known[id(schema)]

    def _together(self, schema: dict[str, Json]) -> Facts:
        found: Facts = {}
        for one in self._parts(schema):
            found = _both(found, one)
        return found

    def _parts(self, schema: dict[str, Json]) -> Iterator[Facts]:
        yield from (self.facts(self._target(schema[name])) for name in ("$ref", "$dynamicRef") if name in schema)
        yield from map(self.facts, schema.get("allOf", ()))
        said = {name: value for name, value in schema.items() if name in _SAID}
        yield said if _NARROWING.isdisjoint(schema) else said | {FURTHER: True}

    def _target(self, reference: str) -> Json:
        """Where a reference leads. Of an anchor that is not among the definitions nothing is said."""
        if not reference.startswith("#/"):
            defined = (self._root.get("$defs") or {}).values()
            named = (one for one in defined if isinstance(one, dict) and reference[1:] in _anchors(one))
            return next(named, True)
        return pointers.find(self._root, reference[1:])


def _anchors(schema: dict[str, Json]) -> tuple[Json, Json]:
    return schema.get("$anchor"), schema.get("$dynamicAnchor")


def _both(first: Facts, then: Facts) -> Facts:
    """What two schemas of one value say together. Where both say the same keyword the nearer one is told of, and that
    there is more."""
    if not first or not then:
        return first or then
    both = first | then
    if _differ(first, then, (first.keys() & then.keys()) - _BESIDE):
        both[FURTHER] = True
    if "properties" in first and "properties" in then:
        both["properties"] = first["properties"] | then["properties"]
        if _differ(first["properties"], then["properties"], first["properties"].keys() & then["properties"].keys()):
            both[FURTHER] = True
    if "required" in first and "required" in then:
        both["required"] = [*dict.fromkeys([*first["required"], *then["required"]])]
    return both


def _differ(first: Facts, then: Facts, names: Collection[str]) -> bool:
    """Whether two say something else under one of these names."""
    return any(first[name] != then[name] for name in names)
