"""Reply rules: their long form, the rule that a schema implies, and which word means what."""

import pytest

from sayso.core.replies.rule import ReplyRule, check_rule, derived_rule
from sayso.core.values import Json

VERDICT = {
    "type": "object",
    "required": ["verdict"],
    "properties": {
        "verdict": {"type": "string", "enum": ["approve", "Needs work", "--", 7]},
        "note": {"type": "string"},
    },
}


def made(reply: Json, schema: Json = VERDICT) -> ReplyRule:
    rule = check_rule(reply, schema)
    assert isinstance(rule, ReplyRule), rule
    return rule


@pytest.mark.parametrize(
    ("reply", "written"),
    [
        ({"verdict": "word", "note": "rest"}, {"verdict": {"from": "word", "words": {}}, "note": {"from": "rest"}}),
        ({"note": {"from": "text"}}, {"note": {"from": "text"}}),
        ({"verdict": "text"}, {"verdict": {"from": "text"}}),
    ],
)
def test_a_rule_is_kept_in_its_long_form(reply: Json, written: Json) -> None:
    assert made(reply).as_written() == written
    assert made(written) == made(reply)


def test_the_words_of_values_are_kept_as_they_are_written() -> None:
    words = {"approve": ["Yes!", "+1", "👍"], "Needs work": ["-1", "no"], "--": []}
    reply = {"verdict": {"from": "word", "words": words}}
    assert made(reply).as_written() == reply


def test_every_value_is_a_word_of_its_own_and_means_itself_in_the_enums_spelling() -> None:
    meanings = made({"verdict": {"from": "word", "words": {"approve": ["Yes!"], "Needs work": ["later"]}}})
    assert meanings.parts["verdict"].meanings == {"approve": "approve", "yes": "approve", "later": "Needs work"}


def test_a_value_that_no_reply_can_begin_with_is_not_offered() -> None:
    assert made({"verdict": "word"}).parts["verdict"].offers == {"approve": ("approve",)}


def test_the_words_of_a_rule_are_prepared_once() -> None:
    part = made({"verdict": "word"}).parts["verdict"]
    assert part.meanings is part.meanings


@pytest.mark.parametrize(
    ("property_", "written"),
    [
        ({"type": "string", "enum": ["a", "b"]}, {"p": {"from": "word", "words": {}}}),
        ({"type": "string", "enum": ["a", "two words"]}, {"p": {"from": "word", "words": {}}}),
        ({"type": "string"}, {"p": {"from": "text"}}),
        ({"type": "integer"}, None),
        ({"type": ["string"]}, None),
        ({"type": "string", "enum": ["a", "A"]}, None),
        ({"type": "string", "enum": [1, None]}, None),
        ({"type": "string", "enum": ["two words", "?"]}, None),
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
