"""Keywords that JSON Schema does not have. It lets anybody add some, and so a misspelt one limits nothing, in silence.

What can only be a mistake is refused: a word one slip away from a keyword that limits values, a property that is not
below ``properties``, and what is left of a text that a comma ended. Of any other word its author hears, unless it
begins with ``x-``.
"""

import difflib
from collections.abc import Iterator

from sayso.core import pointers
from sayso.core.schemas.advice import is_type
from sayso.core.schemas.checks import SchemaFault, subschemas
from sayso.core.values import Json

_LIMITING = (
    *("$dynamicRef", "$ref", "additionalProperties", "allOf", "anyOf", "const", "contains", "dependentRequired"),
    *("dependentSchemas", "else", "enum", "exclusiveMaximum", "exclusiveMinimum", "format", "if", "items"),
    *("maxContains", "maxItems", "maxLength", "maxProperties", "maximum", "minContains", "minItems", "minLength"),
    *("minProperties", "minimum", "multipleOf", "not", "oneOf", "pattern", "patternProperties", "prefixItems"),
    *("properties", "propertyNames", "required", "then", "type", "uniqueItems"),
)
# Those that say something and limit nothing, and those of older drafts that are taken or refused by name elsewhere.
_OTHERS = (
    *("$anchor", "$comment", "$defs", "$dynamicAnchor", "$id", "$recursiveAnchor", "$recursiveRef", "$schema"),
    *("$vocabulary", "contentEncoding", "contentMediaType", "contentSchema", "default", "definitions"),
    *("dependencies", "deprecated", "description", "examples", "readOnly", "title", "unevaluatedItems"),
    *("unevaluatedProperties", "writeOnly"),
)
KEYWORDS = frozenset((*_LIMITING, *_OTHERS))

# Short words are near to many that somebody may mean: only what differs in nothing but its case is told of.
_SHORT = frozenset({"const", "else", "if", "not", "then"})
_ALSO = {
    **dict.fromkeys(("choices", "options", "values"), "enum"),
    **dict.fromkeys(("fields", "property", "props", "members"), "properties"),
    **dict.fromkeys(("regex", "regexp"), "pattern"),
    **dict.fromkeys(("mandatory", "optional"), "required, the list of names beside properties"),
    "nullable": "type: [string, 'null']",
    "max": "maximum, or maxLength of a text",
    "min": "minimum, or minLength of a text",
    "length": "minLength and maxLength",
}
_FORMATS = {
    **dict.fromkeys(("datetime", "date_time", "timestamp"), "date-time"),
    **dict.fromkeys(("url", "link"), "uri"),
    **dict.fromkeys(("mail", "e-mail"), "email"),
    "guid": "uuid",
}
_GUESSED_CHARACTERS = 32
_GUESSED_WORDS = 40
_SHOWN_CHARACTERS = 64


def _folded(name: str) -> str:
    return "".join(character for character in name.casefold() if character.isalnum())


_FOLDED = {_folded(name): name for name in _LIMITING}
_NEAR = [folded for folded, name in _FOLDED.items() if name not in _SHORT]


def faults(schema: Json) -> Iterator[SchemaFault]:
    """The words that can only be mistakes."""
    guesses = _GUESSED_WORDS
    for at, name, value in _unknown(schema):
        guesses -= 1
        near = _near(name) if guesses >= 0 else None
        if near is not None:
            detail = f"There is no keyword {_shown(name)!r}, which would limit nothing. Did you mean {near}?"
        elif value is None:
            detail = (
                "This is no keyword, and has no value. Where a text has a comma in it, put quotes around that text."
            )
        elif isinstance(value, dict) and is_type(value.get("type")):
            detail = "This is no keyword. A property stands below properties: properties: { owner: { type: string } }."
        else:
            continue
        yield SchemaFault(at, detail)


def doubts(schema: Json) -> Iterator[SchemaFault]:
    """What a schema without faults says, and hardly will do what is meant."""
    for at, name, _ in _unknown(schema):
        also = _ALSO.get(_folded(name), "") if len(name) <= _GUESSED_CHARACTERS else ""
        meant = f" Did you mean {also}?" if also else " A note of your own begins with x-."
        yield SchemaFault(at, f"JSON Schema has no keyword {_shown(name)!r}: it limits nothing.{meant}")
    for at, one in subschemas(schema):
        yield from _doubts_at(at, one)


def _doubts_at(at: str, schema: dict[str, Json]) -> Iterator[SchemaFault]:
    options, format_ = schema.get("enum", []), schema.get("format", "")
    if schema.get("type") == "string" and not all(isinstance(value, str) for value in options):
        detail = (
            "enum has a value that is no text, and type: string takes none: put quotes around it, as in ['1', '2']."
        )
        yield SchemaFault(f"{at}/enum", detail)
    if format_ in _FORMATS:
        yield SchemaFault(
            f"{at}/format", f"There is no such format, and nothing is checked: write {_FORMATS[format_]}."
        )
    declared = list(schema.get("properties", {}))[:_GUESSED_WORDS]
    for index, name in enumerate(schema.get("required", [])[:_GUESSED_WORDS]):
        if len(name) <= _GUESSED_CHARACTERS and name not in schema.get("properties", {}):
            near = difflib.get_close_matches(name, [one for one in declared if len(one) <= _GUESSED_CHARACTERS], 1, 0.7)
            if near:
                detail = f"required names a property that properties does not have. Did you mean {near[0]}?"
                yield SchemaFault(f"{at}/required/{index}", detail)


def _unknown(schema: Json) -> Iterator[tuple[str, str, Json]]:
    """Every word of a schema that is no keyword: its pointer, its name and what stands there."""
    for at, one in subschemas(schema):
        for name in one.keys() - KEYWORDS:
            if not name.startswith("x-"):
                yield pointers.join((name,), base=at), name, one[name]


def _near(name: str) -> str | None:
    """The keyword that limits values and is meant by a name; None if it may be a word of somebody's own."""
    if len(name) > _GUESSED_CHARACTERS:
        return None
    folded = _folded(name)
    near = [folded] if folded in _FOLDED else difflib.get_close_matches(folded, _NEAR, 1, 0.85)
    return _FOLDED[near[0]] if near else None


def _shown(name: str) -> str:
    return name if len(name) <= _SHOWN_CHARACTERS else f"{name[:_SHOWN_CHARACTERS]}…"
