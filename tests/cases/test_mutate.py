"""Mutation changes one leaf at a time, keeps its type, and sets apart only what may pass all the same."""

import pytest

from sayso.core.values import Json
from tests.cases.case import Case
from tests.cases.mutate import changed, leaves, mutated


def case(expect: Json, **given: Json) -> Case:
    return Case(id="one", area="runs", given=given, expect=expect)


@pytest.mark.parametrize(
    ("value", "other"),
    [
        ("ship", "shipx"),
        (True, False),
        (5, 6),
        (1.5, 2.5),
        (None, "x"),
        ([1, 2], [1]),
        (["a"], []),
        ("2026-03-02T09:00:00.000Z", "2026-03-02T09:00:03.000Z"),
        ("2026-12-31T23:59:58Z", "2027-01-01T00:00:01Z"),
        ("2026-03-02", "2026-03-02x"),
    ],
)
def test_a_changed_leaf_keeps_its_type(value: Json, other: Json) -> None:
    assert changed(value) == other


def test_every_leaf_and_every_list_is_changed_once() -> None:
    found = {leaf.pointer for leaf in leaves(case({"a": [1, {"b": None}], "c": {}, "d": []}))}
    assert found == {"/expect/a", "/expect/a/0", "/expect/a/1/b"}


def test_what_a_step_expects_is_changed_too() -> None:
    one = case({}, steps=[{"do": "look"}, {"do": "answer", "answer": "x", "expect": {"outcome": "conflict"}}])
    (leaf,) = leaves(one)
    assert leaf.pointer == "/given/steps/1/expect/outcome"
    assert mutated(one, leaf).given["steps"][1]["expect"] == {"outcome": "conflictx"}


def test_a_mutation_leaves_the_case_itself_as_it_was() -> None:
    one = case({"events": [{"type": "run_succeeded"}]})
    changes = [mutated(one, leaf).expect for leaf in leaves(one)]
    assert one.expect == {"events": [{"type": "run_succeeded"}]}
    assert sorted(map(str, changes)) == ["{'events': []}", "{'events': [{'type': 'run_succeededx'}]}"]


@pytest.mark.parametrize(
    ("expect", "apart"),
    [
        ({"response_must_not_contain": "x"}, {"response_must_not_contain"}),
        ({"event_must_not_contain": {"type": "t", "text": "x"}}, {"event_must_not_contain"}),
        ({"must_not": ["x"]}, {"must_not"}),
        ({"claimed_for": "absent"}, {"absent"}),
        ({"observe": ["run_started"]}, {"observe"}),
        ({"exact": False}, {"exact"}),
        ({"must": [["a", "b"]]}, {"alternatives"}),
    ],
)
def test_what_may_pass_all_the_same_is_counted_apart(expect: Json, apart: set[str]) -> None:
    assert {leaf.apart for leaf in leaves(case(expect))} == apart


def test_of_alternatives_only_a_single_one_is_changed() -> None:
    found = [leaf.pointer for leaf in leaves(case({"must": [["a", "b"], ["c"]]})) if leaf.apart is None]
    assert found == ["/expect/must/1/0"]


def test_a_list_that_needs_not_be_whole_may_lose_a_member_but_its_members_are_changed() -> None:
    found = {leaf.pointer: leaf.apart for leaf in leaves(case({"exact": False, "problems": [{"line": 3}]}))}
    assert found == {"/expect/exact": "exact", "/expect/problems": "exact: false", "/expect/problems/0/line": None}
