"""Kinds: what a value has to be, as a phrase: "text, at most 500 characters, or nothing"."""

from collections.abc import Iterable, Iterator, Sequence

from sayso.core.overview.definitions import FURTHER, Definitions, Facts
from sayso.core.overview.markdown import code, plain
from sayso.core.values import Json, canonical

ANY = "any value"
GROUP = "group of fields"
LIST = "list"

# Lists within lists that are said.
LISTS = 3

# How much is said: choices of an enum, forms of anyOf and oneOf, how many of either within a form, and
# characters of a value.
_CHOICES = 20
_FORMS = 10
_WITHIN = 4
_CHARACTERS = 80

_TYPES = {
    "string": "text",
    "number": "number",
    "integer": "whole number",
    "boolean": "yes or no",
    "object": GROUP,
    "array": LIST,
    "null": "nothing",
}
_FORMATS = {
    "date": "a date such as 2026-01-31",
    "date-time": "a date and time such as 2026-01-31T09:30:00Z",
    "time": "a time such as 09:30:00Z",
    "duration": "a duration such as P2D",
    "email": "an email address",
    "uri": "a web address",
    "uuid": "a UUID",
}


def kind(facts: Facts, definitions: Definitions, within: int = 0, lists: int = 0) -> str:
    """What a value has to be. ``within`` is how many forms it stands in, and ``lists`` how many lists: there, less is
    said of it."""
    phrase = ", ".join([_what(facts, definitions, within), *_bounds(facts), *_or_nothing(facts)])
    if not isinstance(facts.get("items"), dict) or lists == LISTS:
        return phrase
    item = kind(definitions.facts(facts["items"]), definitions, within, lists + 1)
    return phrase if item == ANY else f"{phrase} (each item: {item})"


def forms(facts: Facts) -> Sequence[Json]:
    """The forms of which a value may have one."""
    found: Sequence[Json] = facts.get("anyOf") or facts.get("oneOf") or ()
    return found


def value(written: Json) -> str:
    """One value as a person reads it: a text in quotes; yes, no and nothing by these words; others as JSON."""
    match written:
        case str():
            return f'"{plain(written, _CHARACTERS)}"'
        case None:
            return "nothing"
        case bool():
            return "yes" if written else "no"
    return plain(canonical(written), _CHARACTERS)


def _what(facts: Facts, definitions: Definitions, within: int) -> str:
    choices = _choices(facts)
    if choices is not None:
        return _one_of(choices, _WITHIN if within else _CHOICES)
    return _forms(facts, definitions, within) or _types(facts)


def _choices(facts: Facts) -> Sequence[Json] | None:
    return [facts["const"]] if "const" in facts else facts.get("enum")


def _one_of(values: Sequence[Json], most: int) -> str:
    match len(values):
        case 0:
            return "no value at all"
        case 1:
            return f"always {value(values[0])}"
    return f"one of {_listed(map(value, values[:most]), len(values) - most)}"


def _listed(said: Iterable[str], more: int) -> str:
    *before, last = said
    if more > 0:
        return f"{', '.join([*before, last])} and {more:,} more"
    return f"{', '.join(before)} or {last}" if before else last


def _forms(facts: Facts, definitions: Definitions, within: int) -> str:
    """The forms that a value may have, each with the type of all; empty where they say no more than what is asked for
    anyhow."""
    every, most = forms(facts), _WITHIN if within else _FORMS
    if within > 1:
        return f"one of {len(every)} forms" if every else ""
    common = {name: facts[name] for name in ("type",) if name in facts}
    said = dict.fromkeys(_form(common | definitions.facts(one), definitions, within + 1) for one in every[:most])
    return "" if said.keys() <= {ANY} else _listed(said, len(every) - most)


def _form(facts: Facts, definitions: Definitions, within: int) -> str:
    said = value(facts["const"]) if "const" in facts else kind(facts, definitions, within)
    return f"{said} ({plain(facts['title'], _CHARACTERS)})" if facts.get("title") else said


def _types(facts: Facts) -> str:
    match facts.get("type"):
        case str() as name:
            return _TYPES[name]
        case list() as names:
            return " or ".join(_TYPES[name] for name in names if name != "null" or len(names) == 1)
    if "items" in facts or "prefixItems" in facts:
        return LIST
    return GROUP if "properties" in facts or "required" in facts else ANY


def _or_nothing(facts: Facts) -> Iterator[str]:
    types = facts.get("type")
    if isinstance(types, list) and "null" in types and len(types) > 1 and _choices(facts) is None:
        yield "or nothing"


def _bounds(facts: Facts) -> Iterator[str]:
    yield from _between(facts, "minLength", "maxLength", "character")
    yield from _between(facts, "minItems", "maxItems", "item")
    yield from _between(facts, "minProperties", "maxProperties", "field")
    yield from _range(facts)
    if "multipleOf" in facts:
        yield f"a multiple of {value(facts['multipleOf'])}"
    if facts.get("uniqueItems"):
        yield "no two alike"
    if "format" in facts:
        yield _FORMATS.get(facts["format"], f"in the format {plain(facts['format'], _CHARACTERS)}")
    if "pattern" in facts:
        yield f"in the pattern {code(facts['pattern'])}"
    if "default" in facts:
        yield f"usually {value(facts['default'])}"
    if FURTHER in facts or ("anyOf" in facts and "oneOf" in facts):  # of those two, one is said
        yield "with further rules"


def _between(facts: Facts, least_key: str, most_key: str, unit: str) -> Iterator[str]:
    """How many of a unit there may be, such as "3 to 10 characters"."""
    least, most = facts.get(least_key) or 0, facts.get(most_key)
    units = unit if (least if most is None else most) == 1 else f"{unit}s"
    if most is None:
        yield from [f"at least {value(least)} {units}"] if least else []
    elif least == most:
        yield f"exactly {value(most)} {units}"
    else:
        yield f"{value(least)} to {value(most)} {units}" if least else f"at most {value(most)} {units}"


def _range(facts: Facts) -> Iterator[str]:
    if "minimum" in facts and "maximum" in facts:
        yield f"from {value(facts['minimum'])} to {value(facts['maximum'])}"
        facts = {name: limit for name, limit in facts.items() if name not in ("minimum", "maximum")}
    for name, words in _LIMITS.items():
        if name in facts:
            yield f"{words} {value(facts[name])}"


_LIMITS = {
    "minimum": "at least",
    "exclusiveMinimum": "more than",
    "maximum": "at most",
    "exclusiveMaximum": "less than",
}
