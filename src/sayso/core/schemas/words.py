"""The words for a value that a schema refuses. They are of the schema alone: a refused value is never repeated."""

import re
from typing import Any

from jsonschema_rs import ValidationError

from sayso.core.schemas.formats import EXAMPLES
from sayso.core.values import Json, compact

_SHOWN_CHARACTERS = 200
_BREAKS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")  # what a line of words may not hold

_ARTICLES = {
    "string": "a text",
    "number": "a number",
    "integer": "a whole number",
    "boolean": "true or false",
    "object": "an object",
    "array": "a list",
    "null": "null",
}

# By keyword; the limit is what the schema says under it.
_LIMITS = {
    "minLength": "is shorter than {limit} characters",
    "maxLength": "is longer than {limit} characters",
    "minItems": "has fewer than {limit} items",
    "maxItems": "has more than {limit} items",
    "minProperties": "has fewer than {limit} members",
    "maxProperties": "has more than {limit} members",
    "minimum": "is less than {limit}",
    "maximum": "is more than {limit}",
    "exclusiveMinimum": "is not more than {limit}",
    "exclusiveMaximum": "is not less than {limit}",
}

_PLAIN = {
    "uniqueItems": "has items that are equal",
    "contains": "does not hold the items that it has to",
    "anyOf": "fits none of the forms that it may have",
    "oneOfNotValid": "fits none of the forms that it may have",
    "oneOfMultipleValid": "fits more than one of the forms of which it may have one",
    "oneOf": "does not fit exactly one of the forms that it may have",
    "not": "has a form that is ruled out",
    "falseSchema": "is not allowed here",
    "additionalItems": "has more items than it may",
    "propertyNames": "has a member whose name is not allowed",
    "contentEncoding": "is not encoded as it has to be",
    "contentMediaType": "is not of the media type that it has to be",
}


def words_for(error: ValidationError) -> str:
    """What a person reads of one mismatch, as the end of a sentence whose subject is what its pointer names."""
    keyword, facts = error.kind.name, error.kind.as_dict()
    if keyword in _LIMITS:
        return _LIMITS[keyword].format(limit=facts["limit"])
    match keyword:
        case "type":
            return f"is not {_types(facts['types'])}"
        case "enum":
            return f"is none of {_choices(facts['options'])}"
        case "const":
            return f"is not {_cut(compact(facts['expected_value']))}"
        case "multipleOf":
            return f"is no multiple of {facts['multiple_of']}"
        case "pattern":
            return f"does not match {_cut(facts['pattern'])}"
        case "format":
            return f"is not of the format {facts['format']}, such as {EXAMPLES[facts['format']]}"
    return _PLAIN.get(keyword, "does not match the schema")


def _types(types: Any) -> str:
    return " or ".join(_ARTICLES.get(name, name) for name in types)


def _choices(options: list[Json]) -> str:
    return _cut(", ".join(compact(option) for option in options))


def _cut(text: str) -> str:
    text = _BREAKS.sub("\N{REPLACEMENT CHARACTER}", text)
    return text if len(text) <= _SHOWN_CHARACTERS else f"{text[:_SHOWN_CHARACTERS]}…"
