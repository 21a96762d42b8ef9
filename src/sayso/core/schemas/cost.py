"""What checking one value with a schema may take, weighed when it is saved. The figures are measured: see ADR 0008.

Work is counted for each byte of a value, along the costliest way down it: from the whole value to an item, a member of
that, and so on. What judges the same value adds up; of members that are named, and of which each is judged by its own
subschema, the costliest counts.
"""

import operator
from collections.abc import Callable, Iterator
from typing import NamedTuple

from sayso.core import bounds
from sayso.core.schemas import patterns
from sayso.core.schemas.checks import SchemaFault, written_patterns
from sayso.core.schemas.subschemas import DEFINITIONS, Path, below, every, places, references
from sayso.core.values import Json, size

_NAMED = ("properties", "prefixItems")
_LIMITS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")

# The work of what looks at a value more than once, or slowly.
_UNIQUE_WORK = 105
_FORMAT_WORK = {"regex": 60, "idn-hostname": 7, "idn-email": 7}
_OPTIONS_A_UNIT = 2
_DEPENDENTS_A_UNIT = 2

# Numbers are compared as exact fractions: which of two is more takes less than whether they are equal, and a multiple
# far from one takes the longest.
_OPTION_COMPARISONS = 3
_MULTIPLE_COMPARISONS = 2
_FAR_MULTIPLE_COMPARISONS = 16
_NEAR = (1e-15, 1e15)
_LIMIT_BITS_A_UNIT = 1_000

# In the time that a fault takes, so much of an enum is copied for it; in that of a part, so much is compiled.
_FAULT_BYTES = 1_024
_PART_BYTES = 8


class Load(NamedTuple):
    """What a schema may take: work for each byte of a value, comparisons of each number, faults of each thing in it.

    Faults of a member's name are counted apart: each copies the object that it is in. And the parts that the engine
    makes of the schema, its references followed; and the forms of ``anyOf`` and ``oneOf``, for each of which a fault
    copies the value.
    """

    work: int = 0
    comparisons: int = 0
    faults: int = 0
    name_faults: int = 0
    parts: int = 0
    forms: int = 0

    def plus(self, other: "Load") -> "Load":
        """This and what judges the same, or a part of it."""
        return Load(*map(operator.add, self, other))

    def or_else(self, other: "Load") -> "Load":
        """This or what judges another member."""
        most = Load(*map(max, self, other))
        return most._replace(parts=self.parts + other.parts)


class _TooCostly(Exception):
    """Carries the fault. It ends the weighing: one such fault is enough."""


def cost_faults(schema: Json) -> Iterator[SchemaFault]:
    """Whether a schema without other faults costs too much: at most one fault, the first that is found."""
    try:
        for path, one in every(schema):
            _cheap_patterns(path, one)
        weigher = _Weigher(schema, _within_bounds)
        for path, _ in every(schema):
            weigher.weigh(path, path)
    except _TooCostly as refusal:
        yield refusal.args[0]


def load(schema: Json) -> Load:
    """The load of a schema that was taken, be it past the bounds of today."""
    return _Weigher(schema, _unjudged).weigh((), ())


def _unjudged(_path: Path, _load: Load) -> None:
    pass


def _within_bounds(path: Path, load: Load) -> None:
    if load.work > bounds.SCHEMA_WORK:
        detail = (
            f"Checking one value would be too much work here: {load.work} units, and {bounds.SCHEMA_WORK} are taken. "
            "A subschema counts 1, a regular expression as many as it has places where a search may be at once, "
            f"uniqueItems {_UNIQUE_WORK}."
        )
        raise _TooCostly(SchemaFault(path, detail))
    if load.parts > bounds.SCHEMA_PARTS:
        detail = f"The schema has more than {bounds.SCHEMA_PARTS:,} parts, its references followed."
        raise _TooCostly(SchemaFault(path, detail))


def _cheap_patterns(path: Path, schema: dict[str, Json]) -> None:
    for keyword, pattern in written_patterns(schema):
        if patterns.weight(pattern) > bounds.SCHEMA_WORK:
            detail = (
                "This regular expression is too expensive: a search may be at more than "
                f"{bounds.SCHEMA_WORK} of its places at once. Begin it with ^, write * or + for a repetition such as "
                "{0,900} that another repetition comes before, and count characters with maxLength."
            )
            raise _TooCostly(SchemaFault((*path, keyword), detail))


