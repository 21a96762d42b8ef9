"""JSON as text, with what no JSON value can say: members twice, NaN, numbers past every double, open brackets."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Verbatim:
    """A part of a body that is written as it stands."""

    text: str


def written(value: Any, *, escaped: bool = False) -> bytes:
    """The text of a value that may hold Verbatim parts. Halves of surrogate pairs go out as the bytes of no UTF-8,
    unless everything past ASCII is ``escaped``."""
    parts: list[str] = []

    def mark(part: object) -> str:
        assert isinstance(part, Verbatim), f"{part!r} is no JSON"
        parts.append(part.text)
        return f"\x01{len(parts)}\x01"

    text = json.dumps(value, default=mark, ensure_ascii=escaped)
    for number, part in enumerate(parts, start=1):
        text = text.replace(f'"\\u0001{number}\\u0001"', part, 1)
    return text.encode(errors="surrogatepass")


def members(pairs: Sequence[tuple[str, Any]]) -> Verbatim:
    """An object with these members in this order, one name perhaps more than once."""
    inside = ", ".join(f"{json.dumps(name)}: {written(value, escaped=True).decode()}" for name, value in pairs)
    return Verbatim(f"{{{inside}}}")


def nested(levels: int, *, opening: str = "[", within: str = "", closed: bool = True) -> Verbatim:
    """So many lists, or with ``{"a":`` so many objects, around ``within``."""
    closing = {"[": "]", '{"a":': "}"}[opening]
    return Verbatim(opening * levels + within + (closing * levels if closed else ""))
