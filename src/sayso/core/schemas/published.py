"""The schema of schemas, as far as documents may write them: for editors, and no part of how a schema is judged.

The dialect's own would do, but it lies behind an address, and an editor that cannot fetch it checks nothing at all.
"""

from sayso.core.bounds import SCHEMA_ENUM_VALUES, SCHEMA_PATTERN_CHARACTERS
from sayso.core.values import Json

_TYPES: list[Json] = ["array", "boolean", "integer", "null", "number", "object", "string"]
_ONE = ("additionalProperties", "contains", "else", "if", "items", "not", "propertyNames", "then")
_LIST = ("allOf", "anyOf", "oneOf", "prefixItems")
_MAP = ("$defs", "definitions", "dependentSchemas", "patternProperties", "properties")
_COUNT = ("maxContains", "maxItems", "maxLength", "maxProperties", "minContains", "minItems", "minLength")
_NUMBER = ("exclusiveMaximum", "exclusiveMinimum", "maximum", "minimum")
_TEXT = ("$comment", "description", "format", "title")
_FLAG = ("deprecated", "readOnly", "uniqueItems", "writeOnly")
_UNTAKEN = ("$recursiveRef", "$vocabulary", "dependencies", "unevaluatedItems", "unevaluatedProperties")
_NAMES: dict[str, Json] = {"type": "array", "items": {"type": "string"}, "uniqueItems": True}


def schema_of_schemas(at: str) -> dict[str, Json]:
    """The schema, whose own place is ``at``: it refers to itself there."""
    this: dict[str, Json] = {"$ref": at}
    return {
        "type": ["object", "boolean"],
        "properties": {
            "type": {
                "if": {"type": "array"},
                "then": {"minItems": 1, "uniqueItems": True, "items": {"enum": _TYPES}},
                "else": {"enum": _TYPES},
            },
            "enum": {"type": "array", "maxItems": SCHEMA_ENUM_VALUES},
            "examples": {"type": "array"},
            "required": _NAMES,
            "dependentRequired": {"type": "object", "additionalProperties": _NAMES},
            "multipleOf": {"type": "number", "exclusiveMinimum": 0},
            "pattern": {"type": "string", "maxLength": SCHEMA_PATTERN_CHARACTERS},
            "$ref": {
                "type": "string",
                "pattern": "^#",
                "patternErrorMessage": "A reference leads to a schema within this one, such as #/$defs/name.",
            },
            **dict.fromkeys(_ONE, this),
            **{key: {"type": "array", "minItems": 1, "items": this} for key in _LIST},
            **{key: {"type": "object", "additionalProperties": this} for key in _MAP},
            **{key: {"type": "integer", "minimum": 0} for key in _COUNT},
            **{key: {"type": "number"} for key in _NUMBER},
            **{key: {"type": "string"} for key in _TEXT},
            **{key: {"type": "boolean"} for key in _FLAG},
            **dict.fromkeys(_UNTAKEN, False),
        },
    }
