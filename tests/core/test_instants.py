"""Instants: ISO 8601 with an offset in, milliseconds of UTC out."""

import pytest

from sayso.core.instants import NotAnInstant, iso, microseconds

AT = 1_790_845_200_123_456


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("1970-01-01T00:00:00Z", 0),
        ("2026-10-01T09:00:00.123456Z", AT),
        ("2026-10-01T11:00:00.123456+02:00", AT),
        ("2026-10-01T03:30:00.123456-05:30", AT),
        ("2026-10-01T09:00Z", AT - 123_456),
        ("0001-01-01T00:00:00+14:00", -62_135_647_200_000_000),
    ],
)
def test_what_spells_an_instant_is_read(text: str, at: int) -> None:
    assert microseconds(text) == at


@pytest.mark.parametrize(
    "text",
    [
        "2026-10-01T09:00:00",
        "2026-10-01",
        "2026-02-30T09:00:00Z",
        "2026-02-20T24:00:00Z",
        "2026-02-20T23:59:60Z",
        "2026-02-20T23:60:00Z",
        "2026-02-20 23:00:00Z",
        "2026-02-20T23:00:00+24:00",
        "2026-02-20T23:00:00.1234567Z",
        "٢026-02-20T23:00:00Z",
        "",
    ],
)
def test_what_spells_none_is_refused(text: str) -> None:
    with pytest.raises(NotAnInstant):
        microseconds(text)


def test_what_is_written_is_read_back() -> None:
    assert microseconds(iso(AT)) == AT - 456
