"""What people really send, as chats and mail programs hand it over: what is taken, what is refused when in doubt."""

# ruff: noqa: RUF001  (letters that look like others are what this is about)

import pytest

from sayso.core.replies.reading import Answered, read_reply
from sayso.core.replies.rule import ReplyRule
from sayso.core.schemas.schema import Schema
from tests.core.replies.schemas import compiled, one_of, ruled, text, words

PLAIN = compiled(decision_=one_of("approve", "reject"), reason=text())
PLAIN_RULE = ruled(PLAIN, decision="word", reason="rest")
REFUND = compiled(decision_=one_of("approve", "reject", "escalate"), reason=text(maxLength=2_000))
REFUND_RULE = ruled(REFUND, decision=words(approve=["yes", "ok", "👍"], reject=["no", "deny"]), reason="rest")
BRIEF = compiled(verdict_=one_of("approve", "revise"), note=text())
BRIEF_RULE = ruled(BRIEF, verdict="word", note="rest")

Read = tuple[str, str | None] | None


def read(schema: Schema, rule: ReplyRule, reply: str) -> Read:
    """The word's value and what is kept beside it; None if the reply is refused."""
    outcome = read_reply(schema, rule, reply)
    if not isinstance(outcome, Answered):
        return None
    value, *kept = outcome.answer.values()
    return value, kept[0] if kept else None


TYPED = [
    *["approved", "lgtm", "LGTM!", "yes", "y", "yep", "ok", "okay", "sure", "k", "go ahead", "go for it", "do it"],
    *["proceed", "ship it", ":shipit:", "🚢", "👍", "👍🏽", "✅", ":white_check_mark:", ":+1:", ":thumbsup:", "+1"],
    *["confirmed", "looks good to me", "承認", "同意", "freigabe", "ja", "oui", "sí"],
    *["denied", "rejected", "decline", "disapprove", "no", "nope", "n", "not yet", "not approved", "cannot approve"],
    *["disallow", "hold on", "wait", "stop", "cancel", "👎", "❌", ":x:", "-1", "却下", "nein", "non"],
    *["?", "why?", "who asked", "what does it do", "let me check", "@U123 can you look", "thanks", "seen", "👀"],
    *["", ".", "--", "unapproved", "don't approve", "never approve", "please approve", "I approve", "no, approve"],
]


@pytest.mark.parametrize("reply", TYPED)
def test_nothing_counts_that_is_not_declared(reply: str) -> None:
    assert read(PLAIN, PLAIN_RULE, reply) is None


@pytest.mark.parametrize(
    "reply",
    ["approve", "Approve.", "APPROVE", "/approve", "approve!!!", "“approve”", "‘approve’", "«approve»", "approve…"],
)
def test_a_declared_word_counts_in_its_every_dress(reply: str) -> None:
    assert read(PLAIN, PLAIN_RULE, reply) == ("approve", None)


IN_A_CHAT: list[tuple[str, Read]] = [
    ("approve", ("approve", None)),
    ("Approve.", ("approve", None)),
    ("APPROVE!!! 🎉", ("approve", "🎉")),
    ("“approve”", ("approve", None)),
    ("*approve* - looks fine", ("approve", "- looks fine")),
    ("approve — looks fine", ("approve", "— looks fine")),
    ("`approve`", ("approve", None)),
    ("**approve**", ("approve", None)),
    ("_approve_", ("approve", None)),
    ("approve this", ("approve", "this")),
    ("approve,go ahead", None),
    ("<@U0BOT9> approve", None),
    ("@sayso approve", None),
    ("not approved", None),
    ("disallow", None),
    ("unapproved", None),
    ("approved", None),
    ("no, I would not approve this", ("reject", "I would not approve this")),
    ("no, approve tomorrow", ("reject", "approve tomorrow")),
    ("yes but only half", ("approve", "but only half")),
    ("ok", ("approve", None)),
    (":+1:", None),
    (":-1:", None),
    ("👍", ("approve", None)),
    ("👍\ufe0f", ("approve", None)),
    ("👍🏽", None),
    ("👎", None),
    ("&gt; Refund request A-4721 over 180 EUR\nreject - not proven", None),
    ("> Refund request A-4721 over 180 EUR\nreject - not proven", None),
    (
        "reject\n\nThe photos show the *outer* box only.\nAsk for more &amp; retry",
        ("reject", "The photos show the *outer* box only.\nAsk for more &amp; retry"),
    ),
    ("aprove", None),
    ("", None),
    ("escalate " + "x" * 8_193, None),
    ("escalate " + "x" * 2_001, None),
    ("ａｐｐｒｏｖｅ", ("approve", None)),
    ("approve\u200b", ("approve", None)),
    ("Genehmigt, danke", None),
]


