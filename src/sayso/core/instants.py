"""Instants: whole microseconds since 1970 inside, ISO 8601 outside, which we write in UTC."""

import re
from datetime import UTC, datetime, timedelta
from typing import Final

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_WRITTEN = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}T(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:\.[0-9]{1,6})?)?"
    r"(?:Z|[+-][0-9]{2}:[0-9]{2})"
)
# The last instant of the year 9999: no later one can be written.
LAST: Final = 253_402_300_799_999_999


class NotAnInstant(ValueError):
    """The text is no instant. Its words say what one looks like."""


def iso(at: int) -> str:
    """The instant as v1 writes it, in milliseconds: ``2026-10-01T09:00:00.000Z``."""
    return (_EPOCH + timedelta(microseconds=at)).isoformat(timespec="milliseconds")[:-6] + "Z"


def microseconds(text: str) -> int:
    """The instant that an ISO 8601 text with its offset from UTC names, exactly. Raises NotAnInstant."""
    form = "a date and time with its offset, such as 2026-10-01T09:00:00Z"
    if not _WRITTEN.fullmatch(text):
        raise NotAnInstant(f"is not {form}")
    try:
        return (datetime.fromisoformat(_padded(text)) - _EPOCH) // timedelta(microseconds=1)
    except (ValueError, OverflowError):
        raise NotAnInstant(f"is a date that no calendar has: write {form}") from None


def _padded(text: str) -> str:
    """The text with all digits of its fraction: not every Python reads two of them."""
    return re.sub(r"\.([0-9]{1,6})", lambda found: f".{found[1]:0<6}", text)
