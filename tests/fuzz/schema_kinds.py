"""The schemas that the fuzzed documents hold: of every kind that an answer may have, and of some that none may."""

from random import Random
from typing import Any

from tests.fuzz import json_values

Schema = dict[str, Any]

VERDICT: Schema = {
    "type": "object",
    "required": ["verdict"],
    "additionalProperties": False,
    "properties": {
        "verdict": {"type": "string", "enum": ["approve", "revise"]},
        "note": {"type": "string", "maxLength": 50},
    },
}
ANSWERS: tuple[Schema, ...] = (
    VERDICT,
    {},
    {"type": "string", "minLength": 1, "maxLength": 20},
    {"type": "integer", "minimum": -3, "maximum": 2**53 + 1},
    {"type": "number", "minimum": 0, "maximum": 1, "multipleOf": 0.25},
    {"type": ["string", "null"]},
    {"type": "boolean"},
    {"const": {"a": [1, 2.5, None]}},
    {"enum": [1, "1", True, None, [], {}]},
    {"type": "array", "items": {"type": "integer"}, "minItems": 1, "maxItems": 3, "uniqueItems": True},
    {"type": "array", "items": {"$ref": "#/$defs/item"}, "$defs": {"item": {"type": "string", "maxLength": 5}}},
    {"anyOf": [{"type": "string"}, {"type": "object", "required": ["a"], "properties": {"a": {"type": "integer"}}}]},
    {"oneOf": [{"type": "integer"}, {"type": "string", "maxLength": 3}]},
    {"type": "string", "pattern": "^[A-Z]{2}-[0-9]{4}$"},
    {"type": "object", "properties": {"a": {}}, "patternProperties": {"^x-": {"type": "string"}}},
    {"type": "object", "required": ["a/b", "~c", ""], "properties": {"a/b": {}, "~c": {"type": "integer"}, "": {}}},
    {"type": "object", "properties": {"d": {"type": "string", "format": "date"}}, "minProperties": 0},
    {
        "type": "object",
        "if": {"required": ["a"]},
        "then": {"required": ["b"]},
        "else": {},
        "dependentRequired": {"c": ["d"]},
    },
    {"not": {"type": "null"}},
    {"type": "array", "contains": {"const": 1}, "prefixItems": [{"const": 1}], "items": {}},
)
INPUTS: tuple[Schema, ...] = (
    {},
    {"type": "object"},
    {"type": "object", "required": ["owner"], "properties": {"owner": {"type": "string", "minLength": 1}}},
    {
        "type": "object",
        "required": ["owner", "review"],
        "additionalProperties": False,
        "properties": {
            "owner": {"type": "string", "minLength": 1, "maxLength": 60},
            "review": {"type": "string"},
            "items": {"type": "array", "items": {"type": ["string", "integer"]}},
            "urgent": {"type": "boolean"},
            "amount": {"type": "integer"},
        },
    },
)
HOSTILE: tuple[Any, ...] = (
    True,
    [],
    {"type": "strin"},
    {"type": 1},
    {"$ref": "#"},
    {"$ref": "https://example.com/schema.json"},
    {"$ref": "file:///etc/passwd"},
    {"$ref": "#/$defs/missing"},
    {"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}},
    {"pattern": "(a+)+$", "type": "string"},
    {"pattern": "(?=a)b"},
    {"pattern": "(a)\\1"},
    {"pattern": "["},
    {"pattern": "a{1000}{1000}{1000}"},
    {"pattern": "\\p{L}{1,1000}" * 30},
    {"patternProperties": {"(": {}}},
    {"enum": []},
    {"enum": list(range(1_001))},
    {"enum": [10**400, 2**64, -0.0, 1e308]},
    {"maximum": 10**400, "minimum": -(10**400)},
    {"multipleOf": 0},
    {"multipleOf": 1e-300},
    {"minLength": -1},
    {"maxLength": 2**64},
    {"minItems": 1.5},
    {"required": "a"},
    {"properties": []},
    {"unevaluatedProperties": False},
    {"$schema": "http://json-schema.org/draft-04/schema#"},
    {"$id": "https://example.com/a", "$anchor": "a", "$dynamicRef": "#a"},
    {"$dynamicAnchor": "a", "items": {"$dynamicRef": "#a"}},
    {"allOf": [{"allOf": [{"anyOf": [{}] * 20}] * 20}] * 20},
    {"format": "regex", "type": "string"},
    {"contentMediaType": "application/json", "contentEncoding": "base64"},
    {"properties": {"\u202e": {"type": "string"}, "a\x01b": {}}, "required": ["\u202e"]},
    {"title": "x" * 60_000},
    {"description": "\U0001f600" * 4_000},
    {"propertyNames": {"maxLength": 3}, "type": "object", "maxProperties": 2},
)


def of_answer(chance: Random) -> Schema:
    """A schema that answers are held to; half of them the one that people write most."""
    return VERDICT if chance.random() < 0.4 else chance.choice(ANSWERS)


def of_input(chance: Random) -> Schema:
    """A schema that inputs are held to."""
    return chance.choice(INPUTS)


def hostile(chance: Random) -> Any:
    """A schema that costs much, leads out of itself, or is none."""
    match chance.randint(0, 3):
        case 0 | 1:
            return chance.choice(HOSTILE)
        case 2:
            keyword = chance.choice(
                ("type", "properties", "items", "enum", "const", "minimum", "required", "anyOf", "if")
            )
            return dict(of_answer(chance)) | {keyword: json_values.plain(chance)}
        case _:
            schema: Any = of_answer(chance)
            for _ in range(chance.choice((3, 30, 61, 62, 63, 64, 65, 70))):
                schema = {chance.choice(("items", "not", "additionalProperties")): schema}
            return schema
