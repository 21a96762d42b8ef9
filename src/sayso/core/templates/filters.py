"""The filters that templates may use: plain work on texts, numbers and lists, paid for and held to JSON values.

Most are the engine's. What it would do with values as Python sees them (``True``, ``None``, an object's ``repr``) is
kept from them here, and so is what grows without a bound. Left out are those that read a clock, a zone or chance, and
those that run a text as code.
"""

import re
import unicodedata
from collections.abc import Callable, Sequence
from decimal import ROUND_HALF_UP, Decimal
from functools import partial
from typing import Any

from liquid import Environment
from liquid.exceptions import LiquidError
from liquid.filter import num_arg

from sayso.core.bounds import NUMBER_BITS, STEP_CHARGES
from sayso.core.templates.rendering import MISSING, Meter, RenderRefused, written
from sayso.core.values import canonical, compact

Filter = Callable[..., object]

# The engine's own, by what they are about. A text filter is given texts only, whatever it is applied to.
_TEXT = (
    *("append", "base64_decode", "base64_encode", "capitalize", "downcase", "escape", "escape_once", "lstrip"),
    *("newline_to_br", "prepend", "rstrip", "squish", "strip", "strip_newlines", "truncate", "truncatewords", "upcase"),
)
_SEARCHING = ("remove", "remove_first", "replace_first", "split")
_LIST = (
    *("compact", "concat", "find", "find_index", "first", "has", "last"),
    *("map", "reject", "reverse", "sum", "where"),
)
_ANY = (
    *("abs", "at_least", "at_most", "ceil", "default", "divided_by", "floor"),
    *("minus", "modulo", "plus", "size", "times"),
)

# What a filter costs for each character or item that it is given, where that is more than one.
_WEIGHTS = {
    **dict.fromkeys(_LIST, 4),
    **dict.fromkeys(("compact", "find", "find_index", "has", "map", "reject", "sort", "sort_natural", "where"), 16),
    **dict.fromkeys(("array_to_sentence_string", "join"), 8),
    "escape_once": 4,
    "slugify": 4,
    "split": 8,
    "sum": 16,
}
# What the key of an item costs, by which equal items are found: itself, and each of its characters.
_KEY_CHARGES = 2 * STEP_CHARGES
_KEY_CHARACTER_CHARGES = 6

_ENGINE = Environment()
_KINDS = frozenset({str, int, float, bool, type(None), dict, list})
# From here on every double is whole; and the most digits behind the point that one can tell apart.
_WHOLE = 2.0**53
_DIGITS = 16
_BLANKS = re.compile(r"\s+")
# Shorter texts are searched in the plain way; and so are those of 30,000 characters for less than 100 of them.
_SEARCHED_IN_LINE = 2_500
_XML = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;"})
_SLUGS = {
    "raw": re.compile(r"\s+"),
    "default": re.compile(r"[\W_]+"),
    "latin": re.compile(r"[\W_]+"),
    "pretty": re.compile(r"[^\w.~!$&'()+,;=@]+|(?<![\w])_+"),
    "ascii": re.compile(r"[^A-Za-z0-9]+"),
}


def apply(name: str, meter: Meter, value: object, arguments: Sequence[object], named: dict[str, object]) -> object:
    """A filter's result over JSON values. Raises RenderRefused where it does not take them, or costs too much."""
    meter.charge(STEP_CHARGES + _WEIGHTS.get(name, 1) * (_length(value) + sum(map(_length, arguments))))
    try:
        given = [plain(argument) for argument in arguments]
        function = partial(_PAID[name], meter) if name in _PAID else FILTERS[name]
        result = plain(function(plain(value), *given, **{key: plain(one) for key, one in named.items()}))
    except (LiquidError, ValueError, ArithmeticError, TypeError, LookupError, RecursionError):
        raise RenderRefused("invalid_input", f"The filter {name} cannot be applied to this value.", "/input") from None
    if isinstance(result, int) and result.bit_length() > NUMBER_BITS:
        raise RenderRefused("invalid_input", f"The filter {name} makes a number that is too large.", "/input")
    meter.weigh(result)
    return result


