"""JSON Schemas: values that fit one, values that almost do, and schemas of all kinds for documents."""

from collections.abc import Callable
from random import Random
from typing import Any
from uuid import UUID

from sayso.app import inputs
from sayso.core import events
from tests.fuzz import json_values, texts
from tests.fuzz.json_text import Verbatim

Schema = dict[str, Any]

_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def uuid(chance: Random) -> str:
    """A UUID of any version, or of none."""
    return str(UUID(int=chance.getrandbits(128)))


def name(chance: Random) -> str:
    """A name as playbooks and definitions have."""
    length = chance.choice((3, 8, 47, 48))
    return chance.choice(_LETTERS) + "".join(chance.choice(_LETTERS + "0123456789-") for _ in range(length - 1))


# What fits each pattern that a field may have: a pattern that is new must be added here.
PATTERNS: dict[str, Callable[[Random], str]] = {
    inputs.NAME: name,
    inputs.UUID: uuid,
    inputs.TYPE: lambda chance: "interaction",
    inputs.STATUS: lambda chance: chance.choice(("started", "succeeded", "rejected", "failed")),
    inputs.ORDER: lambda chance: chance.choice(("asc", "desc")),
    inputs.WORDS: lambda chance: chance.choice(("the treasurer", "a", "\u00e9\u4e2d", " x ")),
    inputs.SOURCE: lambda chance: chance.choice(("/desk", "urn:x:1", "https://example.com/a?b=%20", "/callers/other")),
    inputs.EVENT_TYPE: lambda chance: chance.choice([*events.SHOWN]),
    inputs.SINCE: lambda chance: chance.choice(
        ("2026-09-21T00:00:00Z", "2026-09-21T15:33:20.000001+02:00", "2026-02-30T00:00:00Z", "2026-09-21T24:00:00Z")
    ),
    "^[A-Z]{2}-[0-9]{4}$": lambda chance: f"AB-{chance.randint(1000, 9999)}",
}


def fitting(chance: Random, schema: Any) -> Any:
    """A value that fits the schema, as far as its keywords are those that are written here; any value for others."""
    try:
        return _fitting(chance, schema)
    except (LookupError, TypeError, ValueError, AttributeError, OverflowError, RecursionError):
        return json_values.plain(chance)


def _fitting(chance: Random, schema: Any, root: Schema | None = None) -> Any:
    if not isinstance(schema, dict):
        return json_values.plain(chance)
    root = root or schema
    if "$ref" in schema:
        return _fitting(chance, _referred(root, schema["$ref"]), root)
    for keyword in ("anyOf", "oneOf"):
        if keyword in schema:
            return _fitting(chance, chance.choice(schema[keyword]), root)
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return chance.choice(schema["enum"])
    kind = schema.get("type", "object" if "properties" in schema else None)
    kind = chance.choice(kind) if isinstance(kind, list) else kind
    return _OF_TYPE[kind](chance, schema, root) if kind in _OF_TYPE else json_values.plain(chance)


def _referred(root: Schema, reference: str) -> Any:
    found: Any = root
    for token in reference.lstrip("#/").split("/"):
        found = found.get(token, {}) if isinstance(found, dict) else {}
    return found


def _string(chance: Random, schema: Schema, root: Schema) -> str:
    if "pattern" in schema:
        sample = PATTERNS.get(schema["pattern"])
        return sample(chance) if sample else "a"
    least = schema.get("minLength", 0)
    most = min(schema.get("maxLength", least + 20), least + 3_000)
    return (
        chance.choice(("a", "\u00e9", "word ", "\U0001f600"))
        .join([""] * 2)
        .ljust(chance.choice((least, most, chance.randint(least, most))), "x")[:most]
    )


def _number(chance: Random, schema: Schema, root: Schema) -> int | float:
    least = schema.get("minimum", -5)
    most = schema.get("maximum", max(least + 10, 10))
    step = schema.get("multipleOf", 1)
    whole = int(chance.choice((least, most, chance.uniform(least, most))) // step * step)
    return max(whole, int(least))


def _array(chance: Random, schema: Schema, root: Schema) -> list[Any]:
    least = schema.get("minItems", 0)
    length = chance.randint(least, min(schema.get("maxItems", least + 3), least + 20))
    made = [_fitting(chance, schema.get("items", {}), root) for _ in range(length)]
    return (
        list(range(length)) if schema.get("uniqueItems") and schema.get("items", {}).get("type") == "integer" else made
    )


def _object(chance: Random, schema: Schema, root: Schema) -> dict[str, Any]:
    required = schema.get("required", ())
    properties = schema.get("properties", {})
    made = {
        name: _fitting(chance, its, root)
        for name, its in properties.items()
        if name in required or chance.random() < 0.5
    }
    return made | {name: json_values.plain(chance, 1) for name in required if name not in properties}


_OF_TYPE: dict[Any, Callable[[Random, Schema, Schema], Any]] = {
    "string": _string,
    "integer": _number,
    "number": _number,
    "boolean": lambda chance, schema, root: chance.random() < 0.5,
    "null": lambda chance, schema, root: None,
    "array": _array,
    "object": _object,
}


def near(chance: Random, schema: Any) -> Any:
    """A value at the edge of the schema, or one that misses it by one step."""
    if isinstance(schema, dict) and chance.random() < 0.3:
        for keyword, off in (("maxLength", 1), ("minLength", -1), ("maximum", 1), ("minimum", -1)):
            bound = schema.get(keyword)
            if isinstance(bound, int) and abs(bound) < 2**60 and chance.random() < 0.5:
                return _at_bound(chance, keyword, bound, bound + off)
    value = fitting(chance, schema)
    match chance.randint(0, 5):
        case 0:
            return texts.spoilt(chance, value) if isinstance(value, str) else str(value)
        case 1:
            return chance.choice((None, [value], {"a": value}, True, "true", 0, 1.0))
        case 2:
            return value | {"extra": 1} if isinstance(value, dict) else json_values.hostile(chance)
        case 3:
            return _with_one_spoilt(chance, value)
        case 4:
            return Verbatim(chance.choice(json_values.NUMBERS))
        case _:
            return json_values.hostile(chance)


def _at_bound(chance: Random, keyword: str, bound: int, beyond: int) -> Any:
    if keyword.endswith("Length"):
        return chance.choice(("x", "\u00e9")) * min(max(0, chance.choice((bound, beyond))), 100_000)
    return chance.choice((bound, beyond, float(bound), str(bound)))


def _with_one_spoilt(chance: Random, value: Any) -> Any:
    """The value with one of its members gone or hostile."""
    if isinstance(value, dict) and value:
        name = chance.choice(list(value))
        rest = {key: member for key, member in value.items() if key != name}
        return rest if chance.random() < 0.4 else rest | {name: json_values.hostile(chance)}
    if isinstance(value, list):
        return [*value, json_values.hostile(chance)]
    return json_values.hostile(chance)
