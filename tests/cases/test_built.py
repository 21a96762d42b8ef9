"""Built values: what a case names in a few words."""

import pytest

from sayso.core.values import Json
from tests.cases.built import build


@pytest.mark.parametrize(
    ("written", "stands_for"),
    [
        ({"$repeat": ["ab", 3]}, "ababab"),
        ({"$join": ["a", {"$repeat": ["b", 2]}, "c"]}, "abbc"),
        ({"$nest": [3, "leaf"]}, [[["leaf"]]]),
        ({"$nest": [1, {"$repeat": ["x", 2]}]}, ["xx"]),
        ({"deep": [{"$repeat": ["x", 2]}, 1]}, {"deep": ["xx", 1]}),
    ],
)
def test_a_built_value_stands_for_the_whole_value(written: Json, stands_for: Json) -> None:
    assert build(written) == stands_for


def test_an_object_with_a_second_key_is_no_built_value() -> None:
    written = {"$repeat": ["x", 2], "note": 1}
    assert build(written) == written


def test_a_value_nests_as_deep_as_a_case_asks() -> None:
    levels, value = 0, build({"$nest": [513, "leaf"]})
    while isinstance(value, list):
        levels, value = levels + 1, value[0]
    assert (levels, value) == (513, "leaf")