def _length(value: object) -> int:
    return len(value) if isinstance(value, str | list | dict | tuple | range) else 0


def plain(value: object) -> object:
    """The value as JSON has it: pairs and ranges are lists. What is of the engine alone is refused.

    Only the first level is looked at, which is where the engine's own kinds of value can be.
    """
    if isinstance(value, list | tuple | range):
        return [one if type(one) in _KINDS else _item(one) for one in value]
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
    meter.charge(search_charges(text, before))
    meter.charge(text.count(before) * len(after))  # a text of one letter could make megabytes of it
    return text.replace(before, after)


def _replace_last(meter: Meter, value: object, old: object, new: object) -> str:
    text, before, after = written(value), written(old), written(new)
    meter.charge(search_charges(text, before))
    # Found from the end of both, turned round: Python's own search from the right takes the product of their lengths.
    from_end = text[::-1].find(before[::-1])
    if from_end < 0:
        return text
    at = len(text) - from_end
    return text[: at - len(before)] + after + text[at:]


def search_charges(text: str, part: str) -> int:
    """What finding a part in a text costs. Python's search takes the product of their lengths while the text is short,
    and their sum from there on."""
    return len(text) * len(part) // STEP_CHARGES if len(text) < _SEARCHED_IN_LINE else 3 * len(text)


def _searching(name: str) -> Filter:
    function = _of_texts(name)

    def search(meter: Meter, value: object, part: object, *given: object) -> object:
        meter.charge(search_charges(written(value), written(part)))
        return function(value, part, *given)

    return search


def _sorting(name: str) -> Filter:
    function = _of_lists(name)

    def sort(meter: Meter, value: object, *given: object) -> object:
        count = _length(value)
        meter.charge(count * count.bit_length())
        return function(value, *given)

    return sort


def _uniq(meter: Meter, value: object, key: object = None) -> list[Any]:
    first: dict[str, Any] = {}
    for item in _items(value):
        first.setdefault(_key(meter, item if key is None else _member(item, key)), item)
    return list(first.values())


def _group_by(meter: Meter, value: object, key: object) -> list[dict[str, object]]:
    groups: dict[str, dict[str, Any]] = {}
    for item in _items(value):
        name = _member(item, key)
        groups.setdefault(_key(meter, name), {"name": name, "items": []})["items"].append(item)
    return list(groups.values())


def _key(meter: Meter, value: object) -> str:
    key = canonical(value)
    meter.charge(_KEY_CHARGES + _KEY_CHARACTER_CHARGES * len(key))
    return key


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


def _round(value: object, digits: object = 0) -> float:
    """Half of the last place goes up, by the digits that are written: Python's own takes 2.5 for 2."""
    number, places = num_arg(value, 0), int(num_arg(digits, 0))
    if places < 0:
        return 0
    if isinstance(number, int) or abs(number) >= _WHOLE or places > _DIGITS:
        return number if places else round(number)
    rounded = Decimal(repr(number)).quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
    return float(rounded) if places else int(rounded)


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
    "round": _round,
    "shift": lambda value: _items(value)[1:],
    "slice": _slice,
    "slugify": _slugify,
    "to_integer": _to_integer,
    "unshift": lambda value, item: [item, *_items(value)],
    "xml_escape": lambda value: written(value).translate(_XML),
}

# Those that make far more of little, or do much for each item or character, and so pay before they do.
_PAID: dict[str, Filter] = {
    **{name: _searching(name) for name in _SEARCHING},
    **{name: _sorting(name) for name in ("sort", "sort_natural")},
    "group_by": _group_by,
    "join": _join,
    "remove_last": lambda meter, value, old: _replace_last(meter, value, old, ""),
    "replace": _replace,
    "replace_last": _replace_last,
    "uniq": _uniq,
}

FILTERS: dict[str, Filter] = {
    **{name: _of_texts(name) for name in _TEXT},
    **{name: _of_lists(name) for name in _LIST},
    **{name: _engine(name) for name in _ANY},
    **_OWN,
    **_PAID,
}
