"""Instants: whole microseconds since 1970 inside, ISO 8601 in UTC outside."""

from datetime import UTC, datetime, timedelta

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def iso(at: int) -> str:
    """The instant as v1 writes it, in milliseconds: ``2026-10-01T09:00:00.000Z``."""
    return (_EPOCH + timedelta(microseconds=at)).isoformat(timespec="milliseconds")[:-6] + "Z"
