"""Plain scalars: the YAML 1.2 core schema, and numbers that JSON can hold."""

import pytest

from sayso.core.document.scalars import NotAValue, resolve


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *(("", None), ("~", None), ("null", None), ("NULL", None), ("true", True), ("False", False)),
        *(("0", 0), ("010", 10), ("-7", -7), ("+3", 3), ("0o17", 15), ("0x1F", 31)),
        *(("1.5", 1.5), (".5", 0.5), ("1.", 1.0), ("1e3", 1000.0), ("-1.5E-2", -0.015)),
    ],
)
def test_these_have_a_type(text: str, value: object) -> None:
    assert resolve(text) == value
    assert type(resolve(text)) is type(value)


@pytest.mark.parametrize(
    "text",
    [
        "yes",
        "no",
        "on",
        "Off",
        "nULL",
        "TrUe",
        "2026-10-01",
        "12:30:00",
        "1_000",
        "0b1",
        "0O7",
        "-0x1",
        "1.2.3",
        "-",
        ".",
        "+1x",
    ],
)
def test_all_else_is_text(text: str) -> None:
    assert resolve(text) == text


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (".inf", "finite"),
        ("-.INF", "finite"),
        (".nan", "finite"),
        ("1e999", "past"),
        ("9" * 1_001, "digits"),
        ("0x" + "f" * 60_000, "digits"),
        ("0." + "1" * 5_000, "digits"),
    ],
)
def test_numbers_that_json_cannot_hold_are_refused(text: str, words: str) -> None:
    with pytest.raises(NotAValue, match=words):
        resolve(text)


def test_a_long_number_keeps_its_digits() -> None:
    assert str(resolve("9" * 1_000)) == "9" * 1_000
