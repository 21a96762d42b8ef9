"""Tellings: what a party reads after a reply that was no answer, and once its question is closed."""

import pytest

from sayso.core.replies import telling
from sayso.core.replies.reading import Because, ReplyRefused, read_reply
from sayso.core.replies.rule import ReplyRule
from sayso.core.schemas.schema import Schema
from tests.core.replies.schemas import compiled, one_of, ruled, text, words

REFUND = compiled(decision_=one_of("approve", "reject", "Not Yet"), reason=text(maxLength=20))
RULE = ruled(REFUND, decision=words(approve=["yes", "👍"], **{"Not Yet": ["later", "soon"]}), reason="rest")


def told(schema: Schema, rule: ReplyRule, reply: str) -> str:
    refused = read_reply(schema, rule, reply)
    assert isinstance(refused, ReplyRefused)
    return telling.refusal(refused, rule, schema)


def test_after_no_answer_it_says_how_to_answer() -> None:
    assert told(REFUND, RULE, "LGTM").splitlines() == [
        "Your reply could not be read as an answer. The question is still open: please reply again.",
        "The first word of your reply is the decision. It is one of:",
        "- approve (or yes, 👍)",
        "- reject",
        "- later, soon (means Not Yet)",
        "What you write after the first word is kept as the reason.",
    ]


def test_after_an_invalid_answer_the_problems_come_first_and_the_value_is_not_repeated() -> None:
    lines = told(REFUND, RULE, "reject because sesame has been lost").splitlines()
    assert lines[:4] == [
        "Your reply cannot be taken as an answer, because of this:",
        "- reason: This is longer than 20 characters.",
        "The question is still open: please reply again.",
        "The first word of your reply is the decision. It is one of:",
    ]
    assert "sesame" not in "".join(lines)


def test_a_problem_of_the_whole_answer_names_no_property() -> None:
    schema = compiled(**{f"p{n}": text() for n in range(9)})
    rule = ruled(schema, **{f"p{n}": "text" for n in range(9)})
    assert "\n- The answer would take more than 65536 bytes.\n" in told(schema, rule, "x" * 8_000)


def test_a_required_rest_is_asked_for() -> None:
    schema = compiled(decision_=one_of("hold"), remark_=text())
    lines = told(schema, ruled(schema, decision="word", remark="rest"), "hold").splitlines()
    assert lines[1] == "- remark: This is required and missing."
    assert lines[-1] == "What you write after the first word is kept as the remark, which is required."


def test_a_rule_of_text_asks_for_words_of_their_own() -> None:
    schema = compiled(reason_=text())
    last = told(schema, ruled(schema), " ").splitlines()[-1]
    assert last == "Answer in your own words: your whole reply is kept as the reason."


def test_text_with_an_enum_asks_for_its_spelling_and_text_beside_a_word_for_nothing() -> None:
    schema = compiled(decision_=one_of("Ship", "hold"), whole=text())
    rule = ruled(schema, decision="text", whole="text")
    assert told(schema, rule, "ship").splitlines()[-4:] == [
        "Your whole reply is the decision, spelled as one of:",
        "- Ship",
        "- hold",
        "Your whole reply is kept as the whole.",
    ]


def test_too_long_gives_the_limit() -> None:
    assert "8,192 bytes" in told(REFUND, RULE, "x" * 8_193)


def test_ambiguous_asks_for_a_reply_to_the_message_that_is_meant() -> None:
    assert "Reply to the message of the question that you mean" in telling.refusal(
        ReplyRefused(because="ambiguous"), RULE, REFUND
    )


@pytest.mark.parametrize(
    ("how", "says"),
    [("answered", "answered elsewhere"), ("expired", "no answer came in time"), ("cancelled", "withdrawn")],
)
def test_a_closed_question_is_told_of(how: telling.Closed, says: str) -> None:
    assert says in telling.closed(how)


@pytest.mark.parametrize("because", ["not_an_answer", "invalid", "too_long", "ambiguous"])
def test_a_telling_is_short_however_large_the_rule(because: Because) -> None:
    values = [f"{n:03}" + "😀" * 10 for n in range(900)]
    notes = {f"note{'é' * 80}{n}_": text(maxLength=1) for n in range(40)}
    schema = compiled(decision_=one_of(*values), **notes)
    listed = {value: [f"{n}-{m}-{'w' * 50}" for m in range(16)] for n, value in enumerate(values[:16])}
    rule = ruled(schema, decision=words(**listed), **{name[:-1]: "rest" for name in notes})
    refused = read_reply(schema, rule, f"{values[7]} too long")
    assert isinstance(refused, ReplyRefused)
    message = telling.refusal(ReplyRefused(because=because, issues=refused.issues), rule, schema)
    assert len(message.encode()) < 6_144
    assert ("\nand " in message) == (because in ("not_an_answer", "invalid"))


def test_the_rule_in_words_names_where_each_property_comes_from() -> None:
    schema = compiled(decision_=one_of("ship", "hold"), remark=text(), whole=text())
    rule = ruled(schema, decision=words(ship=["go", "yes"]), remark="rest", whole="text")
    assert telling.in_words(rule) == [
        "decision is the reply's first word, one of: ship (or go, yes); hold.",
        "remark is what follows the first word.",
        "whole is the whole reply.",
    ]
