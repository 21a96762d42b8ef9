"""What rendering a template is made of: its refusals, its bounds, and how a value is written as text."""

import math
from collections.abc import Iterable
from typing import Literal

from sayso.core.bounds import RENDER_CHARGES

# Below this a whole float is written as its digits; from here on as JSON does, with an exponent.
_PLAIN_WHOLE = 1e16

# What a list or an object costs beside its members, who cost two each.
_HOLDER_CHARGES = 20
# Who writes the digits of a whole number takes the square of how many they are.
_LONG = 1 << 64


class RenderRefused(Exception):
    """A template that does not render over what it was given. ``pointer`` says what of the input lacks or misfits."""

    def __init__(self, reason: Literal["invalid_input", "unworkable"], detail: str, pointer: str | None = None) -> None:
        super().__init__(detail)
        self.reason = reason
        self.detail = detail
        self.pointer = pointer


class Overflow(RenderRefused):
    """A rendering that is longer than it may be. It stops there, whatever else was to come."""

    def __init__(self, limit: int) -> None:
        super().__init__("unworkable", f"It renders more than {limit:,} bytes.")


class TooMuchWork(RenderRefused):
    """A rendering that costs more than it may. It stops there, and what it would have come to is not known."""

    def __init__(self) -> None:
        super().__init__("invalid_input", "The template takes too much work to render over this input.", "/input")


class Missing:
    """What a name reads that the input lacks, where that may be: in conditions and under ``default``.

    The engine asks ``__liquid__`` for the value, and so takes it for nil.
    """

    def __liquid__(self) -> None:
        return None


MISSING = Missing()


class Meter:
    """What a rendering may still cost. Charges are characters and items; the count is the same on every machine."""

    __slots__ = ("left",)

    def __init__(self, charges: int = RENDER_CHARGES) -> None:
        self.left = charges

    def charge(self, amount: int) -> None:
        """Pay for work before it is done. Raises TooMuchWork when there is no more to pay with."""
        self.left -= amount
        if self.left < 0:
            raise TooMuchWork

    def weigh(self, value: object) -> None:
        """Pay for a value by its characters, digits and items, all the way down."""
        if isinstance(value, str):
            self.charge(len(value))
            return
        waiting = [value] if isinstance(value, dict | list | tuple) else []
        if isinstance(value, int):
            self.charge(value.bit_length())
        while waiting:
            one = waiting.pop()
            members: Iterable[object] = one
            if isinstance(one, dict):
                members = one.values()
                self.charge(sum(map(len, one)))
            cost = _HOLDER_CHARGES
            for member in members:  # each costs the engine as little as this loop does, which runs most often of all
                if type(member) is str:
                    cost += len(member)
                elif type(member) is list or type(member) is dict:
                    waiting.append(member)
                elif type(member) is int and not -_LONG < member < _LONG:
                    cost += member.bit_length()
            self.charge(2 * len(one) + cost)


class Output:
    """Where a rendering writes to. It holds at most ``limit`` bytes of UTF-8."""

    __slots__ = ("_bytes", "_limit", "_meter", "_parts")

    def __init__(self, limit: int, meter: Meter) -> None:
        self._limit = limit
        self._meter = meter
        self._bytes = 0
        self._parts: list[str] = []

    def write(self, text: str) -> int:
        """Add text. Raises Overflow where it would be too much."""
        self._meter.charge(len(text))
        self._bytes += len(text.encode(errors="surrogatepass"))
        if self._bytes > self._limit:
            raise Overflow(self._limit)
        self._parts.append(text)
        return len(text)

    def text(self) -> str:
        """All that was written."""
        return "".join(self._parts)


def brief(text: str, characters: int = 64) -> str:
    """A name or words as a refusal shows them: on one line, and cut where nobody reads on."""
    shown = text if len(text) <= characters else f"{text[:characters]}…"
    return (
        shown
        if shown.isprintable()
        else "".join(one if one.isprintable() else "\N{REPLACEMENT CHARACTER}" for one in shown)
    )


def written(value: object) -> str:
    """A value among text: null is empty, numbers as JSON writes them. Raises RenderRefused for a list or an object."""
    if isinstance(value, str):
        return value
    if value is None or value is MISSING:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return _number(value)
    raise RenderRefused(
        "unworkable", "A list or an object stands among text. Write | json after it, or name a part of it."
    )


def _number(value: float) -> str:
    try:
        if isinstance(value, float):
            if not math.isfinite(value):
                raise ValueError(value)
            if value.is_integer() and abs(value) < _PLAIN_WHOLE:
                return str(int(value))
        return repr(value)  # of numbers, as JSON writes them
    except ValueError:
        raise RenderRefused("invalid_input", "A number is too large to be written.", "/input") from None
