"""Durations: ISO 8601 texts of a fixed length, as milliseconds.

Weeks stand alone; days, hours, minutes and seconds go together, large to small. Months and years have no fixed length
and a sign has no meaning here, so neither is taken. ``P1D`` is 24 hours.
"""

import re

from sayso.core import bounds
from sayso.core.values import Json

_SECOND = 1_000
_MINUTE = 60 * _SECOND
_HOUR = 60 * _MINUTE
_DAY = 24 * _HOUR
_WEEK = 7 * _DAY

# Nine digits are 30 years even of seconds; more could only be a mistake or an attack.
_WEEKS = re.compile(r"P([0-9]{1,9})W")
_DAYS_AND_TIME = re.compile(
    r"P(?:(?P<days>[0-9]{1,9})D)?"
    r"(?:T(?=[0-9])(?:(?P<hours>[0-9]{1,9})H)?(?:(?P<minutes>[0-9]{1,9})M)?"
    r"(?:(?P<seconds>[0-9]{1,9})(?:\.(?P<fraction>[0-9]{1,3}))?S)?)?"
)

_VARYING = re.compile(r"P[0-9]{1,9}[YM]")

_WORDS = ((_DAY, "day"), (_HOUR, "hour"), (_MINUTE, "minute"))


class NotADuration(ValueError):
    """The text is no duration of a fixed length. Its words say what one looks like."""


def milliseconds(text: str) -> int:
    """The length of an ISO 8601 duration such as ``PT4H``, exactly. Raises NotADuration."""
    if weeks := _WEEKS.fullmatch(text):
        return int(weeks[1]) * _WEEK
    if _VARYING.match(text):
        raise NotADuration("has years or months, whose length varies: write days, or PT before minutes, as in PT5M")
    written = _DAYS_AND_TIME.fullmatch(text)
    if written is None or text == "P":
        raise NotADuration("is not a duration of a fixed length, such as PT30M, PT4H, P2D or P1W")
    whole = (int(written[name] or 0) for name in ("days", "hours", "minutes", "seconds"))
    total = sum(number * unit for number, unit in zip(whole, (_DAY, _HOUR, _MINUTE, _SECOND), strict=True))
    return total + int((written["fraction"] or "0").ljust(3, "0"))


def wait_ms(written: Json = "PT5S") -> int:
    """The shortest time between two readings, as a document writes it (AUTO: ``replies``). Raises NotADuration."""
    if not isinstance(written, str):
        raise NotADuration("is a text such as PT1M")
    length = milliseconds(written)
    if not bounds.WAIT_MIN_MS <= length <= bounds.WAIT_MAX_MS:
        raise NotADuration("lies between PT5S (five seconds) and PT1H (one hour)")
    return length


def in_words(length_ms: int) -> str:
    """The length as a person says it: "2 days", "1 hour and 30 minutes", "1.5 seconds"."""
    parts, rest = [], length_ms
    for unit, name in _WORDS:
        number, rest = divmod(rest, unit)
        if number:
            parts.append(_counted(str(number), name))
    if rest or not parts:
        parts.append(_counted(f"{rest / _SECOND:.3f}".rstrip("0").rstrip("."), "second"))
    return " and ".join(filter(None, (", ".join(parts[:-1]), parts[-1])))


def _counted(number: str, name: str) -> str:
    return f"{number} {name}" if number == "1" else f"{number} {name}s"
