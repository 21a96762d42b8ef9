"""Schemas: compiled without leaving them, and mismatches told one by one without the value."""

import pytest

from sayso.core.schemas import schema as schemas
from sayso.core.schemas.schema import Schema, compile_schema
from sayso.core.values import Json

PLAN = {
    "type": "object",
    "required": ["days", "a/b"],
    "additionalProperties": False,
    "properties": {"days": {"type": "integer", "maximum": 10}, "a/b": {"enum": ["x", "y"]}, "c~d": {"type": "boolean"}},
}


def compiled(source: Json) -> Schema:
    schema = compile_schema(source)
    assert isinstance(schema, Schema), schema
    return schema


def pointers(source: Json, value: Json) -> list[str]:
    return sorted(issue.pointer for issue in compiled(source).issues(value, "/answer"))


def nested(levels: int) -> Json:
    value: Json = 1
    for _ in range(levels):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("value", "at"),
    [
        ({"days": 3, "a/b": "x"}, []),
        ({"days": 3.0, "a/b": "x"}, []),
        ({"days": True, "a/b": "x"}, ["/answer/days"]),
        ({"days": 11}, ["/answer/a~1b", "/answer/days"]),
        ({"days": 1, "a/b": "x", "more": 1, "yet more": 2}, ["/answer/more", "/answer/yet more"]),
        ({"days": 1, "a/b": "x", "c~d": 1}, ["/answer/c~0d"]),
        ("text", ["/answer"]),
    ],
)
def test_each_fault_is_told_at_its_own_place(value: Json, at: list[str]) -> None:
    assert pointers(PLAN, value) == at


@pytest.mark.parametrize(
    ("schema", "value", "words"),
    [
        ({"type": ["string", "null"]}, 4711, "This is not null or a text."),
        ({"enum": ["x", 1]}, 4711, 'This is none of "x", 1.'),
        ({"const": {"a": 1}}, 4711, 'This is not {"a":1}.'),
        ({"maxLength": 3}, "4711", "This is longer than 3 characters."),
        ({"multipleOf": 5}, 4711, "This is no multiple of 5."),
        ({"pattern": "^a"}, "4711", "This does not match ^a."),
        ({"format": "date"}, "4711", "This is not of the format date."),
        ({"not": {}}, 4711, "This has a form that is ruled out."),
        ({"enum": ["y" * 300]}, 4711, 'This is none of "' + "y" * 199 + "…."),
    ],
)
def test_the_words_are_of_the_schema_and_never_of_the_value(schema: Json, value: Json, words: str) -> None:
    (issue,) = compiled(schema).issues(value, "/answer")
    assert issue.detail == words
    assert "4711" not in issue.detail


def test_twenty_faults_are_told_and_the_rest_is_counted() -> None:
    issues = compiled({"items": {"type": "string"}}).issues([1] * 50, "/answer")
    assert len(issues) == 21
    assert (issues[-1].pointer, issues[-1].detail) == ("/answer", "30 more problems are not shown.")
    assert compiled({"items": {"type": "string"}}).issues([1] * 21, "/a")[-1].detail == "1 more problem is not shown."


def test_thousands_of_faults_are_counted_without_a_copy_of_the_enum_each() -> None:
    issues = compiled({"items": {"enum": [f"choice {i}" for i in range(1_000)]}}).issues(["none"] * 50_000, "/input")
    assert (issues[0].pointer, issues[-1].detail) == ("/input/0", "49980 more problems are not shown.")


def test_values_of_512_levels_are_checked() -> None:
    assert pointers({"type": "array"}, nested(512)) == []
    assert pointers({"type": "object"}, nested(512)) == ["/answer"]


@pytest.mark.parametrize("value", ["\ud800", [10**5_000]], ids=["a lone surrogate", "5,000 digits"])
def test_what_the_engine_cannot_take_does_not_match(value: Json) -> None:
    assert pointers({"type": "boolean"}, value) == ["/answer"]


def test_whole_numbers_keep_their_digits() -> None:
    assert pointers({"const": 9_007_199_254_740_993}, 9_007_199_254_740_992) == ["/answer"]
    assert pointers({"type": "integer", "minimum": 10**30}, 10**30) == []


@pytest.mark.parametrize(
    ("source", "at"),
    [
        ({"type": "thing"}, ["/type"]),
        (
            {"properties": {"a/b": {"maxLength": "x", "type": 5}}},
            ["/properties/a~1b/maxLength", "/properties/a~1b/type"],
        ),
        ({"enum": 5, "$schema": "http://json-schema.org/draft-07/schema#"}, ["/$schema", "/enum"]),
        ({"pattern": "(("}, ["/pattern"]),
        ({"pattern": "(?=a)"}, ["/pattern"]),
        ({"pattern": r"(a)\1"}, ["/pattern"]),
        ({"pattern": "(a{1000}){1000}"}, ["/pattern"]),
        (True, [""]),
        (None, [""]),
    ],
)
def test_a_schema_that_is_none_is_told_of_with_the_pointer_into_it(source: Json, at: list[str]) -> None:
    faults = compile_schema(source)
    assert isinstance(faults, list)
    assert sorted(fault.pointer for fault in faults) == at


def test_a_pattern_takes_linear_time() -> None:
    assert pointers({"pattern": "^(a+)+$"}, "a" * 100_000 + "b") == ["/answer"]


def test_formats_are_checked() -> None:
    assert pointers({"format": "uuid"}, "no uuid") == ["/answer"]


def test_a_schema_keeps_its_source() -> None:
    assert compiled(PLAN).source is PLAN


def test_a_closed_schema_takes_the_members_it_names() -> None:
    closed = compiled(
        {
            "properties": {"a": True, "b": False},
            "patternProperties": {"^x-": {}, "^y-": False},
            "additionalProperties": False,
        }
    )
    assert [name for name in ("a", "b", "c", "x-1", "y-1") if closed.takes_member(name)] == ["a", "x-1"]
    assert compiled({"properties": {"b": False}}).takes_member("b")
    assert not compiled({"additionalProperties": False}).takes_member("a")


@pytest.mark.parametrize("reference", ["http://127.0.0.1:9/x", "file:///etc/passwd"])
def test_even_an_unchecked_reference_is_not_followed(reference: str) -> None:
    with pytest.raises(ValueError, match="schemas are never fetched"):
        schemas.native({"$ref": reference})
