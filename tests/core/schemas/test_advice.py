"""Schemas that are not as JSON Schema has them: what to write instead."""

import pytest

from sayso.core.schemas.schema import compile_schema
from sayso.core.values import Json


def said(schema: Json) -> str:
    found = compile_schema(schema)
    assert isinstance(found, list)
    (fault,) = found
    return fault.detail


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("str", "Write type: string."),
        ("Integer", "Write type: integer."),
        ("email", "{ type: string, format: email }"),
        ("datetime", "{ type: string, format: date-time }"),
        ("enum", "{ type: string, enum: [approve, revise] }"),
        (["string", None], "type: [string, 'null']"),
    ],
)
def test_a_type_that_is_none(written: Json, meant: str) -> None:
    assert meant in said({"type": written})


@pytest.mark.parametrize("written", ["file", 3, ["string", "file"]])
def test_of_what_nobody_can_guess_the_types_are_listed(written: Json) -> None:
    assert said({"type": written}).endswith("or a list of some of these.")


@pytest.mark.parametrize(
    ("written", "meant"),
    [("string", "string"), ("Bool", "boolean"), ("date", "string"), ("owner", "object"), (3, "object")],
)
def test_what_stands_where_a_schema_should(written: Json, meant: str) -> None:
    assert said({"properties": {"a": written}}) == f"A schema is an object, such as {{ type: {meant} }}."
    assert said(written) == f"A schema is an object, such as {{ type: {meant} }}."


@pytest.mark.parametrize(
    ("written", "meant"),
    [([{"type": "string"}, {}], "each for the item at its place, is prefixItems."), (["string", None], "'null'] }.")],
)
def test_a_list_stands_where_a_schema_should(written: Json, meant: str) -> None:
    assert said({"items": written}).endswith(meant)


@pytest.mark.parametrize(
    ("schema", "meant"),
    [
        ({"required": True}, "beside properties"),
        ({"enum": "a"}, "enum: [approve, revise]"),
        ({"properties": ["a"]}, "by its name"),
        ({"pattern": "["}, "no regular expression"),
        ({"maxLength": "3"}, "maxLength is a number"),
        ({"title": {"type": "string"}}, "A property of this name"),
        ({"title": 3}, "it is not a text"),
        ({"minItems": -1}, "it is less than 0"),
    ],
)
def test_what_stands_under_a_keyword(schema: Json, meant: str) -> None:
    assert meant in said(schema)
