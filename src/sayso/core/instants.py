"""Instants: whole microseconds since 1970 inside, ISO 8601 outside, which we write in UTC."""

import re
from datetime import UTC, datetime, timedelta

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
# A date, a time of its day, and how far that is from UTC.
_WITH_OFFSET = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}T(?:[01][0-9]|2[0-3]):[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,6})?)?"
    r"(?:Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])"
)


def iso(at: int) -> str:
    """The instant as v1 writes it, in milliseconds: ``2026-10-01T09:00:00.000Z``."""
    return (_EPOCH + timedelta(microseconds=at)).isoformat(timespec="milliseconds")[:-6] + "Z"


def parse_iso(text: str) -> int | None:
    """The instant that ISO 8601 with an offset spells; None where it spells none, as a 30th of February or 24:00."""
    if not _WITH_OFFSET.fullmatch(text):
        return None
    try:
        return (datetime.fromisoformat(text) - _EPOCH) // _MICROSECOND
    except ValueError:
        return None
