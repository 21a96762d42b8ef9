"""Advice: what to write in a schema where it is not as JSON Schema has it, by the mistakes that people make."""

from sayso.core.values import Json

_TYPES = ("array", "boolean", "integer", "null", "number", "object", "string")
THERE_ARE = "A type is array, boolean, integer, null, number, object or string, or a list of some of these."

_OTHERWISE = {
    **dict.fromkeys(("str", "text", "char", "varchar"), "string"),
    **dict.fromkeys(("int", "long", "whole"), "integer"),
    **dict.fromkeys(("float", "double", "decimal", "num"), "number"),
    **dict.fromkeys(("bool", "flag", "yesno", "checkbox"), "boolean"),
    **dict.fromkeys(("list", "tuple", "set"), "array"),
    **dict.fromkeys(("dict", "map", "mapping", "json"), "object"),
    **dict.fromkeys(("none", "nil"), "null"),
}
_FORMATS = {
    **dict.fromkeys(("date", "time", "email", "uri", "uuid"), ""),
    **dict.fromkeys(("datetime", "timestamp"), "date-time"),
    "url": "uri",
}
_CHOICES = frozenset({"enum", "choice", "select", "option"})

_OF_KEYWORD = {
    "required": "required stands beside properties, and lists the names that must be given: required: [owner].",
    "enum": "enum lists the values that there are: enum: [approve, revise].",
    "properties": "properties gives each property by its name: properties: { owner: { type: string } }.",
    "pattern": "This is no regular expression. In one, . is any character, and .* any number of them.",
}
_OF_NUMBERS = ("exclusiveM", "max", "min", "multipleOf")
_TEXTS = frozenset({"title", "description", "format", "$comment"})


def is_type(written: Json) -> bool:
    """Whether this is the name of a type."""
    return isinstance(written, str) and written in _TYPES


def of_type(written: Json) -> str:
    """What to write for a type that is none."""
    if isinstance(written, list) and None in written:
        return "In a list of types null goes in quotes: type: [string, 'null']."
    named = written.casefold() if isinstance(written, str) else ""
    if named in _CHOICES:
        return "A choice is written as { type: string, enum: [approve, revise] }."
    if named in _FORMATS:
        return f"There is no such type. Write {{ type: string, format: {_FORMATS[named] or named} }}."
    meant = meant_by(named)
    return f"{THERE_ARE} Write type: {meant}." if meant else THERE_ARE


def of_no_schema(written: Json) -> str:
    """What to write where a schema should stand, and something else does."""
    if isinstance(written, list) and any(map(is_type, written)):
        return "A schema is an object. Several types are written as in { type: [string, 'null'] }."
    if isinstance(written, list):
        words = "One schema stands here, and no list: items has one for all items, as in items: { type: string }"
        return f"{words}. A list of them, each for the item at its place, is prefixItems."
    named = written.casefold() if isinstance(written, str) else ""
    return f"A schema is an object, such as {{ type: {meant_by(named) or 'object'} }}."


def meant_by(word: str) -> str:
    """The type that is meant by a word; empty where it is none."""
    return _OTHERWISE.get(word, word if word in _TYPES else "string" if word in _FORMATS else "")


def of_keyword(keyword: str, written: Json) -> str | None:
    """What to write under a keyword; None where there is nothing to say but what its grammar says."""
    if keyword in _TEXTS and isinstance(written, dict):
        return f"{keyword} is a text here. A property of this name stands below properties."
    if isinstance(written, str) and keyword.startswith(_OF_NUMBERS):
        return f"{keyword} is a number, and goes without quotes."
    return _OF_KEYWORD.get(keyword)
