"""The comparison fails on every kind of difference: a runner that cannot fail is worth nothing."""

import pytest

from sayso.core.values import Json
from tests.cases.built import build
from tests.cases.compare import exact, in_any_order, members, only_known

SAME: list[tuple[Json, Json]] = [
    (3, 3.0),
    ("a", "a"),
    (None, None),
    ([1, {"a": [True]}], [1, {"a": [True]}]),
    ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
    (9007199254740993, 9007199254740993),
]
DIFFERENT: list[tuple[Json, Json]] = [
    ("a", "A"),
    (1, "1"),
    (1, True),
    (0, False),
    (None, False),
    (None, ""),
    ("absent", None),
    (9007199254740993, 9007199254740992),
    ([], {}),
    ([1, 2], [1, 3]),
    ([[1], 2], [2, [1]]),
    ([1], [1, 2]),
    ([1, 2], [1]),
    ({"a": 1}, {"a": 2}),
    ({"a": 1}, {"a": 1, "b": 2}),
    ({"a": 1, "b": 2}, {"a": 1}),
    ({"a": None}, {}),
    ({"a": [{"b": 1}]}, {"a": [{"b": 2}]}),
]


@pytest.mark.parametrize(("expected", "observed"), SAME)
def test_values_that_are_equal_as_json_do_not_differ(expected: Json, observed: Json) -> None:
    assert exact(expected, observed) == []


@pytest.mark.parametrize(("expected", "observed"), DIFFERENT)
def test_values_that_are_not_equal_as_json_differ(expected: Json, observed: Json) -> None:
    assert exact(expected, observed)
    assert exact(observed, expected)


def test_a_difference_is_named_by_its_place_and_both_values() -> None:
    assert exact({"a": [1, 2]}, {"a": [1, "x"]}, "/runs") == ['/runs/a/1: expected 2, found "x"']


def test_values_that_nest_512_levels_are_compared_to_their_leaf() -> None:
    one, other = build({"$nest": [512, "leaf"]}), build({"$nest": [512, "lead"]})
    assert exact(one, one) == []
    assert len(exact(one, other)) == 1


def test_given_members_may_be_fewer_than_those_observed() -> None:
    observed = {"a": 1, "b": {"c": 2, "d": 3}, "e": None}
    assert members({"a": 1, "b": {"c": 2}, "e": None}, observed) == []


@pytest.mark.parametrize("given", [{"a": 2}, {"b": {"c": 3}}, {"b": {"x": 1}}, {"z": 1}, {"z": None}, {"e": "x"}])
def test_a_given_member_must_be_there_and_equal(given: dict[str, Json]) -> None:
    assert len(members(given, {"a": 1, "b": {"c": 2}, "e": None})) == 1


def test_absent_means_missing_or_null_and_nothing_else() -> None:
    assert members({"a": "absent", "b": "absent"}, {"a": None}) == []
    assert len(members({"a": "absent"}, {"a": ""})) == 1


def test_a_set_differs_by_any_member_and_by_how_often_it_comes() -> None:
    assert in_any_order(["b", "a"], ["a", "b"]) == []
    assert in_any_order(["a"], ["a", "a"])
    assert in_any_order(["a", "b"], ["a"])
    assert in_any_order(["a"], ["b"])


def test_what_the_runner_would_not_compare_is_a_failure() -> None:
    assert only_known({"outcome": 1}, ["outcome"]) == []
    assert only_known({"outcome": 1, "mood": 2}, ["outcome"]) == ["the runner does not compare 'mood'"]
