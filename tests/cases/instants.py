"""Instants as cases write them."""

from datetime import UTC, datetime, timedelta

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def micros(text: str) -> int:
    """The microseconds since 1970 of ISO 8601 text with a zone; ValueError for any other text."""
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise ValueError("an instant needs its zone")
    return (moment - _EPOCH) // timedelta(microseconds=1)
