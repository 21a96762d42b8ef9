"""Whether the items of a list are unique."""

import time

import pytest

from sayso.core.schemas.schema import Schema, compile_schema
from sayso.core.values import Json

UNIQUE = compile_schema({"uniqueItems": True})
ANY = compile_schema({"uniqueItems": False})


@pytest.mark.parametrize(
    "items",
    [
        [1, 1],
        [1, 1.0],
        [0, -0.0],
        [0.5, "a", 0.5],
        [10**23, 1e23],
        ["a", "a"],
        [None, None],
        [True, True],
        [{"a": 1, "b": [2.0]}, {"b": [2], "a": 1}],
        [[1, [True]], [1, [True]]],
    ],
    ids=str,
)
def test_items_are_equal_as_json(items: Json) -> None:
    assert isinstance(UNIQUE, Schema)
    (issue,) = UNIQUE.issues(items, "/answer")
    assert (issue.pointer, issue.detail) == ("/answer", "This has items that are equal.")
    assert isinstance(ANY, Schema)
    assert ANY.issues(items, "/answer") == ()


@pytest.mark.parametrize(
    "items",
    [[], [1, True], [0, False, None, "", [], {}], ["1", 1], [[1], [True]], [[1, 2], [[1], 2]], [0.1, 0.2], "aa", 7],
    ids=str,
)
def test_these_are_not(items: Json) -> None:
    assert isinstance(UNIQUE, Schema)
    assert UNIQUE.issues(items, "/answer") == ()


def nestings(count: int) -> list[Json]:
    """Lists of nothing but lists, no two of them equal."""
    return [[[[]] * (number % 50), [[]] * (number // 50)] for number in range(count)]


@pytest.mark.parametrize(
    "items", [[10**24 + number for number in range(9_000)], nestings(2_500)], ids=["digits", "lists"]
)
def test_many_items_that_look_alike_take_no_square_of_time(items: Json) -> None:
    assert isinstance(UNIQUE, Schema)
    began = time.thread_time()
    assert UNIQUE.issues(items, "/answer") == ()
    assert time.thread_time() - began < 2
