"""JSON values: their text, size, depth, canonical form and digest.

Free JSON may nest 512 levels, so nothing here recurses in Python.
"""

import hashlib
import json
import re
from _json import encode_basestring, make_encoder  # of CPython, and what json.dumps makes anew at each call
from decimal import Decimal
from typing import Any

# A JSON value. `Any` stands for "checked against a schema that its author wrote", never for "not looked at".
Json = Any

# A number with a fraction or an exponent; a text may look like one, which only costs a second look.
_FRACTION = re.compile(r"[0-9][.eE]")


def _encoder(*, in_order: bool, allow_nan: bool) -> make_encoder:
    """Held ready, it writes most of our texts in less time than it takes to make it."""
    return make_encoder(None, json.JSONEncoder().default, encode_basestring, None, ":", ",", in_order, False, allow_nan)


_COMPACT = _encoder(in_order=False, allow_nan=False)
_SORTED = _encoder(in_order=True, allow_nan=True)


def compact(value: Json) -> str:
    """The value as JSON without blanks or ``\\u`` escapes: the form that sizes are taken of."""
    return "".join(_COMPACT(value, 0))


def size(value: Json) -> int:
    """The bytes of the value as compact JSON in UTF-8."""
    return len(compact(value).encode())


def stated(**members: Json) -> dict[str, Json]:
    """The members that say something: all but those that are None."""
    return {name: value for name, value in members.items() if value is not None}


def depth(value: Json) -> int:
    """How many lists and objects lie around the deepest leaf: 0 for a text, 1 for ``[]``."""
    deepest, level = 0, [value]
    while level := [x for x in level if isinstance(x, (dict, list))]:
        deepest += 1
        level = [child for parent in level for child in (parent.values() if isinstance(parent, dict) else parent)]
    return deepest


def canonical(value: Json) -> str:
    """One text for all spellings of one value: members in order, ``3.0`` as ``3``."""
    text = "".join(_SORTED(value, 0))
    if not _FRACTION.search(text):  # most values hold no such number, and then nothing has two spellings
        return text
    return "".join(_SORTED(json.loads(text, parse_float=_whole_if_whole), 0))


def digest(value: Json) -> str:
    """SHA-256, in hex, of the canonical form: equal exactly when two values are equal as JSON."""
    return hashlib.sha256(canonical(value).encode()).hexdigest()


def _whole_if_whole(text: str) -> float | int:
    # From the digits: the double nearest to 1e23 is another whole number than 1e23.
    number = Decimal(text)
    return int(number) if number == number.to_integral_value() else float(text)
