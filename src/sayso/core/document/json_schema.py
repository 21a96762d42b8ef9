"""The published JSON Schema of the front matter, made from the table of the format, for editors and other programs.

It takes every front matter that can be saved. It refuses what can be seen without reading templates: keys that are
unknown, missing or of another shape, and values of a wrong kind. `parse` alone has the last word.
"""

from collections.abc import Mapping, Sequence

from sayso.core.bounds import DESCRIPTION_CHARACTERS, RULE_VALUES, RULE_WORDS, WORD_BYTES
from sayso.core.document.format import FORMAT
from sayso.core.document.keys import Block, Key, Kind, Shape
from sayso.core.schemas.checks import DIALECT
from sayso.core.schemas.published import schema_of_schemas
from sayso.core.templates.place import PLACES
from sayso.core.values import Json

_NUMBER = "[0-9]{1,9}"
_SECONDS = rf"{_NUMBER}(?:\.[0-9]{{1,3}})?S"
_TIME = rf"T(?:{_NUMBER}H(?:{_NUMBER}M)?(?:{_SECONDS})?|{_NUMBER}M(?:{_SECONDS})?|{_SECONDS})"
_ARGUMENT = "#/$defs/argument"
_SCHEMA = "#/$defs/schema"


def _text(pattern: str, otherwise: str) -> dict[str, Json]:
    """A text of a pattern, with what editors say of one that is not; to all others that keyword means nothing."""
    return {"type": "string", "pattern": pattern, "patternErrorMessage": otherwise}


_PART: dict[str, Json] = {"enum": ["word", "rest", "text"]}
_WORD: dict[str, Json] = {
    **_text(r"^\S+$", "Only the first word of a reply is compared: write one word."),
    "maxLength": WORD_BYTES,
}

# What the value of a key is by its kind, where that does not depend on the key.
_VALUES: Mapping[Kind, dict[str, Json]] = {
    Kind.TEXT: {"type": "string", "minLength": 1, "maxLength": DESCRIPTION_CHARACTERS},
    Kind.TEMPLATE: _text(r"\S", "This is empty: write a text or a template."),
    Kind.SERVER: _text("^[a-z][a-z0-9-]{0,31}$", "1 to 32 lower-case letters, digits and hyphens, a letter first."),
    Kind.TOOL: _text("^[A-Za-z0-9_.-]{1,128}$", "Up to 128 letters, digits and any of _ - ."),
    Kind.ARGUMENTS: {"type": "object", "additionalProperties": {"$ref": _ARGUMENT}},
    Kind.POINTER: _text("^(?:/(?:[^/~]|~[01])*)+$", "A JSON Pointer begins with a slash, such as /messages."),
    Kind.ORDER: {"enum": ["oldest_first", "newest_first"]},
    Kind.DURATION: _text(
        f"^P(?:{_NUMBER}W|{_NUMBER}D(?:{_TIME})?|{_TIME})$",
        "A duration of a fixed length, such as PT30M, PT4H, P2D or P1W.",
    ),
    Kind.SCHEMA: {"type": "object", "$ref": _SCHEMA},
    Kind.PART: _PART,
    Kind.WORDS: {
        "type": "object",
        "maxProperties": RULE_VALUES,
        "additionalProperties": {"type": "array", "maxItems": RULE_WORDS, "items": _WORD},
    },
}

# Nothing fills a document from the environment, so what goes to a tool holds no such reference.
_NOT_FILLED: dict[str, Json] = {
    "pattern": r"^(?:[^$]|\$+[^${])*\$*$",
    "patternErrorMessage": "Nothing fills a document from the environment: ${ is refused here.",
}


def front_matter_schema() -> dict[str, Json]:
    """The schema, in JSON Schema 2020-12. It refers to nothing but itself, so that it works offline."""
    return {
        "$schema": DIALECT,
        "title": "Front matter of a function document",
        **_block(FORMAT),
        "allOf": [_by_shape(), *(_needs(key) for key in FORMAT.keys if key.needs)],
        "$defs": {"argument": _argument(), "schema": schema_of_schemas(_SCHEMA)},
    }


def _argument() -> dict[str, Json]:
    return {
        "description": "Sent as it is written; each text in it is a template.",
        **_NOT_FILLED,
        "items": {"$ref": _ARGUMENT},
        "additionalProperties": {"$ref": _ARGUMENT},
    }


def _block(block: Block) -> dict[str, Json]:
    """The object that a block is. Which shape takes which key is for the front matter as a whole to say."""
    required: list[Json] = [key.name for key in block.keys if key.required == frozenset(Shape)]
    return {
        "description": block.holds,
        "type": "object",
        "additionalProperties": False,
        **({"required": required} if required else {}),
        "properties": {key.name: _described(key) for key in block.keys},
    }


def _described(key: Key) -> dict[str, Json]:
    left_out = f" Left out: {key.default}." if key.default else ""
    return {**_value(key), "description": f"{key.holds}{left_out}"}


def _value(key: Key) -> dict[str, Json]:
    if key.block is not None:
        return _block(key.block) if key.kind is Kind.BLOCK else _rule(key.block)
    is_filled = key.kind is Kind.TEMPLATE and key.place is not None and PLACES[key.place].is_filled
    return {**_VALUES[key.kind], **({"allOf": [_NOT_FILLED]} if is_filled else {})}


def _rule(part: Block) -> dict[str, Json]:
    """A part is one word, or a block. Which of the two is meant is seen by its type, so that one fault is told of."""
    only_word: dict[str, Json] = {
        "if": {"properties": {"from": {"const": "word"}}},
        "else": {"properties": {"words": False}},
    }
    parts: dict[str, Json] = {"if": {"type": "object"}, "then": {**_block(part), **only_word}, "else": _PART}
    return {"type": "object", "minProperties": 1, "additionalProperties": parts}


def _by_shape() -> dict[str, Json]:
    """What a document that calls may not write, and what one that asks must."""
    asks: list[Json] = [key.name for key in FORMAT.keys if key.required == {Shape.INBOX, Shape.TOOL}]
    return {
        "if": {"required": ["call"]},
        "then": {"properties": {key.name: False for key in FORMAT.keys if Shape.CALL in key.refused}},
        "else": {"required": asks},
    }


def _needs(key: Key) -> dict[str, Json]:
    return {"if": {"required": [key.name]}, "then": {"allOf": [_has(need.path) for need in key.needs]}}


def _has(path: Sequence[str]) -> dict[str, Json]:
    first, below = path[0], path[1:]
    return {"required": [first], **({"properties": {first: _has(below)}} if below else {})}
