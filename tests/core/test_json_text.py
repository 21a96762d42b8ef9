"""Strict JSON: what is none is a bad request, what has no one meaning is refused where it stands."""

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.core import json_text
from sayso.errors import Problem, Reason

NESTED = "[" * 500_000 + "]" * 500_000
leaves = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
anything = st.recursive(leaves, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=20)


def refused(text: str | bytes) -> Problem:
    with pytest.raises(Problem) as raised:
        json_text.parse(text.encode() if isinstance(text, str) else text)
    return raised.value


def pointers_of(text: str) -> list[str]:
    problem = refused(text)
    assert problem.reason is Reason.INVALID_INPUT
    return [issue.pointer for issue in problem.issues]


@given(anything.filter(lambda value: "\0" not in json.dumps(value) and "\\u0000" not in json.dumps(value)))
def test_what_json_writes_is_read_back(value: object) -> None:
    assert json_text.parse(json.dumps(value, ensure_ascii=False).encode()) == value
    assert json_text.parse(json.dumps(value, ensure_ascii=True).encode()) == value


@pytest.mark.parametrize(
    "text",
    [b"", b" ", b"{", b'{"a":}', b"nul", b"01", b"[1,]", b"{'a':1}", b'"\x00"', b'"\n"', b"\xff", b'"\xed\xa0\x80"'],
)
def test_what_is_no_json_in_utf_8_is_a_bad_request(text: bytes) -> None:
    problem = refused(text)
    assert problem.reason is Reason.BAD_REQUEST
    assert not problem.issues


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e400", "-1e400", "1" + "0" * 400 + ".5"])
def test_a_number_that_no_double_holds_is_refused_where_it_stands(number: str) -> None:
    assert pointers_of(f'{{"input": {{"a/b": [0, {number}]}}}}') == ["/input/a~1b/1"]


@pytest.mark.parametrize("text", [r"\ud800", r"a\uDFFF", r"\ude00\ud83d", r"\u0000", r"x\u0000"])
def test_half_a_surrogate_pair_and_nul_are_refused_in_texts_and_in_names(text: str) -> None:
    assert pointers_of(f'{{"input": ["{text}"]}}') == ["/input/0"]
    (pointer,) = pointers_of(f'{{"input": {{"{text}": 1}}}}')
    assert pointer.startswith("/input/")
    pointer.encode()
    assert "\0" not in pointer


def test_whole_pairs_and_escaped_backslashes_are_kept() -> None:
    assert json_text.parse(rb'["\ud83d\ude00", "\\ud800", "\\u0000"]') == ["😀", r"\ud800", r"\u0000"]


def test_a_member_given_twice_is_refused_at_every_level_once() -> None:
    text = '{"a": 1, "b": {"c": 1, "c": 2, "c": 3}, "a": [{"d": 0, "d": 0}]}'
    assert pointers_of(text) == ["/a", "/b/c", "/a/0/d"]


def test_every_kind_of_fault_is_listed_in_one_answer() -> None:
    assert set(pointers_of(r'{"a": NaN, "b": "\u0000", "c": 1e999, "c": 0}')) == {"/a", "/b", "/c"}


def test_the_21st_fault_says_that_there_are_more() -> None:
    problem = refused("[" + "NaN," * 100_000 + "0]")
    assert len(problem.issues) == 21
    assert problem.issues[-1].pointer == ""


def test_what_is_no_json_after_a_fault_is_still_a_bad_request() -> None:
    assert refused('{"a": NaN,').reason is Reason.BAD_REQUEST


def test_numbers_keep_what_they_say() -> None:
    digits = "9" * json_text.INTEGER_DIGITS
    read = json_text.parse(f"[9007199254740993, {digits}, 1.0, -0.0, -0]".encode())
    assert repr(read) == f"[9007199254740993, {digits}, 1.0, -0.0, 0]"


def test_an_integer_of_too_many_digits_is_refused_where_it_stands() -> None:
    assert pointers_of('{"answer": [' + "9" * (json_text.INTEGER_DIGITS + 1) + "]}") == ["/answer/0"]


@pytest.mark.parametrize("level", ["[", '{"x":'])
def test_a_little_more_than_the_bound_is_for_the_operation_to_judge(level: str) -> None:
    end = "]" if level == "[" else "}"
    body = f'{{"input": {level * 513}1{end * 513}}}'
    assert json_text.parse(body.encode()).keys() == {"input"}


@pytest.mark.parametrize(
    ("text", "pointer"),
    [
        ('{"input": ' + NESTED + "}", "/input"),
        ('{"run_id": "[", "note": ["]"], "answer": ' + NESTED + "}", "/answer"),
        ('{"answer": {"x":' + "[" * 600 + "]" * 600 + "}}", "/answer"),
        ('{"a~b/c": ' + "[" * 500_000, "/a~0b~1c"),
        ('{"": ' + '{"":' * 600 + "1" + "}" * 601, "/"),
        (NESTED, ""),
        ("{" * 600, ""),
        (r'{"\ud8": ' + NESTED + "}", ""),
    ],
)
def test_any_depth_is_refused_at_its_top_member(text: str, pointer: str) -> None:
    assert pointers_of(text) == [pointer]


@pytest.mark.parametrize(
    "text",
    [
        "[" * 600 + '"' + '\\"' * 500_000,
        '{"a": [' + "[]," * 340_000 + '0], "b": ' + "[" * 600,
        "[" + r'"\u0000",' * 90_000 + "0]",
        '{"' + "k" * 500_000 + '": [' + "NaN," * 120_000 + "0]}",
        "[" + "9" * 1_000_000 + "]",
    ],
)
def test_a_hostile_mebibyte_is_refused_at_once(text: str) -> None:
    began = time.process_time()
    refused(text)
    assert time.process_time() - began < 2


def test_brackets_in_texts_nest_nothing() -> None:
    brackets = ["[" * 1_000, '{"' * 1_000, '\\"[']
    assert json_text.parse(json.dumps(brackets).encode()) == brackets


def test_a_pointer_too_long_to_send_names_the_last_holder_that_fits() -> None:
    assert pointers_of('{"input": {"' + "k" * 2_000 + '": NaN}}') == ["/input"]


@pytest.mark.parametrize("text", [b"NaN", b'"\\ud800"', b'"\\u0000"'])
def test_a_body_that_is_one_faulty_leaf_is_refused_as_a_whole(text: bytes) -> None:
    with pytest.raises(Problem) as refused:
        json_text.parse(text)
    assert [issue.pointer for issue in refused.value.issues] == [""]
