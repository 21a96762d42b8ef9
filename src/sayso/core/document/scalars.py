"""Plain scalars of YAML, read by the YAML 1.2 core schema.

PyYAML's own reading is of YAML 1.1, where ``yes`` is true, ``010`` is eight and ``2026-10-01`` is a date. Here they are
a text, ten and a text.
"""

import math
import re

from sayso.core.bounds import NUMBER_DIGITS

_WORDS: dict[str, bool | None] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_DECIMAL = re.compile(r"[-+]?[0-9]+")
_OCTAL = re.compile(r"0o([0-7]+)")
_HEXADECIMAL = re.compile(r"0x([0-9a-fA-F]+)")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_NOT_FINITE = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")

Scalar = str | int | float | bool | None


class NotAValue(ValueError):
    """A number that JSON cannot hold, or that nobody meant. Its words say which."""


def resolve(text: str) -> Scalar:
    """The value of a plain scalar. Raises NotAValue."""
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in "+-.0123456789":  # most texts, spared five patterns
        return text
    return _number(text)


def _number(text: str) -> str | int | float:
    if _NOT_FINITE.fullmatch(text):
        raise NotAValue("is not a finite number, which JSON cannot hold")
    for pattern, base in ((_OCTAL, 8), (_HEXADECIMAL, 16)):
        if digits := pattern.fullmatch(text):
            return int(_bounded(digits[1]), base)
    if _DECIMAL.fullmatch(text):
        return int(_bounded(text))
    if not _FLOAT.fullmatch(text):
        return text
    number = float(_bounded(text))
    if not math.isfinite(number):
        raise NotAValue("is a number past what JSON readers can hold")
    return number


def _bounded(digits: str) -> str:
    if len(digits) > NUMBER_DIGITS:
        raise NotAValue(f"is a number of more than {NUMBER_DIGITS:,} digits")
    return digits
