"""Durations: exact lengths, and nothing whose length would depend on a calendar."""

import pytest

from sayso.core.durations import NotADuration, expires_ms, in_words, milliseconds, wait_ms


@pytest.mark.parametrize(
    ("text", "length_ms"),
    [
        ("PT1M", 60_000),
        ("PT0S", 0),
        ("P3W", 3 * 7 * 86_400_000),
        ("P2DT3H4M5S", 2 * 86_400_000 + 3 * 3_600_000 + 4 * 60_000 + 5_000),
        ("PT100H", 360_000_000),
        ("P0DT1M", 60_000),
        ("PT2.5S", 2_500),
        ("PT0.007S", 7),
        ("PT1H0.25S", 3_600_250),
    ],
)
def test_a_duration_is_so_many_milliseconds(text: str, length_ms: int) -> None:
    assert milliseconds(text) == length_ms


@pytest.mark.parametrize(
    "text",
    [
        *("", "P", "PT", "P1DT", "T5M", "5M", "PT5", "P1D2H", "PT5M2H", "P1W2D", "PT1W"),
        *("-P1D", "+P1D", "P-1D", "pt5m", "PT5m", " PT5M", "PT5M\n", "PT 5M", "PT1.5H", "PT1.S", "PT1.2345S", "PT1,5S"),
        *("P\uff11D", "P9999999999D", "PT" + "9" * 5_000 + "S"),
    ],
)
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(NotADuration, match="is not a duration"):
        milliseconds(text)


@pytest.mark.parametrize("text", ["P1Y", "P1M", "P2Y6M", "P1M2D"])
def test_a_month_is_refused_in_words_that_name_the_minute(text: str) -> None:
    with pytest.raises(NotADuration, match=r"whose length varies.*PT5M"):
        milliseconds(text)


@pytest.mark.parametrize(
    ("length_ms", "words"),
    [
        (2 * 86_400_000, "2 days"),
        (86_400_000, "1 day"),
        (5_400_000, "1 hour and 30 minutes"),
        (90_061_000, "1 day, 1 hour, 1 minute and 1 second"),
        (1_500, "1.5 seconds"),
        (0, "0 seconds"),
    ],
)
def test_a_length_is_told_in_words(length_ms: int, words: str) -> None:
    assert in_words(length_ms) == words


@pytest.mark.parametrize(
    ("written", "length_ms"), [("PT5S", 5_000), ("PT1H", 3_600_000), ("PT0.5M", None), ("PT4.999S", None)]
)
def test_the_wait_between_readings_lies_between_five_seconds_and_an_hour(written: str, length_ms: int | None) -> None:
    if length_ms is None:
        with pytest.raises(NotADuration):
            wait_ms(written)
    else:
        assert wait_ms(written) == length_ms


def test_a_wait_that_is_left_out_is_the_shortest() -> None:
    assert wait_ms() == 5_000


def test_a_wait_is_a_text() -> None:
    with pytest.raises(NotADuration, match="is a text"):
        wait_ms(5)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        *(("2d", "P2D"), ("2 days", "P2D"), ("p2d", "P2D"), ("PT2D", "P2D"), ("1w", "P7D"), ("P4H", "PT4H")),
        *(
            ("4 hrs", "PT4H"),
            ("90 minutes", "PT1H30M"),
            ("1 day, 2 hours", "P1DT2H"),
            ("30s", "PT30S"),
            ("T5M", "PT5M"),
        ),
    ],
)
def test_what_people_write_is_told_as_a_duration(written: str, meant: str) -> None:
    with pytest.raises(NotADuration, match=f": write {meant}$"):
        milliseconds(written)


@pytest.mark.parametrize("written", ["soon", "two days", "2 months", "0d", "5\u017f", "1d" * 30, "1.5h", "-2d"])
def test_what_could_mean_anything_is_not_guessed(written: str) -> None:
    with pytest.raises(NotADuration, match="such as PT30M"):
        milliseconds(written)


def test_an_expiry_lies_between_its_bounds() -> None:
    assert [expires_ms("PT1M"), expires_ms("P30D")] == [60_000, 2_592_000_000]
    for written in ("PT59.999S", "P30DT0.001S"):
        with pytest.raises(NotADuration, match="lies between"):
            expires_ms(written)


@pytest.mark.parametrize(
    ("written", "said"), [(3600, "write PT1H for"), (5, "such as"), (True, "such as"), (None, "empty")]
)
def test_an_expiry_is_a_text(written: object, said: str) -> None:
    with pytest.raises(NotADuration, match=said):
        expires_ms(written)
