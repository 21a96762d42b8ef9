"""Formats: each that is known is checked and takes its example, and of any other its author hears."""

import pytest

from sayso.core.schemas.formats import EXAMPLES, doubt
from sayso.core.schemas.schema import Schema, compile_schema


@pytest.mark.parametrize("name", EXAMPLES)
def test_each_takes_its_example_and_not_any_text(name: str) -> None:
    schema = compile_schema({"format": name})
    assert isinstance(schema, Schema)
    assert schema.issues(EXAMPLES[name], "/answer") == ()
    (issue,) = schema.issues("\0 {{ [( ::", "/answer")
    assert issue.detail == f"This is not of the format {name}, such as {EXAMPLES[name]}."
    assert doubt(name) is None


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("datetime", "date-time"),
        ("date_time", "date-time"),
        ("Date", "date"),
        ("URL", "uri"),
        ("e-mail", "email"),
        ("guid", "uuid"),
        ("uri-refrence", "uri-reference"),
    ],
)
def test_what_was_meant_is_guessed(written: str, meant: str) -> None:
    assert str(doubt(written)).endswith(f"Write {meant}.")


@pytest.mark.parametrize("written", ["money", "textarea", "password", "", "date" * 20])
def test_what_none_is_near_may_be_limited_otherwise(written: str) -> None:
    assert str(doubt(written)).endswith("limit it by a pattern.")
