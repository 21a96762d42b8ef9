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

# What people write instead, in short texts.
_LOOSE_CHARACTERS = 40
_UNIT = r"(?:w(?:eeks?)?|d(?:ays?)?|h(?:rs?|ours?)?|m(?:ins?|inutes?)?|s(?:ecs?|econds?)?)"
_LOOSE = re.compile(rf"(?:P?T?)(?: ?,? ?[0-9]{{1,9}} ?{_UNIT})+", re.IGNORECASE | re.ASCII)
_LOOSE_PART = re.compile(r"([0-9]+) ?([wdhms])", re.IGNORECASE | re.ASCII)

_DATE = re.compile(r"[0-9]{4}-[0-9]{2}|[0-9]{1,2}\.[0-9]{1,2}\.|[0-9]{1,2}/[0-9]{1,2}", re.ASCII)
_VARYING = re.compile(r"P[0-9]{1,9}[YM]")

_WORDS = ((_DAY, "day"), (_HOUR, "hour"), (_MINUTE, "minute"))


class NotADuration(ValueError):
    """The text is no duration of a fixed length. Its words say what one looks like."""


def milliseconds(text: str) -> int:
    """The length of an ISO 8601 duration such as ``PT4H``, exactly. Raises NotADuration."""
    if weeks := _WEEKS.fullmatch(text):
        return int(weeks[1]) * _WEEK
    if "{" in text:
        raise NotADuration("takes no template: each run of a function waits as long, such as P2D")
    if _DATE.match(text):
        raise NotADuration("is how long to wait, and not until when: write P2D for two days")
    if _VARYING.match(text):
        raise NotADuration("has years or months, whose length varies: write days, or PT before minutes, as in PT5M")
    written = _DAYS_AND_TIME.fullmatch(text)
    if written is None or text == "P":
        meant = f": write {as_text}" if (as_text := _meant(text)) else ", such as PT30M, PT4H, P2D or P1W"
        raise NotADuration(f"is not a duration of a fixed length{meant}")
    whole = (int(written[name] or 0) for name in ("days", "hours", "minutes", "seconds"))
    total = sum(number * unit for number, unit in zip(whole, (_DAY, _HOUR, _MINUTE, _SECOND), strict=True))
    return total + int((written["fraction"] or "0").ljust(3, "0"))


def expires_ms(written: Json) -> int:
    """How long a request waits, as a document writes it (AUTO: ``expires``). Raises NotADuration."""
    between = "PT1M (one minute) and P30D (thirty days)"
    return _within(written, bounds.EXPIRES_MIN_MS, bounds.EXPIRES_MAX_MS, between)


def wait_ms(written: Json = "PT5S") -> int:
    """The shortest time between two readings, as a document writes it (AUTO: ``replies``). Raises NotADuration."""
    between = "PT5S (five seconds) and PT1H (one hour)"
    return _within(written, bounds.WAIT_MIN_MS, bounds.WAIT_MAX_MS, between)


def _within(written: Json, least_ms: int, most_ms: int, between: str) -> int:
    if written is None:
        raise NotADuration("is empty: write a duration such as PT10M")
    if not isinstance(written, str):
        is_seconds = type(written) is int and least_ms <= written * _SECOND <= most_ms
        as_text = f": write {_text(written * _SECOND)} for so many seconds" if is_seconds else " such as PT10M"
        raise NotADuration(f"is a text{as_text}")
    length_ms = milliseconds(written)
    if not least_ms <= length_ms <= most_ms:
        raise NotADuration(f"lies between {between}")
    return length_ms


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


def _meant(text: str) -> str | None:
    """The duration that a person meant by "2d", "90 minutes" or "P4H"; None for what cannot be guessed."""
    if len(text) > _LOOSE_CHARACTERS or not _LOOSE.fullmatch(text):
        return None
    units = {"w": _WEEK, "d": _DAY, "h": _HOUR, "m": _MINUTE, "s": _SECOND}
    length_ms = sum(int(number) * units[unit.lower()] for number, unit in _LOOSE_PART.findall(text))
    return _text(length_ms) if length_ms else None


def _text(length_ms: int) -> str:
    """Whole seconds as a document writes them."""
    days, rest = divmod(length_ms, _DAY)
    time = ""
    for unit, letter in ((_HOUR, "H"), (_MINUTE, "M"), (_SECOND, "S")):
        number, rest = divmod(rest, unit)
        time += f"{number}{letter}" if number else ""
    return "P" + (f"{days}D" if days else "") + (f"T{time}" if time else "")


def _counted(number: str, name: str) -> str:
    return f"{number} {name}" if number == "1" else f"{number} {name}s"
