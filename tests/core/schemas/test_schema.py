"""Schemas: compiled without leaving them, and mismatches told one by one without the value."""

import time
import tracemalloc
from random import Random

import pytest

from sayso.core.schemas.schema import Schema, compile_schema, saved_schema
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
        ({"format": "date"}, "4711", "This is not of the format date, such as 2026-01-31."),
        ({"not": {}}, 4711, "This has a form that is ruled out."),
        ({"enum": ["y" * 300]}, 4711, 'This is none of "' + "y" * 199 + "…."),
    ],
)
def test_the_words_are_of_the_schema_and_never_of_the_value(schema: Json, value: Json, words: str) -> None:
    (issue,) = compiled(schema).issues(value, "/answer")
    assert issue.detail == words
    assert "4711" not in issue.detail


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ({"const": "one\u2028two\x85"}, 'This is not "one\ufffdtwo\ufffd".'),
        ({"pattern": "\n^[A-Z]$"}, "This does not match \ufffd^[A-Z]$."),
    ],
)
def test_the_words_stay_on_one_line(source: Json, words: str) -> None:
    (issue,) = compiled(source).issues("three", "/answer")
    assert issue.detail == words


def test_twenty_faults_are_told_and_the_rest_is_counted() -> None:
    issues = compiled({"items": {"type": "string"}}).issues([1] * 50, "/answer")
    assert len(issues) == 21
    assert (issues[-1].pointer, issues[-1].detail) == ("/answer", "30 more problems are not shown.")
    assert compiled({"items": {"type": "string"}}).issues([1] * 21, "/a")[-1].detail == "1 more problem is not shown."


def test_of_a_value_whose_faults_would_take_long_the_first_is_told() -> None:
    several, rest = compiled({"items": {"enum": [f"choice {i}" for i in range(1_000)]}}).issues(["none"] * 50_000, "/i")
    assert (several.pointer, rest.pointer) == ("/i/0", "/i")
    assert rest.detail == "There may be more: of a value this large, the first problem is told."


def test_a_fault_below_an_empty_name_is_told_at_its_place() -> None:
    assert pointers({"additionalProperties": {"properties": {"": {"items": {"type": "null"}}}}}, {"": {"": [1]}}) == [
        "/answer///0"
    ]


@pytest.mark.parametrize(
    ("name", "at"),
    [(name, f"/answer/{name}/1") for name in ("0", "00", "+7", "-1", "1e3")] + [("a/b~c", "/answer/a~1b~0c/1")],
)
def test_a_fault_below_a_name_that_looks_like_a_number_is_told_at_its_place(name: str, at: str) -> None:
    assert pointers({"additionalProperties": {"items": {"type": "string"}}}, {name: ["x", 1]}) == [at]


@pytest.mark.parametrize("keyword", ["anyOf", "oneOf"])
def test_a_value_is_not_copied_for_each_of_many_forms(keyword: str) -> None:
    source = {keyword: [{"type": "null"}, *({"const": f"choice {n}"} for n in range(90))]}
    tracemalloc.start()
    assert pointers(source, ["x" * 9] * 5_000) == ["/answer"]
    assert tracemalloc.get_traced_memory()[1] < 40_000_000
    tracemalloc.stop()
    assert pointers(source, "choice 3") == []
    assert pointers({keyword: [{"type": "array"}, *source[keyword]]}, ["x" * 9] * 5_000) == []


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


def took(schema: Schema, value: Json) -> float:
    began = time.thread_time()
    schema.issues(value, "/input")
    return time.thread_time() - began


AB = "".join(Random(1).choices("ab", k=262_000))
DEAR = {"pattern": "a[ab]{270}[^ab]"}
FAILING = {"type": "null", "const": 0, "enum": [0], "propertyNames": {"maxLength": 0}, "additionalProperties": False}


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        (DEAR, AB),
        ({"not": DEAR}, AB),
        ({"items": DEAR}, [AB[at : at + 60] for at in range(0, 240_000, 60)]),
        ({"propertyNames": DEAR}, {AB[at : at + 24]: 1 for at in range(0, 200_000, 24)}),
        ({"pattern": "[ab]*a[ab]{20}[^ab]|((a*)*b*){24}[^ab]"}, AB),
        ({"pattern": "[ab]*a[ab]{20}[^ab]|((a*)*b*){24}[^ab]"}, "a" * 262_000),
        ({"items": {"allOf": [{"type": "integer"}] * 250}}, [*[0] * 130_000, "x"]),
        ({"allOf": [FAILING] * 60}, {f"{number:05}": 0 for number in range(20_000)}),
        ({"allOf": [FAILING] * 60}, [0] * 130_000),
        ({"allOf": [{"type": "null", "maxLength": 0}] * 200}, "a" * 60_000),
        ({"items": {"enum": [*range(500), "x"]}}, [499] * 60_000),
        ({"items": {"enum": [{"a": {"b": number}} for number in range(180)]}}, [{"a": {"b": 179}}] * 14_000),
        ({"items": {"const": 0.5}}, [0.5] * 60_000),
        ({"items": {"multipleOf": 0.01, "minimum": 0, "maximum": 1e6}}, [19.99] * 40_000),
        ({"items": {"minimum": 0}}, [10**4_200] * 60),
        ({"uniqueItems": True, "items": {"uniqueItems": True}}, [[number + 0.5] for number in range(26_000)]),
        ({"allOf": [{"contains": {"const": "x"}, "minContains": 9}] * 100}, [0] * 130_000),
        ({"items": {"required": [f"k{number}" for number in range(1_001)]}}, [{}] * 15_000),
        ({"items": {"dependentSchemas": {f"k{number}": True for number in range(180)}}}, [{}] * 85_000),
        ({"format": "regex"}, "".join(f"(?<a{number}>" for number in range(25_000))),
        ({"allOf": [{"format": "idn-hostname"}] * 30}, "ä." * 87_000),
    ],
    ids=lambda value: str(value)[:50],
)
def test_exponential_and_expensive_patterns_and_values_take_bounded_time(schema: Json, value: Json) -> None:
    assert took(compiled(schema), value) < 2


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"items": {"oneOf": [{"const": number} for number in range(100)]}}, [99.5] * 50_000),
        ({"items": {"enum": [*range(500)]}}, [0.5] * 50_000),
        ({"items": {"anyOf": [{"minimum": n, "maximum": n + 5} for n in range(60)]}}, [10**4_200] * 60),
        ({"items": {"multipleOf": 1e-300}}, [1e300] * 37_000),
    ],
    ids=lambda value: str(value)[:50],
)
def test_more_numbers_than_can_be_compared_are_refused(schema: Json, value: Json) -> None:
    began = time.thread_time()
    (issue,) = compiled(schema).issues(value, "/answer")
    assert issue.detail.startswith("There are too many numbers in this")
    assert time.thread_time() - began < 2


def test_a_table_of_numbers_is_compared_with_all_that_is_asked() -> None:
    prices = {"items": {"type": "number", "minimum": 0, "maximum": 1e6, "multipleOf": 0.5}}
    assert compiled(prices).issues([number + 0.5 for number in range(30_000)], "/input") == ()
    assert (
        compiled({"items": {"enum": [number / 2 for number in range(200)]}}).issues([0.5, 99.5] * 200, "/input") == ()
    )


def test_a_schema_that_was_saved_is_not_judged_again() -> None:
    source = {"pattern": "(a{1,90}){1,90}b"}
    assert isinstance(compile_schema(source), list)
    assert saved_schema(source).issues("aab", "/answer") == ()


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