class _Weigher:
    """Weighs a schema whose references all lead to places within it."""

    def __init__(self, root: Json, judge: Callable[[Path, Load], None]) -> None:
        self._root = root
        self._judge = judge
        self._places = places(root)
        self._known: dict[Path, Load] = {}
        self._open: list[Path] = []

    def weigh(self, path: Path, said_at: Path) -> Load:
        """The load of the subschema at a path. ``said_at`` is where a person reads of it: at the reference."""
        if path in self._known:
            return self._known[path]
        if path in self._open:
            raise _TooCostly(
                SchemaFault(said_at, "A schema may not refer to itself: what it takes would have no bound.")
            )
        if len(self._open) >= bounds.SCHEMA_LEVELS_THROUGH_REFS:
            detail = f"The schema has more than {bounds.SCHEMA_LEVELS_THROUGH_REFS} levels through its references."
            raise _TooCostly(SchemaFault(said_at, detail))
        self._open.append(path)
        self._known[path] = self._sum(path, said_at)
        self._open.pop()
        return self._known[path]

    def _sum(self, path: Path, said_at: Path) -> Load:
        schema = _at(self._root, path)
        if not isinstance(schema, dict):
            return Load(work=1, faults=1, parts=1)
        total, named = _own(schema), Load()
        for sub in below(path, schema):
            if sub.keyword in _NAMED:
                named = named.or_else(self.weigh(sub.path, sub.path))
            elif sub.keyword not in DEFINITIONS:
                found = self.weigh(sub.path, sub.path)
                if sub.keyword == "propertyNames":
                    found = found._replace(faults=0, name_faults=found.faults)
                total = total.plus(found)
            self._judge(said_at, total)
        for keyword, reference in references(schema).items():
            total = total.plus(self.weigh(self._places[reference], (*path, keyword)))
        total = total.plus(named)
        self._judge(said_at, total)
        return total


def _at(schema: Json, path: Path) -> Json:
    for name in path:
        schema = schema[int(name)] if isinstance(schema, list) else schema[name]
    return schema


def _own(schema: dict[str, Json]) -> Load:
    """What the keywords of a subschema take themselves."""
    dependents = schema.get("dependentRequired", {})
    names = len(schema.get("required", ())) + sum(map(len, dependents.values()))
    choices = sum(size(schema[name]) for name in ("enum", "const") if name in schema)
    return Load(
        work=1 + _work(schema),
        comparisons=_comparisons(schema),
        faults=len(schema) + names + choices // _FAULT_BYTES,
        parts=1 + len(schema) + names + choices // _PART_BYTES,
        forms=sum(len(schema.get(name, ())) for name in ("anyOf", "oneOf")),
    )


def _work(schema: dict[str, Json]) -> int:
    dependents = len(schema.get("dependentRequired", ())) + len(schema.get("dependentSchemas", ()))
    options = schema.get("enum", [])
    listed = 0 if all(isinstance(option, str) for option in options) else len(options)
    nested = sum(isinstance(option, dict | list) for option in [*options, schema.get("const")])
    return (
        sum(patterns.weight(pattern) for _, pattern in written_patterns(schema))
        + _FORMAT_WORK.get(schema.get("format", ""), 0)
        + (_UNIQUE_WORK if schema.get("uniqueItems") else 0)
        + listed // _OPTIONS_A_UNIT
        + nested
        + dependents // _DEPENDENTS_A_UNIT
    )


def _comparisons(schema: dict[str, Json]) -> int:
    options = [*schema.get("enum", ()), schema.get("const")]
    compared = sum(isinstance(option, int | float | dict | list) for option in options)
    limits = sum(_of_limit(schema[name]) for name in _LIMITS if name in schema)
    return compared * _OPTION_COMPARISONS + limits + _of_multiple(schema.get("multipleOf"))


def _of_limit(limit: float) -> int:
    return 1 + limit.bit_length() // _LIMIT_BITS_A_UNIT if isinstance(limit, int) else 1


def _of_multiple(divisor: float | None) -> int:
    if divisor is None:
        return 0
    return _MULTIPLE_COMPARISONS if _NEAR[0] < divisor < _NEAR[1] else _FAR_MULTIPLE_COMPARISONS
