"""JSON Pointers: what may be written, and what they find."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.core.pointers import NOTHING, escape, find, is_pointer, join, shortened, split, text_of
from sayso.core.values import Json

DOCUMENT = {"rows": [{"id": 7}, [1, 2]], "": {"a/b": "slash", "m~n": "tilde"}, "none": None, "0": "member"}


@pytest.mark.parametrize("pointer", ["/", "/a", "/a//b", "/~0~1", "/a b", "/ü", "/-", "//"])
def test_these_are_pointers(pointer: str) -> None:
    assert is_pointer(pointer)


@pytest.mark.parametrize("pointer", ["", "a", "a/b", "/~", "/~2", "/a~/b", "#/a", "$.a", " /a"])
def test_these_are_none(pointer: str) -> None:
    assert not is_pointer(pointer)


@pytest.mark.parametrize(
    ("pointer", "value"),
    [
        ("/rows/0/id", 7),
        ("/rows/1/1", 2),
        ("//a~1b", "slash"),
        ("//m~0n", "tilde"),
        ("/none", None),
        ("/0", "member"),
        ("", DOCUMENT),
    ],
)
def test_it_finds_own_members_and_items(pointer: str, value: Json) -> None:
    assert find(DOCUMENT, pointer) == value


@pytest.mark.parametrize(
    "pointer",
    [
        "/gone",
        "/rows/2",
        "/rows/-",
        "/rows/-1",
        "/rows/00",
        "/rows/01",
        "/rows/ 1",
        "/rows/0/id/x",
        "/none/x",
        "/rows/id",
    ],
)
def test_it_finds_nothing_else(pointer: str) -> None:
    assert find(DOCUMENT, pointer) is NOTHING


def test_an_index_of_many_digits_finds_nothing() -> None:
    assert find([1], "/" + "9" * 5_000) is NOTHING


@given(st.lists(st.text()))
def test_splitting_reverses_joining(names: list[str]) -> None:
    pointer = join(names)
    assert split(pointer) == names
    assert pointer == "" or is_pointer(pointer)


def test_a_pointer_can_go_on_from_a_base() -> None:
    assert join(("a/b", 0), base="/answer") == "/answer/a~1b/0"
    assert escape("~/") == "~0~1"


@pytest.mark.parametrize(
    ("value", "text"),
    [("a", "a"), ("", ""), (7, "7"), (-7, "-7"), (5.0, "5"), (9_007_199_254_740_993, "9007199254740993")],
)
def test_texts_and_whole_numbers_read_as_text(value: Json, text: str) -> None:
    assert text_of(value) == text


@pytest.mark.parametrize("value", [1.5, True, None, [], {}, float("inf"), NOTHING])
def test_nothing_else_reads_as_text(value: Json) -> None:
    assert text_of(value) is None


def test_a_pointer_that_nobody_would_read_to_its_end_is_shown_as_that_of_a_holder() -> None:
    assert shortened("/a/b") == "/a/b"
    assert shortened("/a/" + "b" * 2_000) == "/a"
