"""Keywords that JSON Schema does not have. It lets anybody add some, and so a misspelt one limits nothing, in silence.

What can only be a mistake is refused: a word one slip away from a keyword that limits values, a property that is not
below ``properties``, and what is left of a text that a comma ended. Of any other word its author hears, unless it
begins with ``x-``.
"""

import difflib
from collections.abc import Iterator
from itertools import islice

from sayso.core.schemas import formats
from sayso.core.schemas.advice import is_type
from sayso.core.schemas.checks import SchemaFault
from sayso.core.schemas.subschemas import Path, every
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
_PAIRS = tuple((f"min{rest}", f"max{rest}") for rest in ("Contains", "Items", "Length", "Properties", "imum"))

_LEFT_OVER = "This is no keyword, and has no value. If it belongs to the text before it, put quotes around that text."
_PROPERTY_BELOW = " A property stands below properties: properties: { owner: { type: string } }."
_PROPERTY = f"This is no keyword.{_PROPERTY_BELOW}"

_NO_TEXT = "enum has a value that is no text, which type: string rules out. Put it in quotes, as in ['1', '2']."

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
    for at, one in every(schema):
        told = {_LEFT_OVER} if not isinstance(one.get("enum", []), list) else set()
        for name, value in _unknown(one):
            guesses -= 1
            detail = _certain(name, value, guesses >= 0)
            if detail and detail not in told:  # a text may have many commas, and a schema many properties
                told.add(detail)
                yield SchemaFault((*at, name), detail)


def _certain(name: str, value: Json, is_guessed: bool) -> str | None:
    """What is certainly wrong with a word; None if it may be one of somebody's own."""
    near = _near(name) if is_guessed else None
    if near is not None:
        return f"There is no keyword {_shown(name)!r}, which would limit nothing. Did you mean {near}?"
    if value is None:
        return _LEFT_OVER
    return _PROPERTY if isinstance(value, dict) and is_type(value.get("type")) else None


def doubts(schema: Json) -> Iterator[SchemaFault]:
    """What a schema without faults says, and hardly will do what is meant."""
    unknown = ((at, *word) for at, one in every(schema) for word in _unknown(one))
    for at, name, value in islice(unknown, _GUESSED_WORDS):
        meant = _meant(name) or (_PROPERTY_BELOW if is_type(value) else " A note of your own begins with x-.")
        detail = f"JSON Schema has no keyword {_shown(name)!r}: it limits nothing.{meant}"
        yield SchemaFault((*at, name), detail)
    yield from islice(_misfits(schema), _GUESSED_WORDS)
    for path, name, declared in islice(_undeclared(schema), _GUESSED_WORDS):
        if near := difflib.get_close_matches(name, declared[:_GUESSED_WORDS], 1, 0.7):
            words = f"required names a property that properties does not have. Did you mean {near[0]}?"
            yield SchemaFault(path, words)


def _misfits(schema: Json) -> Iterator[SchemaFault]:
    """Values of an enum that its type rules out, formats that are none, and limits that leave no value."""
    for at, one in every(schema):
        if one.get("type") == "string" and not all(isinstance(value, str) for value in one.get("enum", [])):
            yield SchemaFault((*at, "enum"), _NO_TEXT)
        if words := formats.doubt(one.get("format", "date")):
            yield SchemaFault((*at, "format"), words)
        if one.get("enum") == []:
            yield SchemaFault((*at, "enum"), "An enum without values takes none. List some, as in [approve, revise].")
        for least, most in _PAIRS:
            if least in one and most in one and one[least] > one[most]:
                yield SchemaFault((*at, most), f"No value fits: {least} is more than {most}. Change one of them.")


def _undeclared(schema: Json) -> Iterator[tuple[Path, str, list[str]]]:
    """The path and name of each property that is required and not declared, with those that are."""
    for at, one in every(schema):
        properties = one.get("properties", {})
        declared = [name for name in properties if len(name) <= _GUESSED_CHARACTERS]
        for index, name in enumerate(one.get("required", [])):
            if declared and name not in properties and len(name) <= _GUESSED_CHARACTERS:
                yield (*at, "required", str(index)), name, declared


def _unknown(schema: dict[str, Json]) -> Iterator[tuple[str, Json]]:
    """Every word of a schema that is no keyword, with what stands there."""
    return ((name, value) for name, value in schema.items() if name not in KEYWORDS and not name.startswith("x-"))


def _near(name: str) -> str | None:
    """The keyword that limits values and is meant by a name; None if it may be a word of somebody's own."""
    if len(name) > _GUESSED_CHARACTERS:
        return None
    folded = _folded(name)
    if folded in _FOLDED:
        return _FOLDED[folded]
    swapped = [one for one in _NEAR if sorted(one) == sorted(folded)]
    near = swapped or difflib.get_close_matches(folded, _NEAR, 1, 0.85)
    return _FOLDED[near[0]] if near else None


def _meant(name: str) -> str:
    """What of JSON Schema may be meant by a word that may be somebody's own, as words to add."""
    if len(name) > _GUESSED_CHARACTERS:
        return ""
    also = [_ALSO[folded]] if (folded := _folded(name)) in _ALSO else difflib.get_close_matches(name, _OTHERS, 1, 0.8)
    return f" Did you mean {also[0]}?" if also else ""


def _shown(name: str) -> str:
    return name if len(name) <= _SHOWN_CHARACTERS else f"{name[:_SHOWN_CHARACTERS]}…"
