"""Fields made of a schema, and the value that a text writes for each."""

from typing import Any

import pytest

from sayso.cli.fields import Field, fields_of, text_of, value_of


def field(schema: dict[str, Any], *, required: bool = True) -> Field:
    return Field(name="size", schema=schema, required=required)


def test_each_property_is_asked_for_in_the_order_of_the_schema() -> None:
    schema = {"type": "object", "required": ["b"], "properties": {"b": {"type": "string"}, "a": {"type": "boolean"}}}
    assert [(one.name, one.required, one.kind) for one in fields_of(schema)] == [
        ("b", True, "string"),
        ("a", False, "boolean"),
    ]


@pytest.mark.parametrize("schema", [True, {}, {"type": "string"}, {"type": "object"}, {"type": ["object", "null"]}])
def test_an_answer_that_is_no_object_of_named_fields_is_asked_for_whole(schema: Any) -> None:
    assert [one.name for one in fields_of(schema)] == [None]


def test_a_field_is_asked_for_as_its_reference_says() -> None:
    schema = {"properties": {"size": {"$ref": "#/$defs/a~1b"}}, "$defs": {"a/b": {"enum": ["small", "large"]}}}
    assert list(fields_of(schema)[0].choices) == ["small", "large"]


@pytest.mark.parametrize("reference", ["#", "#/$defs/missing", "#/properties/size", "https://elsewhere.example/x"])
def test_a_reference_that_leads_nowhere_or_round_is_asked_for_as_json(reference: str) -> None:
    schema = {"properties": {"size": {"$ref": reference}}}
    assert fields_of(schema)[0].kind == "json"


def test_forms_that_are_more_than_values_are_asked_for_as_json() -> None:
    assert field({"anyOf": [{"const": 1}, {"type": "string"}]}).kind == "json"


@pytest.mark.parametrize("line", ["1.0", "1_000", "0x10", "١٢", "+1", "007", "1e3", "NaN"])
def test_what_is_no_whole_number_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match="whole number"):
        value_of(field({"type": "integer"}), line)


@pytest.mark.parametrize(("line", "value"), [("0.1", 0.1), ("-2", -2), ("1e3", 1000.0), ("12.50", 12.5)])
def test_a_number_is_read_exactly(line: str, value: float) -> None:
    assert value_of(field({"type": "number"}), line) == value


@pytest.mark.parametrize("line", ["0.10000000000000000001", "1e999", "9007199254740993.5", "1,5", "Infinity"])
def test_a_number_that_would_change_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match=r"digits|number is needed"):
        value_of(field({"type": "number"}), line)


@pytest.mark.parametrize(
    ("items", "kind"),
    [
        ({"enum": ["a", "b"]}, "choices"),
        ({"const": "a"}, "choices"),
        ({"anyOf": [{"const": 1, "title": "One"}]}, "choices"),
        ({"enum": ["a", "b, c"]}, "json"),
        ({"enum": ["[a"]}, "json"),
        ({"enum": ["a", " "]}, "json"),
        ({"enum": [["a", "b"]]}, "json"),
        ({"type": "string"}, "json"),
        (True, "json"),
    ],
)
def test_a_list_is_of_choices_where_each_can_be_named_between_commas(items: Any, kind: str) -> None:
    assert field({"type": "array", "items": items}).kind == kind
    assert field({"type": ["array", "null"], "items": items}).kind == "json"


def test_the_items_of_a_list_may_be_a_reference() -> None:
    schema = {
        "properties": {"size": {"type": "array", "items": {"$ref": "#/$defs/a"}}},
        "$defs": {"a": {"enum": ["s"]}},
    }
    assert fields_of(schema)[0].choices == {"s": "s"}
    assert fields_of({"type": "array", "items": {"$ref": "#/$defs/a"}, "$defs": {"a": {"enum": ["s"]}}})[0].choices


@pytest.mark.parametrize(
    ("schema", "value", "text"),
    [
        ({"type": "array", "items": {"enum": ["a", 1, True]}}, [True, 1, "a"], "true, 1, a"),
        ({"type": "array", "items": {"enum": ["a"]}}, [], "[]"),
        ({"enum": ["true", True]}, True, "true"),
        ({"enum": ["true", True]}, "true", '"true"'),
        ({"type": "boolean"}, False, "no"),
        ({"type": "string"}, "no", "no"),
        ({"type": "number"}, 1.5, "1.5"),
        ({}, {"a": [1]}, '{"a": [1]}'),
    ],
)
def test_what_is_written_for_a_value_is_read_as_it(schema: dict[str, Any], value: Any, text: str) -> None:
    assert text_of(field(schema), value) == text
    read = value_of(field(schema), text)
    assert (read, type(read)) == (value, type(value))
