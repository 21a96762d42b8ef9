"""Reply rules: what they may say of an answer's schema, and how words are compared."""

import pytest

from sayso.core.replies.rule import ReplyRule, check_rule, derived_rule, normalised
from sayso.core.values import Json

VERDICT = {
    "type": "object",
    "required": ["verdict"],
    "properties": {
        "verdict": {"type": "string", "enum": ["approve", "Needs work"]},
        "note": {"type": "string"},
        "count": {"type": "integer"},
        "closed": False,
    },
}


@pytest.mark.parametrize(
    ("word", "compared"),
    [
        *(
            ("*Approve!*", "approve"),
            ("`ok`", "ok"),
            ("~~ship~~", "ship"),
            ("needs-work", "needs-work"),
            ("STRASSE", "strasse"),
        ),
        *(
            ("+1", "+1"),
            ("-1.", "-1"),
            (":-1:", "-1"),
            (":+1:", "+1"),
            ("-yes", "yes"),
            ("--1", "-1"),
            ("\uff0b1", "+1"),
        ),
        *(
            ("\u2705\ufe0f", "\u2705"),
            ("o\u200bk", "ok"),
            ("fine\u2026", "fine"),
            ("ﬁne", "fine"),
            ("!?", ""),
            ("", ""),
            ("-", ""),
        ),
    ],
)
def test_words_are_compared_without_case_and_punctuation_around(word: str, compared: str) -> None:
    assert normalised(word) == compared


@pytest.mark.parametrize(
    ("reply", "written"),
    [
        ({"verdict": "word", "note": "rest"}, {"verdict": {"from": "word", "words": {}}, "note": {"from": "rest"}}),
        ({"note": {"from": "text"}}, {"note": {"from": "text"}}),
        ({"verdict": "text"}, {"verdict": {"from": "text"}}),
        *[
            (rule, rule)
            for rule in (
                {"verdict": {"from": "word", "words": {"approve": ["yes", "+1", "👍"], "Needs work": ["-1", "no"]}}},
                {"verdict": {"from": "word", "words": {"approve": ["Approve!", "!!"], "Needs work": ["??"]}}},
            )
        ],
    ],
)
def test_a_rule_is_kept_in_its_long_form(reply: Json, written: Json) -> None:
    rule = check_rule(reply, VERDICT)
    assert isinstance(rule, ReplyRule)
    assert rule.as_written() == written


@pytest.mark.parametrize(
    ("reply", "paths"),
    [
        ({}, [()]),
        ("word", [()]),
        ({"gone": "word", "count": "text", "closed": "text"}, [("gone",), ("count",), ("closed",)]),
        ({"note": "word"}, [("note",)]),
        ({"note": "first"}, [("note",)]),
        ({"note": 3}, [("note",)]),
        ({"note": {"words": {}}}, [("note",)]),
        ({"note": {"from": "rest", "words": {"a": ["b"]}}}, [("note", "words")]),
        ({"note": {"from": "rest", "as": "text"}}, [("note", "as")]),
        ({"verdict": {"from": "word", "words": ["yes"]}}, [("verdict", "words")]),
        ({"verdict": {"from": "word", "words": {"Approve": ["yes"]}}}, [("verdict", "words", "Approve")]),
        ({"verdict": {"from": "word", "words": {"approve": "yes"}}}, [("verdict", "words", "approve")]),
        ({"verdict": {"from": "word", "words": {"approve": [1]}}}, [("verdict", "words", "approve")]),
        (
            {"verdict": {"from": "word", "words": {"approve": ["ok"], "Needs work": ["OK."]}}},
            [("verdict", "words", "Needs work")],
        ),
        ({"verdict": {"from": "word", "words": {"approve": ["needs work"]}}}, [("verdict", "words", "approve")]),
        ({"verdict": {"from": "word", "words": {"approve": ["é" * 33]}}}, [("verdict", "words", "approve")]),
        (
            {"verdict": {"from": "word", "words": {"approve": [f"w{i}" for i in range(17)]}}},
            [("verdict", "words", "approve")],
        ),
    ],
)
def test_what_a_rule_may_not_say_is_told_of_at_its_path(reply: Json, paths: list[tuple[str, ...]]) -> None:
    faults = check_rule(reply, VERDICT)
    assert isinstance(faults, list)
    assert [fault.path for fault in faults] == paths


def test_at_most_sixteen_values_have_words() -> None:
    values = [f"value {i}" for i in range(17)]
    schema = {"properties": {"v": {"type": "string", "enum": values}}}
    faults = check_rule({"v": {"from": "word", "words": {value: [] for value in values}}}, schema)
    assert isinstance(faults, list)
    assert faults[0].path == ("v", "words")


def test_values_that_read_alike_are_refused() -> None:
    schema = {"properties": {"v": {"type": "string", "enum": ["Yes", "yes!"]}}}
    assert isinstance(check_rule({"v": "word"}, schema), list)
    assert isinstance(check_rule({"v": "text"}, schema), ReplyRule)


@pytest.mark.parametrize(
    ("property_", "written"),
    [
        ({"type": "string", "enum": ["a", "b"]}, {"p": {"from": "word", "words": {}}}),
        ({"type": "string"}, {"p": {"from": "text"}}),
        ({"type": "integer"}, None),
        ({"type": "string", "enum": ["a", "A"]}, None),
        (True, None),
    ],
)
def test_one_required_text_makes_a_rule(property_: Json, written: Json) -> None:
    rule = derived_rule({"type": "object", "required": ["p"], "properties": {"p": property_, "q": {"type": "string"}}})
    assert (rule.as_written() if rule else None) == written


@pytest.mark.parametrize(
    "schema",
    [
        {},
        {"type": "string"},
        {"type": "object", "properties": {"p": {"type": "string"}}},
        {"type": "object", "required": ["p"]},
        {"type": "object", "required": ["p", "q"], "properties": {"p": {"type": "string"}, "q": {"type": "string"}}},
    ],
)
def test_no_other_schema_does(schema: Json) -> None:
    assert derived_rule(schema) is None
