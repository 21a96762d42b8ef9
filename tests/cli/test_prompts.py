"""Questions made of a schema, and what typed words become."""

from collections.abc import Iterator
from typing import Any

import pytest

from sayso.cli import prompts
from tests.cli.test_fields import field


def typed(schema: dict[str, Any], *lines: str, required: bool = True) -> tuple[dict[str | None, Any], list[str]]:
    """The values that come of these lines, and what was said between them."""
    said: list[str] = []
    given: Iterator[str] = iter(lines)
    return prompts.asked([field(schema, required=required)], lambda _: next(given), said.append), said


@pytest.mark.parametrize("line", ["large", "2"])
def test_a_choice_is_named_or_numbered(line: str) -> None:
    assert typed({"enum": ["small", "large"]}, line)[0] == {"size": "large"}


def test_titled_choices_show_their_titles_and_take_their_values() -> None:
    schema = {"oneOf": [{"const": "stg", "title": "Staging"}, {"const": "prd", "title": "Production"}]}
    values, said = typed(schema, "Production", "prd")
    assert values == {"size": "prd"}
    assert "  2) prd (Production)" in said


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


LISTED = {"type": "array", "items": {"oneOf": [{"const": "br", "title": "Bread"}, {"const": "on"}, {"const": "ch"}]}}


@pytest.mark.parametrize(
    ("line", "value"), [("br, ch", ["br", "ch"]), ("3,1", ["ch", "br"]), ("on", ["on"]), ('["on"]', ["on"]), ("[]", [])]
)
def test_a_list_of_choices_is_named_or_numbered_between_commas(line: str, value: list[str]) -> None:
    values, said = typed(LISTED, line)
    assert values == {"size": value}
    assert said == ["size", "  1) br (Bread)", "  2) on", "  3) ch"]


@pytest.mark.parametrize("line", ["br, Bread", "br;on", "br,", "4", "0", "[br]", "", " , "])
def test_what_names_no_choice_of_a_list_is_asked_again(line: str) -> None:
    values, said = typed(LISTED, line, "on")
    assert values == {"size": ["on"]}
    assert len(said) == 5


def test_numbers_within_json_are_values_and_never_places() -> None:
    assert typed({"enum": [[1, 2, 1], "b"]}, "[1,2,1]", "[1, 2, 1]")[0] == {"size": [1, 2, 1]}
    assert typed({"type": "array", "items": {"enum": [2, 1]}}, "1, 2")[0] == {"size": [1, 2]}
    assert typed(LISTED, '["br", 2, "ch"]')[0] == {"size": ["br", 2, "ch"]}


def test_an_optional_list_is_skipped_by_an_empty_line() -> None:
    assert typed(LISTED, "", required=False)[0] == {}


def test_a_title_is_said_where_it_is_more_than_the_name() -> None:
    assert typed({"type": "string", "title": "How large"}, "x")[1] == ["size: How large"]
    assert typed({"type": "string", "title": "Size"}, "x")[1] == ["size"]


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        ({"type": "integer", "default": 3}, "proposed: 3"),
        ({"type": "string", "default": "soon"}, "proposed: soon"),
        ({"type": "boolean", "default": True}, "proposed: yes"),
        ({"type": "string", "default": 3}, "proposed: 3"),
        ({"type": "string", "default": "a\x1b\n" + "b" * 99}, "proposed: a␛ " + "b" * 60 + "…"),
    ],
)
def test_a_default_is_proposed_and_must_still_be_typed(schema: dict[str, Any], said: str) -> None:
    assert "\n".join(prompts.explained(field(schema))).removeprefix("size").strip(": \n") == said
    assert typed(schema, "", required=False)[0] == {}


def test_a_format_is_said_with_an_example() -> None:
    said = prompts.explained(field({"type": "string", "format": "date-time"}))
    assert said == ["size: date-time, such as 2026-01-31T09:30:00Z"]
    assert prompts.explained(field({"type": "string", "format": "colour"})) == ["size: colour"]
