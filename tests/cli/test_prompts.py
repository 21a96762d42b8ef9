"""Questions made of a schema, and what typed words become."""

from collections.abc import Iterator
from typing import Any

import pytest

from sayso.cli import prompts
from sayso.cli.prompts import Field


def field(schema: dict[str, Any], *, required: bool = True) -> Field:
    return Field(name="size", schema=schema, required=required)


def typed(schema: dict[str, Any], *lines: str, required: bool = True) -> tuple[dict[str | None, Any], list[str]]:
    """The values that come of these lines, and what was said between them."""
    said: list[str] = []
    given: Iterator[str] = iter(lines)
    return prompts.asked([field(schema, required=required)], lambda _: next(given), said.append), said


def test_each_property_is_asked_for_in_the_order_of_the_schema() -> None:
    schema = {"type": "object", "required": ["b"], "properties": {"b": {"type": "string"}, "a": {"type": "boolean"}}}
    assert [(one.name, one.required, one.kind) for one in prompts.fields(schema)] == [
        ("b", True, "string"),
        ("a", False, "boolean"),
    ]


@pytest.mark.parametrize("schema", [True, {}, {"type": "string"}, {"type": "object"}, {"type": ["object", "null"]}])
def test_an_answer_that_is_no_object_of_named_fields_is_asked_for_whole(schema: Any) -> None:
    assert [one.name for one in prompts.fields(schema)] == [None]


def test_a_field_is_asked_for_as_its_reference_says() -> None:
    schema = {"properties": {"size": {"$ref": "#/$defs/a~1b"}}, "$defs": {"a/b": {"enum": ["small", "large"]}}}
    assert list(prompts.fields(schema)[0].choices) == ["small", "large"]


@pytest.mark.parametrize("reference", ["#", "#/$defs/missing", "#/properties/size", "https://elsewhere.example/x"])
def test_a_reference_that_leads_nowhere_or_round_is_asked_for_as_json(reference: str) -> None:
    schema = {"properties": {"size": {"$ref": reference}}}
    assert prompts.fields(schema)[0].kind == "json"


@pytest.mark.parametrize("line", ["large", "2"])
def test_a_choice_is_named_or_numbered(line: str) -> None:
    assert typed({"enum": ["small", "large"]}, line)[0] == {"size": "large"}


def test_titled_choices_show_their_titles_and_take_their_values() -> None:
    schema = {"oneOf": [{"const": "stg", "title": "Staging"}, {"const": "prd", "title": "Production"}]}
    values, said = typed(schema, "Production", "prd")
    assert values == {"size": "prd"}
    assert "  2) prd (Production)" in said


def test_forms_that_are_more_than_values_are_asked_for_as_json() -> None:
    assert field({"anyOf": [{"const": 1}, {"type": "string"}]}).kind == "json"


def test_what_is_no_choice_is_asked_again() -> None:
    values, said = typed({"enum": ["small", "large"]}, "3", "larg", "Large", "large")
    assert values == {"size": "large"}
    assert sum("Choose" in line for line in said) == 3


def test_a_number_among_the_choices_is_the_value_and_never_the_place() -> None:
    assert typed({"enum": [2, 1]}, "1")[0] == {"size": 1}


def test_choices_that_read_alike_are_told_apart_by_their_json() -> None:
    assert typed({"enum": ["true", True]}, '"true"')[0] == {"size": "true"}
    assert typed({"enum": ["true", True]}, "true")[0] == {"size": True}


@pytest.mark.parametrize(("line", "value"), [("y", True), ("YES", True), ("n", False), ("false", False)])
def test_a_boolean_is_yes_or_no(line: str, value: bool) -> None:
    assert typed({"type": "boolean"}, line)[0] == {"size": value}


def test_a_boolean_has_no_default() -> None:
    values, said = typed({"type": "boolean"}, "", "maybe", "n")
    assert values == {"size": False}
    assert said[-2:] == ["  A value is needed here.", "  Say yes or no."]


def test_an_integer_keeps_every_digit() -> None:
    assert typed({"type": "integer"}, "123456789012345678901234567890")[0] == {"size": 123456789012345678901234567890}


@pytest.mark.parametrize("line", ["1.0", "1_000", "0x10", "١٢", "+1", "007", "1e3", "NaN"])
def test_what_is_no_whole_number_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match="whole number"):
        prompts.value_of(field({"type": "integer"}), line)


@pytest.mark.parametrize(("line", "value"), [("0.1", 0.1), ("-2", -2), ("1e3", 1000.0), ("12.50", 12.5)])
def test_a_number_is_read_exactly(line: str, value: float) -> None:
    assert prompts.value_of(field({"type": "number"}), line) == value


@pytest.mark.parametrize("line", ["0.10000000000000000001", "1e999", "9007199254740993.5", "1,5", "Infinity"])
def test_a_number_that_would_change_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match=r"digits|number is needed"):
        prompts.value_of(field({"type": "number"}), line)


def test_an_empty_line_skips_an_optional_field_and_no_other() -> None:
    assert typed({"type": "string"}, "", required=False)[0] == {}
    assert typed({"type": "string"}, "", "words")[0] == {"size": "words"}


def test_text_is_taken_as_it_is_typed() -> None:
    assert typed({"type": ["string", "null"]}, ' "true" ')[0] == {"size": ' "true" '}


def test_what_a_schema_says_is_said_and_cannot_steer_the_terminal() -> None:
    schema = {"type": "string", "maxLength": 9, "description": "the \x1b[31msize\u202e"}
    assert typed(schema, "x", required=False)[1] == [
        "size: the ␛[31msize\\u202e; at most 9 characters; optional: Enter skips it"
    ]


def test_an_authors_words_end_before_the_edge_of_a_terminal() -> None:
    hostile = "x " * 38 + "answered by local: yes"
    _, said = typed({"type": "string", "description": hostile, "enum": [hostile, "no"]}, "2")
    assert max(len(line) for line in said) <= 79
    assert not any(line.startswith("answered") for line in said)
