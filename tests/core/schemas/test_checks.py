"""What a schema may hold: all its references lead into it, and checking any value with it is cheap."""

import pytest

from sayso.core.schemas.checks import cost_faults, faults, size_faults
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
    assert faults(schema) == []
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
    assert size_faults(nested(64)) == []


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "#"},
        {"$defs": {"n": {"properties": {"next": {"$ref": "#/$defs/n"}}}}},
        {"allOf": [{"$ref": "#/$defs/a"}], "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}},
    ],
)
def test_a_schema_may_not_refer_to_itself(schema: Json) -> None:
    (fault,) = cost_faults(schema)
    assert fault.pointer.endswith("/$ref")


def doubling(steps: int) -> Json:
    twice = {f"a{i}": {"properties": {"x": {"allOf": [{"$ref": f"#/$defs/a{i + 1}"}] * 2}}} for i in range(steps)}
    return {"$defs": {**twice, f"a{steps}": {}}, "$ref": "#/$defs/a0"}


def test_references_may_not_multiply_without_bound() -> None:
    assert cost_faults(doubling(4)) == []
    assert cost_faults(doubling(30)) != []


def test_a_chain_of_references_is_bounded() -> None:
    chain = {f"a{i}": {"items": {"$ref": f"#/$defs/a{i + 1}"}} for i in range(200)}
    (fault,) = cost_faults({"$ref": "#/$defs/a0", "$defs": {**chain, "a200": {}}})
    assert "levels" in fault.detail


def test_many_members_cost_no_more_than_one() -> None:
    members = {f"m{i}": {"type": "string", "anyOf": [{"minLength": 1}, {"pattern": "a"}]} for i in range(400)}
    assert cost_faults({"properties": members, "prefixItems": [{}, {}], "patternProperties": {"^x": {}}}) == []
    assert cost_faults({"anyOf": [{"minLength": i} for i in range(300)]}) != []


def test_what_stands_where_a_schema_should_is_told_of_once_each() -> None:
    found = compile_schema({"allOf": [1, {}, True], "properties": {"a/b": [], "c": False}, "not": "x", "enum": [1]})
    assert isinstance(found, list)
    assert sorted(fault.pointer for fault in found) == ["/allOf/0", "/not", "/properties/a~1b"]


def test_very_many_faults_are_told_of_by_their_places_alone() -> None:
    found = compile_schema({"required": [{"long": "x" * 100}] * 400})
    assert isinstance(found, list)
    assert {fault.pointer for fault in found} == {"/required", *(f"/required/{n}" for n in range(400))}
    assert all(len(fault.detail) < 50 for fault in found)
