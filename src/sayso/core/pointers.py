"""JSON Pointers (RFC 6901): their grammar as saving judges it, and what they find."""

import re
from collections.abc import Iterable
from enum import Enum

from sayso.core.values import Json

# Longer ones help nobody: their names are somebody's text.
SHOWN_CHARACTERS = 1_024

_GRAMMAR = re.compile(r"(?:/(?:[^/~]|~[01])*)+")
_INDEX = re.compile(r"0|[1-9][0-9]{0,8}")


class Nothing(Enum):
    """The answer of `find` where a document holds nothing. ``null`` is something, so None could not say it."""

    NOTHING = "nothing"


NOTHING = Nothing.NOTHING


def is_pointer(text: str) -> bool:
    """Whether a document may write this pointer. The empty one is refused at every place of the format."""
    return _GRAMMAR.fullmatch(text) is not None


def escape(name: str) -> str:
    """A member's name as a part of a pointer."""
    return name.replace("~", "~0").replace("/", "~1")


def join(parts: Iterable[str | int], *, base: str = "") -> str:
    """The pointer whose parts these names and indexes are, below ``base``."""
    return base + "".join(f"/{escape(str(part))}" for part in parts)


def split(pointer: str) -> list[str]:
    """The names in a pointer, unescaped: the reverse of `join`."""
    return [part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:]]


def shortened(pointer: str) -> str:
    """The pointer as a refusal shows it: where it is longer than anybody reads, that of the last holder that fits."""
    if len(pointer) <= SHOWN_CHARACTERS:
        return pointer
    return pointer[: SHOWN_CHARACTERS + 1].rpartition("/")[0]


def find(document: Json, pointer: str) -> Json | Nothing:
    """What is there: own members of objects, and items of lists by ``0`` or digits without a leading zero."""
    value = document
    for name in split(pointer):
        if isinstance(value, dict) and name in value:
            value = value[name]
        elif isinstance(value, list) and _INDEX.fullmatch(name) and int(name) < len(value):
            value = value[int(name)]
        else:
            return NOTHING
    return value


def text_of(value: Json | Nothing) -> str | None:
    """An id as text: a text as it is, a whole number as its digits, None for anything else.

    ``5.0`` is the whole number 5; ``true`` is no number, though Python thinks so.
    """
    if isinstance(value, str):
        return value
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return None
