"""No reply of any script breaks the reading, and none is taken for an answer but by a declared word.

SAYSO_LONG=1 reads 100,000 replies, SAYSO_FUZZ as many as it says; SAYSO_SEED repeats a run.
"""

import os
import re
from collections import Counter
from random import Random, SystemRandom
from time import perf_counter

import pytest

from sayso.core.replies import telling
from sayso.core.replies.reading import Answered, ReplyRefused, read_reply
from sayso.core.replies.rule import ReplyRule
from sayso.core.replies.words import normalised
from sayso.core.schemas.schema import Schema
from tests.core.replies.schemas import compiled, one_of, ruled, text, words
from tests.core.replies.scripts import Replies

LISTED = {
    "approve": ["yes", "+1", ":+1:", "👍", "✅", "承認", "同意", "approuvé", "утвердить", "موافق", "승인", "स्वीकृत"],
    "reject": ["no", "-1", "👎", "❌", "却下", "εγκρίνω", "großartig", "İptal", "ต้องการ", "לא", "ﬁne", "🙅‍♀️", "ΝΑΊΣ"],
}
DECLARED = [word for value, listed in LISTED.items() for word in (value, *listed)]

DECISION = compiled(decision_=one_of("approve", "reject"), note=text(maxLength=100))
TWO = compiled(a_=one_of("approve", "reject"), b=one_of("Approve", "no"), whole=text())
REASON = compiled(reason_=text(minLength=2))
RULES: list[tuple[Schema, ReplyRule]] = [
    (DECISION, ruled(DECISION, decision=words(**LISTED), note="rest")),
    (DECISION, ruled(DECISION)),
    (TWO, ruled(TWO, a=words(**LISTED), b="word", whole="text")),
    (REASON, ruled(REASON)),
]


def wanted() -> int:
    return int(os.environ.get("SAYSO_FUZZ") or (100_000 if os.environ.get("SAYSO_LONG") == "1" else 5_000))


def judge(schema: Schema, rule: ReplyRule, reply: str) -> str:
    """Read a reply and hold the outcome to what it promises; the outcome in a word."""
    outcome = read_reply(schema, rule, reply)
    assert outcome == read_reply(schema, rule, reply)
    if isinstance(outcome, ReplyRefused):
        assert len(telling.refusal(outcome, rule, schema).encode()) < 6_144
        return outcome.because
    assert len(reply.encode()) <= 8_192
    assert schema.issues(outcome.answer, "/answer") == ()
    first = normalised(next(filter(None, re.split(r"\s+", reply))))
    for name, part in rule.parts.items():
        if part.source == "word":
            value = str(outcome.answer[name])
            assert first in {normalised(word) for word in (value, *part.words.get(value, ()))} - {""}
        elif name in outcome.answer:
            assert str(outcome.answer[name]) in reply
    return "answered"


def test_no_reply_of_any_script_breaks_the_reading_or_is_taken_by_luck(capsys: pytest.CaptureFixture[str]) -> None:
    seed = int(os.environ.get("SAYSO_SEED") or SystemRandom().getrandbits(32))
    chance = Random(seed)
    replies, seconds, outcomes = Replies(chance, DECLARED), [], Counter[str]()
    for number in range(wanted()):
        schema, rule = RULES[number % len(RULES)]
        reply = replies.next()
        try:
            outcomes[judge(schema, rule, reply)] += 1
        except Exception as fault:
            raise AssertionError(f"SAYSO_SEED={seed}, reply {number}: {reply[:200]!a}") from fault
        started = perf_counter()
        read_reply(schema, rule, reply)
        seconds.append(perf_counter() - started)
    p99, longest = sorted(seconds)[len(seconds) * 99 // 100], max(seconds)
    with capsys.disabled():
        print(f"\nreplies: {len(seconds):,}, SAYSO_SEED={seed}, {dict(outcomes)}", end="")
        print(f", p99 {p99 * 1e6:.0f} us, longest {longest * 1e3:.1f} ms", end="")
    assert all(outcomes[kind] > 0 for kind in ("answered", "not_an_answer", "invalid", "too_long"))


def test_a_reading_looks_its_word_up_and_compiles_nothing() -> None:
    schema, rule = RULES[0]
    prepared = rule.parts["decision"].meanings
    assert read_reply(schema, rule, "承認！") == Answered(answer={"decision": "approve"})  # noqa: RUF001
    assert rule.parts["decision"].meanings is prepared
