"""Words of a schema that are no keywords: certain mistakes are refused, and of others the author hears."""

import pytest

from sayso.core.schemas.keywords import KEYWORDS, doubts, faults
from sayso.core.schemas.published import schema_of_schemas
from sayso.core.schemas.schema import Schema, compile_schema
from sayso.core.values import Json


def refused(schema: Json) -> list[tuple[str, str]]:
    return [(fault.pointer, fault.detail) for fault in faults(schema)]


def doubted(schema: Json) -> list[tuple[str, str]]:
    assert isinstance(compile_schema(schema), Schema)
    return [(doubt.pointer, doubt.detail) for doubt in doubts(schema)]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("maxLenght", "maxLength"),
        ("maxlength", "maxLength"),
        ("max_length", "maxLength"),
        ("requried", "required"),
        ("require", "required"),
        ("additionalPropertys", "additionalProperties"),
        ("enums", "enum"),
        ("tpye", "type"),
        ("oneof", "oneOf"),
        ("Const", "const"),
        ("ref", "$ref"),
        ("patern", "pattern"),
        ("item", "items"),
    ],
)
def test_a_word_one_slip_away_from_what_limits_values_is_refused(written: str, meant: str) -> None:
    ((pointer, detail),) = refused({"properties": {"a": {written: {}}}})
    assert pointer == f"/properties/a/{written}"
    assert detail.endswith(f"Did you mean {meant}?")


@pytest.mark.parametrize("own", ["note", "cost", "order", "example", "widget", "nothing", "label", "x-maxLenght", "id"])
def test_words_of_ones_own_are_taken(own: str) -> None:
    assert refused({own: "anything", "properties": {"maxLenght": {}, "requried": {}}}) == []


def test_of_a_word_of_ones_own_the_author_hears_unless_it_says_that_it_is_one() -> None:
    ((pointer, detail),) = doubted({"properties": {"a": {"widget": 1, "x-widget": 1}}})
    assert pointer == "/properties/a/widget"
    assert detail.endswith("A note of your own begins with x-.")


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("nullable", "type: [string, 'null']"),
        ("choices", "enum"),
        ("desciption", "description"),
        ("example", "examples"),
    ],
)
def test_what_was_meant_is_guessed(written: str, meant: str) -> None:
    ((_, detail),) = doubted({written: True})
    assert f"Did you mean {meant}?" in detail


def test_long_words_and_many_are_not_guessed() -> None:
    long = "maxLength" * 20
    assert refused({long: 1}) == []
    assert len(doubted({long: 1})[0][1]) < 150
    many = {f"word{number}": number for number in range(50)} | {"maxLenght": 1}
    assert refused(many) == []
    assert len(doubted(many)) == 40


def test_what_a_comma_left_of_a_text_is_told_of_once() -> None:
    ((pointer, detail),) = refused({"description": "Yes", "no": None, "or maybe": None, "default": None})
    assert pointer == "/no"
    assert "quotes around that text" in detail


def test_properties_that_are_not_below_properties_are_told_of_once() -> None:
    ((pointer, _),) = refused({"type": "object", "owner": {"type": "string"}, "brief": {"type": "string"}})
    assert pointer == "/owner"
    assert refused({"ui": {"widget": "area"}, "form": {"type": "area"}}) == []


def test_an_enum_whose_type_rules_a_value_out() -> None:
    assert [pointer for pointer, _ in doubted({"type": "string", "enum": ["a", 1]})] == ["/enum"]
    assert doubted({"type": ["string", "integer"], "enum": ["a", 1]}) == []
    assert doubted({"enum": [1]}) == []


def test_formats_that_are_none() -> None:
    ((pointer, detail),) = doubted({"properties": {"due": {"format": "datetime"}}})
    assert pointer == "/properties/due/format"
    assert detail.endswith("Write date-time.")
    assert doubted({"format": "date"}) == []


@pytest.mark.parametrize(
    "schema",
    [
        {"enum": []},
        {"minLength": 3, "maxLength": 2},
        {"type": "number", "minimum": 0.5, "maximum": 0},
        {"minItems": 2, "maxItems": 1},
        {"required": ["a"], "minProperties": 2, "maxProperties": 1},
    ],
)
def test_what_no_value_fits_is_doubted_at_its_last_word(schema: dict[str, Json]) -> None:
    ((pointer, _),) = doubted({"items": schema})
    assert pointer == f"/items/{list(schema)[-1]}"


def test_limits_that_leave_one_value_are_none() -> None:
    assert doubted({"minLength": 3, "maxLength": 3, "minimum": 1, "enum": [1]}) == []


def test_a_type_in_the_place_of_a_keyword_is_a_property() -> None:
    ((pointer, detail),) = doubted({"customer": "string"})
    assert pointer == "/customer"
    assert detail.endswith("properties: { owner: { type: string } }.")


@pytest.mark.parametrize(
    ("required", "properties", "found"),
    [
        (["verdct"], {"verdict": {}}, ["/required/0"]),
        (["verdict", "nte"], {"verdict": {}, "note": {}}, ["/required/1"]),
        (["amount"], {"verdict": {}}, []),
        (["verdict"], {}, []),
        (["v" * 40], {"v" * 41: {}, "a": {}}, []),
    ],
)
def test_a_required_name_that_is_nearly_declared(required: Json, properties: Json, found: list[str]) -> None:
    assert [pointer for pointer, _ in doubted({"required": required, "properties": properties})] == found


def test_all_that_editors_are_told_of_are_keywords() -> None:
    assert set(schema_of_schemas("#")["properties"]) <= KEYWORDS
