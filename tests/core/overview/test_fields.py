"""Schemas in words: a line a field, what it has to be, and what its author says of it."""

import json
import time

import pytest

from sayso.core.overview.fields import fields
from sayso.core.schemas.schema import Schema, compile_schema, saved_schema
from sayso.core.values import Json


def said(source: Json) -> str:
    schema = compile_schema(source)
    assert isinstance(schema, Schema), schema
    return fields(schema, "The answer")


def of_field(source: Json) -> str:
    """What is said of a field with this schema."""
    return said({"properties": {"a": source}}).removeprefix("- **a**: ").replace("; optional.", "", 1)


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ({}, "any value"),
        (True, "any value"),
        (False, "no value at all"),
        ({"type": "string"}, "text"),
        ({"type": "boolean"}, "yes or no"),
        ({"type": "null"}, "nothing"),
        ({"type": ["null"]}, "nothing"),
        ({"type": ["string", "null"], "maxLength": 5}, "text, at most 5 characters, or nothing"),
        ({"type": ["integer", "string"]}, "whole number or text"),
        ({"type": "string", "minLength": 1}, "text, at least 1 character"),
        ({"type": "string", "minLength": 3, "maxLength": 2000}, "text, 3 to 2000 characters"),
        ({"type": "string", "minLength": 4, "maxLength": 4.0}, "text, exactly 4 characters"),
        ({"type": "string", "minLength": 0}, "text"),
        ({"type": "integer", "minimum": 3, "maximum": 17}, "whole number, from 3 to 17"),
        ({"type": "number", "minimum": -1.5}, "number, at least -1.5"),
        ({"type": "number", "maximum": 7.0, "exclusiveMinimum": 1}, "number, more than 1, at most 7"),
        ({"type": "number", "exclusiveMaximum": 9, "multipleOf": 0.5}, "number, less than 9, a multiple of 0.5"),
        ({"type": "string", "format": "date"}, "text, a date such as 2026-01-31"),
        ({"type": "string", "format": "iri_*"}, "text, in the format iri\\_\\*"),
        ({"type": "string", "pattern": "^[A-Z]`+$"}, "text, in the pattern `` ^[A-Z]`+$ ``"),
        ({"type": "integer", "default": 5}, "whole number, usually 5"),
        ({"type": "boolean", "default": False}, "yes or no, usually no"),
        ({"const": "a*b"}, 'always "a\\*b"'),
        ({"enum": ["only"]}, 'always "only"'),
        ({"enum": ["a", 2, None, True, [1.0]]}, 'one of "a", 2, nothing, yes or \\[1]'),
        ({"type": ["string", "null"], "enum": ["a", None]}, 'one of "a" or nothing'),
        ({"type": "string", "not": {"const": "x"}}, "text, with further rules"),
        ({"type": "array"}, "list"),
        ({"type": "array", "items": {}, "maxItems": 3, "uniqueItems": True}, "list, at most 3 items, no two alike"),
        ({"items": {"type": "string", "maxLength": 9}}, "list (each item: text, at most 9 characters)"),
        ({"type": "object", "minProperties": 1, "maxProperties": 1}, "group of fields, exactly 1 field"),
    ],
)
def test_a_kind_in_words(schema: Json, words: str) -> None:
    assert of_field(schema) == words


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, "text or nothing"),
        ({"oneOf": [{"const": "a", "title": "Go"}, {"const": "b", "title": "Stop"}]}, '"a" (Go) or "b" (Stop)'),
        ({"type": "string", "oneOf": [{"const": "a"}, {"const": "b"}, {"const": "c"}]}, '"a", "b" or "c"'),
        ({"anyOf": [{"type": "string"}, {"type": "string"}]}, "text"),
        (
            {"type": "string", "anyOf": [{"not": {}}, {"minLength": 5}]},
            "text, with further rules or text, at least 5 characters",
        ),
        ({"type": "string", "anyOf": [{}, True]}, "text"),
        ({"anyOf": [{"type": "string"}, {}], "oneOf": [{"maxLength": 5}, {}]}, "text or any value, with further rules"),
        ({"anyOf": [{"anyOf": [{"anyOf": [{"type": "null"}, {}]}, {"type": "number"}]}]}, "one of 2 forms or number"),
        ({"anyOf": [{"enum": [1, 2, 3, 4, 5, 6]}, {"type": "null"}]}, "one of 1, 2, 3, 4 and 2 more or nothing"),
        ({"anyOf": [{"minLength": n} for n in range(1, 13)]}, "and 2 more"),
        ({"items": {"items": {"items": {"items": {"type": "null"}}}}}, f"{'list (each item: ' * 3}list)))"),
    ],
)
def test_forms_in_words(schema: Json, words: str) -> None:
    assert of_field(schema).endswith(words)


def test_a_field_has_its_need_its_title_and_its_description() -> None:
    schema = {
        "type": "object",
        "required": ["a", "c"],
        "properties": {
            "a": {"type": "string", "title": "Name", "description": "Who asks?\n\n## Used by"},
            "b": {"description": "Ends itself!"},
        },
        "additionalProperties": {"type": "number"},
    }
    assert said(schema).splitlines() == [
        "- **a**: text; required. Name. Who asks? ## Used by.",
        "- **b**: any value; optional. Ends itself!",
        "- **c**: any value; required.",
        "- any other field: number.",
    ]


def test_what_lies_inside_is_said_two_levels_deep() -> None:
    inner: Json = {"properties": {"d": {}}}
    for name in "cba":
        inner = {"properties": {name: inner}}
    assert said(inner).splitlines() == [
        "- **a**: group of fields; optional.",
        "  - **b**: group of fields; optional.",
        "    - **c**: group of fields; optional.",
        "      - and more inside",
    ]


