"""What a schema may hold: all its references lead into it, and checking any value with it is cheap."""

import pytest

from sayso.core.bounds import SCHEMA_FAULTS
from sayso.core.schemas.checks import SchemaFault, faults, size_faults
from sayso.core.schemas.schema import compile_schema
from sayso.core.values import Json


def at(schema: Json) -> list[str]:
    return [fault.pointer for fault in faults(schema)]


@pytest.mark.parametrize(
    "reference",
    [
        "http://example.com/x",
        "file:///etc/passwd",
        "other.json",
        "#/gone",
        "#gone",
        "#/$defs/%61",
        "#/const",
        "urn:x#/a",
    ],
)
@pytest.mark.parametrize("keyword", ["$ref", "$dynamicRef"])
def test_a_reference_leads_to_a_subschema_of_the_same_schema(keyword: str, reference: str) -> None:
    schema = {"properties": {"p": {keyword: reference}}, "$defs": {"a": {}}, "const": {}}
    assert at(schema) == [f"/properties/p/{keyword}"]


@pytest.mark.parametrize("reference", ["#/$defs/a~1b", "#here", "#/definitions/d", "#/properties/q"])
def test_these_references_do(reference: str) -> None:
    schema = {
        "properties": {"p": {"$ref": reference}, "q": True},
        "$defs": {"a/b": {}, "c": {"$anchor": "here"}},
        "definitions": {"d": {}},
    }
    assert at(schema) == []
    assert not isinstance(compile_schema(schema), list)


def test_a_reference_is_not_decoded_to_go_elsewhere() -> None:
    assert at({"$defs": {"a%62": {}, "ab": {"$ref": "#/$defs/a%62"}}}) == ["/$defs/ab/$ref"]


def test_what_looks_like_a_reference_in_a_value_or_a_name_is_none() -> None:
    schema = {
        "properties": {"$ref": {"type": "string"}},
        "enum": [{"$ref": "http://example.com"}],
        "default": {"$ref": "x"},
        "x-note": {"$ref": "file:///etc/passwd"},
    }
    assert at(schema) == []


@pytest.mark.parametrize(
    ("schema", "found"),
    [
        ({"unevaluatedProperties": False}, ["/unevaluatedProperties"]),
        ({"allOf": [{"unevaluatedItems": False}]}, ["/allOf/0/unevaluatedItems"]),
        ({"dependencies": {"a": ["b"]}}, ["/dependencies"]),
        ({"$schema": "https://json-schema.org/draft/2019-09/schema"}, ["/$schema"]),
        ({"$schema": "https://json-schema.org/draft/2020-12/schema"}, []),
        ({"$id": "https://example.com/x"}, []),
        ({"if": {"$id": "https://example.com/x"}}, ["/if/$id"]),
        ({"enum": [*range(1_001)]}, ["/enum"]),
        ({"pattern": "a" * 513}, ["/pattern"]),
        ({"patternProperties": {f"a{i}": {} for i in range(65)}}, [""]),
    ],
)
def test_what_is_not_taken_is_told_of_at_its_pointer(schema: Json, found: list[str]) -> None:
    assert at(schema) == found


def nested(levels: int) -> Json:
    return {"default": 1} if levels == 1 else {"not": nested(levels - 1)}


@pytest.mark.parametrize("schema", [nested(65), {"const": "x" * 65_536}, [], "string", 5])
def test_a_schema_is_an_object_of_bounded_size(schema: Json) -> None:
    assert [fault.pointer for fault in size_faults(schema)] == [""]


def test_sixty_four_levels_fit() -> None:
    assert list(size_faults(nested(64))) == []


def test_what_stands_where_a_schema_should_is_told_of_once_each() -> None:
    found = compile_schema({"allOf": [1, {}, True], "properties": {"a/b": [], "c": False}, "not": "x", "enum": [1]})
    assert isinstance(found, list)
    assert sorted(fault.pointer for fault in found) == ["/allOf/0", "/not", "/properties/a~1b"]


def test_of_a_subschema_with_very_much_in_it_one_fault_is_told() -> None:
    found = compile_schema({"required": [{"long": "x" * 100}] * 400, "not": {"required": [1, 2]}})
    assert isinstance(found, list)
    assert sorted(fault.pointer for fault in found) == ["/not/required/0", "/not/required/1", "/required/0"]


def below_long_names(levels: int, members: int) -> Json:
    schema: Json = {"properties": {str(number): {"type": "x"} for number in range(members)}}
    for number in range(levels):
        schema = {"properties": {f"{'k' * 900}{number}": schema}}
    return schema


def test_names_may_not_be_long_for_how_much_is_below_them() -> None:
    found = compile_schema(below_long_names(20, 1_500))
    assert found == [SchemaFault((), "The names in the schema are too long for how much stands below them.")]


def test_at_most_two_hundred_faults_are_told() -> None:
    found = compile_schema(below_long_names(1, 900))
    assert isinstance(found, list)
    assert len(found) == SCHEMA_FAULTS == 200


def test_a_fault_below_an_empty_name_is_told_at_its_place() -> None:
    found = compile_schema({"properties": {"": {"multipleOf": True, "dependentRequired": {"": [1]}}}})
    assert isinstance(found, list)
    assert sorted(fault.pointer for fault in found) == [
        "/properties//dependentRequired//0",
        "/properties//multipleOf",
    ]
