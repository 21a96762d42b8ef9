"""Instants: read exactly, with their offset, and written in UTC."""

import pytest

from sayso.core.instants import LAST, NotAnInstant, iso, microseconds


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("1970-01-01T00:00:00Z", 0),
        ("1970-01-01T01:00+01:00", 0),
        ("1969-12-31T19:30:00.000001-04:30", 1),
        ("1970-01-01T00:00:00.25Z", 250_000),
        ("2024-02-29T23:59:59.999999Z", 1_709_251_199_999_999),
        ("9999-12-31T23:59:59.999999Z", LAST),
    ],
)
def test_an_instant_is_read_to_the_microsecond(text: str, at: int) -> None:
    assert microseconds(text) == at


@pytest.mark.parametrize(
    "text",
    [
        "",
        "now",
        "2030-01-01",
        "2030-01-01T00:00:00",
        "2030-01-01 00:00:00Z",
        "2030-02-30T00:00:00Z",
        "2030-01-01T24:00:00Z",
        "2030-01-01T00:60:00Z",
        "2030-01-01T00:00:00.1234567Z",
        "2030-01-01T00:00:00+99:00",
        "2030-01-01T00:00:00Z\n",
        "203\uff10-01-01T00:00:00Z",
        "0000-01-01T00:00:00Z",
    ],
)
def test_what_is_no_instant_is_refused(text: str) -> None:
    with pytest.raises(NotAnInstant):
        microseconds(text)


def test_what_was_written_is_read_again() -> None:
    for at in (0, 1_800_000_000_123_000, LAST - 999):
        assert microseconds(iso(at)) == at
