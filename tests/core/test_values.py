"""JSON values: sizes as they are sent, one digest for one value."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.core import values
from sayso.core.values import Json

SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
VALUES = st.recursive(
    SCALARS.filter(lambda value: not isinstance(value, str) or value.isascii()),
    lambda inner: st.lists(inner) | st.dictionaries(st.text("ab.e1"), inner),
    max_leaves=12,
)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (3, 3.0),
        ({"a": 1, "b": [2.0]}, {"b": [2], "a": 1.0}),
        (1e23, 10**23),
        (-0.0, 0),
        (1e2, 100),
    ],
)
def test_two_spellings_of_one_value_have_one_digest(one: Json, other: Json) -> None:
    assert values.digest(one) == values.digest(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (1, True),
        (1, "1"),
        (None, False),
        (0.1, 0.2),
        ("1.0", "1"),
        ([], {}),
        (1e23, 99999999999999991611392),
        ("\u00e9", "e\u0301"),
    ],
)
def test_different_values_have_different_digests(one: Json, other: Json) -> None:
    assert values.digest(one) != values.digest(other)


@given(VALUES)
def test_a_value_read_back_has_the_digest_that_it_had(value: Json) -> None:
    assert values.digest(json.loads(values.compact(value))) == values.digest(value)


@pytest.mark.parametrize(("value", "size"), [("é", 4), ({"text": "x" * 16_373}, 16_384), ([], 2), (None, 4)])
def test_a_size_is_that_of_compact_json_in_utf8(value: Json, size: int) -> None:
    assert values.size(value) == size


def test_depth_counts_what_lies_around_the_deepest_leaf() -> None:
    deep: Json = "leaf"
    for _ in range(2_000):
        deep = [deep]
    assert (values.depth("leaf"), values.depth([]), values.depth({"a": [1]}), values.depth(deep)) == (0, 1, 2, 2_000)