@pytest.mark.parametrize(("reply", "expected"), IN_A_CHAT)
def test_a_refund_is_decided_in_a_chat(reply: str, expected: Read) -> None:
    assert read(REFUND, REFUND_RULE, reply) == expected


def test_a_language_is_listed_and_not_guessed() -> None:
    rule = ruled(REFUND, decision=words(approve=["genehmigt"]), reason="rest")
    assert read(REFUND, rule, "Genehmigt, danke") == ("approve", "danke")


# Cutting quoted text waits for the mail channel: until then it is kept as what follows the word.
QUOTED = "On Tue, Mar 3, 2026 at 9:14 AM Brief Desk <\nbriefs@studio.example> wrote:\n\n> The review is ready:\n> ..."
SIGNED = (
    "- name the job role\n\nKind regards\nMara Ivens\nHead of Talent | Nordwind GmbH\nT +49 30 0000 0000\n\n"
    "From: Brief Desk\nSent: Tuesday, 3 March 2026 09:14\nTo: Ivens, Mara\nSubject: Review ready\n\nThe review ..."
)
BY_MAIL: list[tuple[str, Read]] = [
    (f"Approve\n\n{QUOTED}", ("approve", QUOTED)),
    (f"revise {SIGNED}", ("revise", SIGNED)),
    ("ok\n\nSent from my phone", None),
    ("> Approve the brief as it stands, or ask for a revision.\n\nApprove", None),
    (">Approve the brief as it stands.\n\nrevise", None),
    ("Automatic reply: I am away until 16 March. For approvals contact ops@studio.example", None),
    (
        "revise: here they are:-\n\nRole: Shift lead\nCity: Graz",
        ("revise", "here they are:-\n\nRole: Shift lead\nCity: Graz"),
    ),
    (
        "revise\n\nThe figure in Q3 is wrong.\n- fix it",
        ("revise", "The figure in Q3 is wrong.\n- fix it"),
    ),
]


@pytest.mark.parametrize(("reply", "expected"), BY_MAIL)
def test_a_brief_is_decided_by_mail(reply: str, expected: Read) -> None:
    assert read(BRIEF, BRIEF_RULE, reply) == expected


def test_a_german_mail_is_read_by_the_word_that_is_listed() -> None:
    rule = ruled(BRIEF, verdict=words(approve=["freigabe"]), note="rest")
    reply = "Freigabe\n\nAm 03.03.2026 um 09:14 schrieb Brief Desk:\n> ..."
    assert read(BRIEF, rule, reply) == ("approve", "Am 03.03.2026 um 09:14 schrieb Brief Desk:\n> ...")


@pytest.mark.parametrize(
    ("declared", "replies"),
    [
        ("承認", ["承認", "承認。", "「承認」"]),
        ("同意", ["同意", "同意！"]),
        ("утвердить", ["Утвердить", "УТВЕРДИТЬ."]),
        ("εγκρίνω", ["Εγκρίνω", "ΕΓΚΡΊΝΩ"]),
        ("approuvé", ["approuvé", "approuve\u0301", "APPROUVÉ"]),
        ("ＡＰＰＲＯＶＥ", ["approve", "Approve", "ａｐｐｒｏｖｅ"]),
        ("iptal", ["iptal", "IPTAL", "Iptal!"]),
        ("İPTAL", ["İptal", "i\u0307ptal"]),
        ("genehmigt", ["GENEHMIGT"]),
        ("großartig", ["GROSSARTIG", "Großartig"]),
        ("✅", ["✅", "✅\ufe0f", "✅!"]),
        (":white_check_mark:", [":white_check_mark:", "white_check_mark"]),
        ("👍🏽", ["👍🏽"]),
    ],
)
def test_a_word_of_any_script_is_found_again(declared: str, replies: list[str]) -> None:
    schema = compiled(decision_=one_of("go"), reason=text())
    rule = ruled(schema, decision=words(go=[declared]), reason="rest")
    assert {read(schema, rule, reply) for reply in replies} == {("go", None)}
