"""The filters that templates may use: plain work on texts, numbers and lists, paid for and held to JSON values.

Most are the engine's. What it would do with values as Python sees them (``True``, ``None``, an object's ``repr``) is
kept from them here, and so is what grows without a bound. Left out are those that read a clock, a zone or chance, and
those that run a text as code.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from liquid import Environment
from liquid.exceptions import LiquidError

from sayso.core.bounds import NUMBER_BITS, STEP_CHARGES
from sayso.core.templates.rendering import MISSING, Meter, RenderRefused, written
from sayso.core.values import canonical, compact

Filter = Callable[..., object]

# The engine's own, by what they are about. A text filter is given texts only, whatever it is applied to.
_TEXT = (
    *("append", "base64_decode", "base64_encode", "capitalize", "downcase", "escape", "escape_once", "lstrip"),
    *("newline_to_br", "prepend", "remove", "remove_first", "remove_last", "replace_first", "replace_last", "rstrip"),
    *("split", "squish", "strip", "strip_newlines", "truncate", "truncatewords", "upcase"),
)
_LIST = (
    *("compact", "concat", "find", "find_index", "first", "has", "last"),
    *("map", "reject", "reverse", "sort", "sort_natural", "sum", "where"),
)
_ANY = (
    *("abs", "at_least", "at_most", "ceil", "default", "divided_by", "floor"),
    *("minus", "modulo", "plus", "round", "size", "times"),
)

# What the key of an item costs, by which equal items are found.
_KEY_CHARGES = 4 * STEP_CHARGES

_ENGINE = Environment()
_BLANKS = re.compile(r"\s+")
_XML = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;"})
_SLUGS = {
    "raw": re.compile(r"\s+"),
    "default": re.compile(r"[\W_]+"),
    "latin": re.compile(r"[\W_]+"),
    "pretty": re.compile(r"[^\w.~!$&'()+,;=@]+|(?<![\w])_+"),
    "ascii": re.compile(r"[^A-Za-z0-9]+"),
}


def apply(name: str, meter: Meter, value: object, arguments: Iterable[object], named: dict[str, object]) -> object:
    """A filter's result over JSON values. Raises RenderRefused where it does not take them, or costs too much."""
    meter.charge(STEP_CHARGES)
    try:
        given = [_plain(argument) for argument in arguments]
        function = partial(_PAID[name], meter) if name in _PAID else FILTERS[name]
        result = _plain(function(_plain(value), *given, **{key: _plain(one) for key, one in named.items()}))
    except (LiquidError, ValueError, ArithmeticError, TypeError, LookupError, RecursionError):
        raise RenderRefused("invalid_input", f"The filter {name} cannot be applied to this value.", "/input") from None
    if isinstance(result, int) and result.bit_length() > NUMBER_BITS:
        raise RenderRefused("invalid_input", f"The filter {name} makes a number that is too large.", "/input")
    meter.weigh(result)
    return result


def _plain(value: object) -> object:
    """The value as JSON has it: pairs and ranges are lists. What is of the engine alone is refused.

    Only the first level is looked at, which is where the engine's own kinds of value can be.
    """
    if isinstance(value, list | tuple | range):
        return [one if isinstance(one, str | int | dict | list) else _item(one) for one in value]
    return _item(value)


def _item(value: object) -> object:
    if value is None or isinstance(value, str | int | float | dict | list):
        return value
    if value is MISSING or type(value).__name__ == "_Null":  # the engine's for a member that map did not find
        return None
    raise TypeError("no value of JSON")


def _engine(name: str) -> Callable[..., object]:
    function: Callable[..., object] = _ENGINE.filters[name]
    if getattr(function, "with_environment", False):
        return lambda *given, **named: function(*given, environment=_ENGINE, **named)
    return function


def _of_texts(name: str) -> Filter:
    function = _engine(name)
    return lambda value, *given: function(written(value), *(written(argument) for argument in given))


def _of_lists(name: str) -> Filter:
    function = _engine(name)
    return lambda value, *given: function([] if value is None else value, *given)


def _items(value: object) -> list[Any]:
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


def _join(meter: Meter, value: object, separator: object = " ") -> str:
    texts, between = [written(item) for item in _items(value)], written(separator)
    meter.charge(len(between) * len(texts))
    return between.join(texts)


def _sentence(value: object, connector: object = "and") -> str:
    *most, last = [written(item) for item in _items(value)] or [""]
    if not most:
        return last
    comma = "," if len(most) > 1 else ""
    return f"{', '.join(most)}{comma} {written(connector)} {last}"


def _replace(meter: Meter, value: object, old: object, new: object = "") -> str:
    text, before, after = written(value), written(old), written(new)
    meter.charge(len(text) + text.count(before) * len(after))  # a text of one letter could make megabytes of it
    return text.replace(before, after)


def _uniq(meter: Meter, value: object, key: object = None) -> list[Any]:
    meter.charge(_KEY_CHARGES * len(_items(value)))
    first: dict[str, Any] = {}
    for item in _items(value):
        first.setdefault(canonical(item if key is None else _member(item, key)), item)
    return list(first.values())


def _group_by(meter: Meter, value: object, key: object) -> list[dict[str, object]]:
    meter.charge(_KEY_CHARGES * len(_items(value)))
    groups: dict[str, dict[str, Any]] = {}
    for item in _items(value):
        name = _member(item, key)
        groups.setdefault(canonical(name), {"name": name, "items": []})["items"].append(item)
    return list(groups.values())


def _member(item: object, key: object) -> object:
    return item.get(written(key)) if isinstance(item, dict) else None


def _slice(value: object, *given: object) -> object:
    return _engine("slice")(value if isinstance(value, list) else written(value), *given)


def _slugify(value: object, mode: object = "default", cased: object = False) -> str:
    text = written(value)
    if mode == "none":
        return text
    if mode == "latin":
        text = "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))
    slug = _SLUGS[written(mode)].sub("-", text).strip("-")
    return slug if cased is True else slug.lower()


def _to_integer(value: object) -> int:
    if isinstance(value, float):
        return int(value)
    if isinstance(value, int):
        return value
    return int(float(written(value))) if "." in written(value) else int(written(value))


_OWN: dict[str, Filter] = {
    "array_to_sentence_string": _sentence,
    "json": compact,
    "normalize_whitespace": lambda value: _BLANKS.sub(" ", written(value)),
    "number_of_words": lambda value: len(written(value).split()),
    "pop": lambda value: _items(value)[:-1],
    "push": lambda value, item: [*_items(value), item],
    "raw": lambda value: value,
    "shift": lambda value: _items(value)[1:],
    "slice": _slice,
    "slugify": _slugify,
    "to_integer": _to_integer,
    "unshift": lambda value, item: [item, *_items(value)],
    "xml_escape": lambda value: written(value).translate(_XML),
}

# Those that make far more of little, or do much for each item, and so pay before they do.
_PAID: dict[str, Filter] = {"group_by": _group_by, "join": _join, "replace": _replace, "uniq": _uniq}

FILTERS: dict[str, Filter] = {
    **{name: _of_texts(name) for name in _TEXT},
    **{name: _of_lists(name) for name in _LIST},
    **{name: _engine(name) for name in _ANY},
    **_OWN,
    **_PAID,
}
