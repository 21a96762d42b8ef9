"""What is to be known of the engine that checks values."""

import pytest

from sayso.core.schemas.engine import native, told_at
from sayso.core.values import Json


@pytest.mark.parametrize(
    ("value", "path", "found"),
    [
        ({"a": [{"b": 1}]}, ["a", 0, "b"], ("a", "0", "b")),
        ({"": {"": {"a": 1}}}, ["a"], ("", "", "a")),
        ({"": {"a": {"b": 1}}, "a": 2}, ["a", "b"], ("", "a", "b")),
        ({"a": 1, "": {"a": 1}}, ["a"], ("a",)),
        (1, [], ()),
    ],
)
def test_a_path_gets_back_the_empty_names_that_the_engine_passes_over(
    value: Json, path: list[str | int], found: tuple[str, ...]
) -> None:
    assert told_at(value, path) == found


@pytest.mark.parametrize("reference", ["http://127.0.0.1:9/x", "file:///etc/passwd"])
def test_even_an_unchecked_reference_is_not_followed(reference: str) -> None:
    with pytest.raises(ValueError, match="schemas are never fetched"):
        native({"$ref": reference})


@pytest.mark.parametrize(
    ("text", "taken"), [("(?<a>x)", True), ("(", False), ("a" * 4_096, True), ("a" * 4_097, False), (7, True)]
)
def test_an_expression_in_a_value_has_a_bound_of_its_own(text: Json, taken: bool) -> None:
    assert native({"format": "regex"}).is_valid(text) is taken