def test_the_fields_of_items_and_of_forms_are_said_too() -> None:
    named = {"title": "By name", "properties": {"name": {"type": "string"}}}
    schema = {
        "properties": {
            "all": {"type": "array", "items": {"anyOf": [named, {"type": "integer"}]}},
            "two": {"prefixItems": [{"type": "string"}, {"type": "null"}], "items": False},
        }
    }
    assert said(schema).splitlines() == [
        "- **all**: list (each item: group of fields (By name) or whole number); optional.",
        "  - form 1: group of fields. By name.",
        "    - **name**: text; optional.",
        "- **two**: list; optional.",
        "  - item 1: text.",
        "  - item 2: nothing.",
    ]


A: Json = {"properties": {"a": {}}}
SAID_OF_A = "- **a**: any value; optional."


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ({}, "The answer: any value."),
        ({"type": "object"}, "The answer: any fields, which the document does not name."),
        ({"type": "string", "description": "# Used by"}, "The answer: text. # Used by."),
        ({"minProperties": 2} | A, f"The answer: group of fields, at least 2 fields.\n\n{SAID_OF_A}"),
        ({"title": "Verdict"} | A, f"The answer: group of fields. Verdict.\n\n{SAID_OF_A}"),
        ({"type": "array", "items": A}, f"The answer: list (each item: group of fields).\n\n{SAID_OF_A}"),
        (A, SAID_OF_A),
    ],
)
def test_a_schema_as_a_whole_is_said_where_it_is_not_simply_a_group_of_fields(schema: Json, words: str) -> None:
    assert said(schema) == words


def test_references_are_followed_and_all_of_them_put_together() -> None:
    schema = {
        "$defs": {
            "short": {"type": "string", "maxLength": 9, "description": "Short."},
            "named": {"$anchor": "named", "required": ["name"], "properties": {"name": {"$ref": "#/$defs/short"}}},
        },
        "allOf": [{"$ref": "#named"}, {"required": ["name", "at"], "properties": {"at": {"type": "integer"}}}],
        "properties": {
            "note": {"$ref": "#/$defs/short", "maxLength": 20},
            "odd": {"$dynamicRef": "#elsewhere"},
            "again": {"$ref": "#/properties/note"},
        },
        "dependentSchemas": {"at": {"$anchor": "elsewhere"}},
    }
    assert said(schema).splitlines() == [
        "The answer: group of fields, with further rules.",
        "",
        "- **name**: text, at most 9 characters; required. Short.",
        "- **at**: whole number; required.",
        "- **note**: text, at most 20 characters, with further rules; optional. Short.",
        "- **odd**: any value; optional.",
        "- **again**: text, at most 20 characters, with further rules; optional. Short.",
    ]


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ([{"enum": ["a", "b"]}, {"enum": ["b", "c"]}], 'one of "b" or "c", with further rules'),
        ([{"minimum": 5}, {"minimum": 5, "title": "Five"}], "any value, at least 5; optional"),
        ([A, {"properties": {"a": {}, "b": {}}}], "group of fields; optional"),
        ([A, {"properties": {"a": {"minLength": 1}}}], "group of fields, with further rules"),
    ],
)
def test_what_parts_of_a_schema_say_differently_is_not_all_that_holds(parts: Json, words: str) -> None:
    assert f"- **x**: {words}" in said({"properties": {"x": {"allOf": parts}}})


def test_what_is_a_lot_is_counted() -> None:
    many = of_field({"enum": [f"v{n}" for n in range(1_000)]})
    assert many.endswith('"v19" and 980 more')
    lines = said({"properties": {f"f{n}": {} for n in range(2_000)}}).splitlines()
    assert (len(lines), lines[-1]) == (101, "- and 1,900 more")
    nested = said({"properties": {"a": {"properties": {f"f{n}": {} for n in range(30)}}}}).splitlines()
    assert (len(nested), nested[-1]) == (22, "  - and 10 more")


DOUBLING = {
    "$defs": {
        **{f"d{n}": {"properties": {c: {"$ref": f"#/$defs/d{n + 1}"} for c in "abcdefghij"}} for n in range(20)},
        "d20": {},
    },
    "$ref": "#/$defs/d0",
}
FORMS = {
    "$defs": {
        "x": {"anyOf": [{"type": "string"}] * 200},
        "y": {"properties": {f"y{n}": {"$ref": "#/$defs/x"} for n in range(20)}},
        "z": {"properties": {f"z{n}": {"$ref": "#/$defs/y"} for n in range(20)}},
    },
    "properties": {f"m{n}": {"$ref": "#/$defs/z"} for n in range(100)},
}
CHAIN = {
    "$defs": {
        **{f"r{n}": {"$ref": f"#/$defs/r{n + 1}", "properties": {f"k{n}": {}}} for n in range(100)},
        "r100": {"properties": {f"p{n}": {} for n in range(1_500)}},
    },
    "properties": {f"m{n}": {"$ref": "#/$defs/r0"} for n in range(100)},
}


@pytest.mark.parametrize("source", [DOUBLING, FORMS, CHAIN], ids=["doubling", "forms", "chain"])
def test_what_references_multiply_stays_small_and_quick(source: Json) -> None:
    schema = saved_schema(json.loads(json.dumps(source)))  # an earlier release took them
    start = time.process_time()
    words = fields(schema, "The answer")
    assert time.process_time() - start < 0.5  # a tenth of it here; each would take minutes if all of it were said
    assert len(words.encode()) < 13_000
    assert words.endswith("- and more, which the document says")
