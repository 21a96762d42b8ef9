"""What checking a value with a schema may take: weighed when the schema is saved."""

import pytest

from sayso.core.schemas.checks import SchemaFault
from sayso.core.schemas.cost import Load, cost_faults, load
from sayso.core.values import Json


def costs(schema: Json) -> list[SchemaFault]:
    return list(cost_faults(schema))


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
    assert costs(doubling(4)) == []
    assert costs(doubling(30)) != []


def test_a_chain_of_references_is_bounded() -> None:
    chain = {f"a{i}": {"items": {"$ref": f"#/$defs/a{i + 1}"}} for i in range(200)}
    (fault,) = cost_faults({"$ref": "#/$defs/a0", "$defs": {**chain, "a200": {}}})
    assert "levels" in fault.detail


def test_many_members_cost_no_more_than_one() -> None:
    members = {f"m{i}": {"type": "string", "anyOf": [{"minLength": 1}, {"pattern": "a"}]} for i in range(400)}
    assert costs({"properties": members, "prefixItems": [{}, {}], "patternProperties": {"^x": {}}}) == []
    assert costs({"anyOf": [{"minLength": i} for i in range(300)]}) != []


@pytest.mark.parametrize(
    ("schema", "work"),
    [
        ({}, 1),
        (True, 1),
        ({"items": {"items": {"type": "string"}}, "$defs": {"a": {}}}, 3),
        ({"allOf": [{}, {"not": {}}]}, 4),
        ({"properties": {"a": {}, "b": {"items": {}}}, "additionalProperties": {}}, 4),
        ({"prefixItems": [{"items": {}}, {"items": {}}], "items": {"pattern": "^a"}}, 7),
        ({"patternProperties": {"^ab": {}}, "propertyNames": {"pattern": "^a"}}, 9),
        ({"$ref": "#/$defs/a", "$defs": {"a": {"items": {}}}}, 3),
        ({"format": "idn-hostname", "allOf": [{"format": "date"}]}, 9),
        ({"enum": ["a"] * 90, "const": {}}, 2),
        ({"enum": [1, 2, 3, "a", [], {}]}, 6),
        ({"dependentRequired": {f"{n}": [] for n in range(20)}, "dependentSchemas": {"a": {}, "b": {}}}, 14),
        ({"uniqueItems": True, "items": {"uniqueItems": False}}, 107),
    ],
    ids=str,
)
def test_work_adds_up_down_the_costliest_way(schema: Json, work: int) -> None:
    assert load(schema).work == work


@pytest.mark.parametrize(
    ("schema", "comparisons"),
    [
        ({"minimum": 0, "exclusiveMaximum": 0.5}, 2),
        ({"maximum": 10**900}, 3),
        ({"multipleOf": 0.01}, 2),
        ({"multipleOf": 1e-300}, 16),
        ({"multipleOf": 10**900}, 16),
        ({"enum": [1, 0.5, "a", None, [7]], "const": {}}, 12),
    ],
)
def test_every_comparison_of_a_number_counts(schema: Json, comparisons: int) -> None:
    assert load(schema).comparisons == comparisons


def test_faults_of_names_are_counted_apart() -> None:
    schema = {"required": ["a", "b"], "dependentRequired": {"c": ["d"]}, "propertyNames": {"maxLength": 2}}
    assert load(schema) == Load(work=2, faults=6, name_faults=1, parts=9)


@pytest.mark.parametrize(
    "schema",
    [
        {"items": {"uniqueItems": True, "items": {"uniqueItems": True, "items": {"uniqueItems": True}}}},
        {"enum": [*range(600)]},
        {"allOf": [{"pattern": f"^a{{9}}[a-f]*a[a-f]{{40}}{number}"} for number in range(9)]},
        {"patternProperties": {f"x[a-f]{{90}}{number}": {} for number in range(4)}},
        {"propertyNames": {"allOf": [{"pattern": "x[a-f]{150}"}, {"pattern": "y[a-f]{150}"}]}},
        {"items": {"dependentSchemas": {f"k{number}": True for number in range(300)}}},
        {"allOf": [{}] * 20_000},
    ],
    ids=lambda schema: str(schema)[:40],
)
def test_too_much_work_is_refused_with_what_it_is_made_of(schema: Json) -> None:
    (fault,) = costs(schema)
    assert "units, and 280 are taken" in fault.detail


@pytest.mark.parametrize("schema", [{"pattern": "(a{1,900}){1,900}b"}, {"patternProperties": {"^a+a{300}": {}}}])
def test_an_expression_that_is_too_expensive_is_told_of_at_its_place(schema: Json) -> None:
    (fault,) = costs({"properties": {"code": schema}})
    assert fault.pointer == f"/properties/code/{next(iter(schema))}"
    assert "Begin it with ^" in fault.detail


def test_references_may_not_make_a_schema_very_large() -> None:
    large: Json = {"properties": {f"k{number}": {} for number in range(3_000)}}
    (fault,) = costs({"properties": {f"p{n}": {"$ref": "#/$defs/large"} for n in range(20)}, "$defs": {"large": large}})
    assert "40,000 parts" in fault.detail
