"""The schema of schemas that editors get: it takes every schema that can be saved, and sees the usual mistakes."""

from random import Random

import pytest
from jsonschema_rs import Draft202012Validator

from sayso.core.schemas import checks, published
from sayso.core.schemas.schema import Schema, compile_schema
from sayso.core.values import Json
from tests.fuzz import schema_kinds

VALIDATOR = Draft202012Validator(
    {"$ref": "#/$defs/schema", "$defs": {"schema": published.schema_of_schemas("#/$defs/schema")}}
)


def test_every_schema_that_is_saved_is_taken() -> None:
    taken = 0
    for index in range(600):
        chance = Random(f"schema {index}")
        make = chance.choice((schema_kinds.of_answer, schema_kinds.of_input, schema_kinds.hostile))
        source = make(chance)
        if isinstance(compile_schema(source), Schema):
            taken += 1
            assert VALIDATOR.is_valid(source), source
    assert taken > 200


@pytest.mark.parametrize(
    "wrong",
    [
        {"type": "text"},
        {"type": ["string", "text"]},
        {"type": []},
        {"required": "name"},
        {"properties": ["name"]},
        {"properties": {"name": "string"}},
        {"items": {"anyOf": [{"enum": "a"}]}},
        {"minLength": -1},
        {"minLength": "1"},
        {"multipleOf": 0},
        {"$ref": "https://schemas.example/person"},
        {"$defs": {"person": {"$ref": "person.json"}}},
        {"unevaluatedProperties": False},
        {"description": 3},
        "string",
        None,
    ],
    ids=str,
)
def test_what_no_document_may_have_is_refused(wrong: Json) -> None:
    assert not isinstance(compile_schema(wrong), Schema)
    assert not VALIDATOR.is_valid(wrong)


def test_keywords_that_are_not_taken_are_the_same() -> None:
    assert set(published._UNTAKEN) == checks._UNTAKEN.keys()
