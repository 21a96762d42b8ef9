"""Reading a reply: which words give which answer, and why others give none."""

import pytest

from sayso.core.replies.reading import Answered, ReplyRefused, read_reply
from sayso.core.values import Json
from tests.core.replies.schemas import compiled, one_of, ruled, text, words

ASKED = compiled(decision_=one_of("Ship", "hold", "Not Yet"), remark=text(maxLength=40))
RULE = ruled(ASKED, decision=words(Ship=["yes", "👍"], hold=["no"]), remark="rest")
NOT_AN_ANSWER = ReplyRefused(because="not_an_answer")


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ("ship", {"decision": "Ship"}),
        ("  YES!  ", {"decision": "Ship"}),
        ("👍\u200b", {"decision": "Ship"}),
        ("hold until\u3000Monday ", {"decision": "hold", "remark": "until\u3000Monday"}),
        ("no\u2028because\r\n\r\n- of it", {"decision": "hold", "remark": "because\r\n\r\n- of it"}),
        ("no\u00a0way", {"decision": "hold", "remark": "way"}),
        ("no - not me", {"decision": "hold", "remark": "- not me"}),
        ("ship \u200b", {"decision": "Ship"}),
        ("ship {{ input }}", {"decision": "Ship", "remark": "{{ input }}"}),
    ],
)
def test_the_first_word_decides_and_the_rest_is_kept(reply: str, answer: Json) -> None:
    assert read_reply(ASKED, RULE, reply) == Answered(answer=answer)


@pytest.mark.parametrize(
    "reply",
    [
        *("maybe", "ship:now", "shipped", "not yet", "please ship", "👍🏽", "👎", "> ship", "\u202eshi\u202cpx"),
        *(None, "", " \n", "\u3000", "\u200b\ufeff", "...", "—", "ship\0", "ship \ud800", "\udc00"),
    ],
)
def test_what_is_not_declared_is_no_answer(reply: str | None) -> None:
    assert read_reply(ASKED, RULE, reply) == NOT_AN_ANSWER


@pytest.mark.parametrize("reply", [None, "", " \n\t ", "\u200b", "a\0", "\udfff"])
@pytest.mark.parametrize("part", ["rest", "text"])
def test_a_reply_without_words_is_none_by_any_rule(reply: str | None, part: str) -> None:
    schema = compiled(reason=text())
    assert read_reply(schema, ruled(schema, reason=part), reply) == NOT_AN_ANSWER


def test_text_keeps_the_whole_reply_in_its_own_spelling() -> None:
    schema = compiled(reason_=text())
    assert read_reply(schema, ruled(schema), "\n ＮＯ!  no \r\n no\t") == Answered(  # noqa: RUF001
        answer={"reason": "ＮＯ!  no \r\n no"}  # noqa: RUF001
    )


def test_one_word_may_fill_two_properties_and_has_to_mean_something_in_both() -> None:
    schema = compiled(a_=one_of("yes", "no"), b_=one_of("yes", "never"), whole=text())
    rule = ruled(schema, a="word", b="word", whole="text")
    assert read_reply(schema, rule, "yes sir") == Answered(answer={"a": "yes", "b": "yes", "whole": "yes sir"})
    assert read_reply(schema, rule, "no sir") == NOT_AN_ANSWER


@pytest.mark.parametrize(
    ("reply", "pointers"),
    [("hold " + "x" * 41, ["/answer/remark"]), ("hold", ["/answer/remark"]), ("hold \u200b", ["/answer/remark"])],
)
def test_what_the_schema_refuses_is_invalid_at_its_pointer(reply: str, pointers: list[str]) -> None:
    schema = compiled(decision_=one_of("hold"), remark_=text(maxLength=40))
    outcome = read_reply(schema, ruled(schema, decision="word", remark="rest"), reply)
    assert isinstance(outcome, ReplyRefused)
    assert outcome.because == "invalid"
    assert [issue.pointer for issue in outcome.issues] == pointers
    assert not any("xx" in issue.detail for issue in outcome.issues)


@pytest.mark.parametrize("unit", ["x", "é", "界", "😀", "\ud800", "\0", " "])
def test_eight_kibibytes_is_the_bound_before_anything_else(unit: str) -> None:
    schema = compiled(reason_=text())
    fits = 8_192 // len(unit.encode(errors="surrogatepass"))
    outcomes = [read_reply(schema, ruled(schema), unit * n) for n in (fits, fits + 1)]
    assert outcomes[0] != ReplyRefused(because="too_long")
    assert outcomes[1] == ReplyRefused(because="too_long")


def test_an_answer_that_keeps_one_reply_too_often_is_invalid_as_a_whole() -> None:
    schema = compiled(**{f"p{n}": text() for n in range(9)})
    outcome = read_reply(schema, ruled(schema, **{f"p{n}": "text" for n in range(9)}), "x" * 8_000)
    assert isinstance(outcome, ReplyRefused)
    assert (outcome.because, [issue.pointer for issue in outcome.issues]) == ("invalid", ["/answer"])
