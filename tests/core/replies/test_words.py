"""Words: what of them is compared, in every script."""

# ruff: noqa: RUF001  (letters that look like others are what this is about)

import unicodedata
from typing import Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sayso.core.replies.words import is_word, normalised, says_nothing

Form = Literal["NFC", "NFD", "NFKC", "NFKD"]
FORMS: tuple[Form, ...] = ("NFC", "NFD", "NFKC", "NFKD")

ALIKE = {
    "quotes, stars, brackets": ["approve", "*Approve!*", "“approve”", "‘approve’", "«approve»", "(APPROVE)"],
    "marks of chats": ["approve", "`approve`", "~approve~", "_approve_", "**approve**"],
    "ends of sentences": ["approve", "approve…", "approve...", "approve,", "approve:", "approve?", "¡approve!"],
    "full width": ["approve", "ＡＰＰＲＯＶＥ", "ａｐｐｒｏｖｅ！"],
    "composed and decomposed": ["approuvé", "approuve\u0301", "APPROUVÉ", "Approuve\u0301."],
    "sharp s": ["straße", "STRASSE", "STRAẞE", "strasse"],
    "final sigma": ["ναίς", "ΝΑΊΣ", "ναίσ"],
    "greek with a mark below": ["ᾳ", "αι", "ΑΙ"],
    "ligatures": ["fine", "ﬁne", "ＦＩＮＥ"],
    "arabic presentation forms": ["موافق", "ﻣﻮﺍﻓﻖ", "موافق\u200f", "«موافق»"],
    "hangul": ["승인", unicodedata.normalize("NFD", "승인"), "「승인」"],
    "half-width katakana": ["ハイ", "ﾊｲ", "ハイ。"],
    "han in its brackets": ["承認", "【承認】", "承認、"],
    "cyrillic": ["утвердить", "УТВЕРДИТЬ", "Утвердить!"],
    "devanagari with a joiner": ["स्वीकृत", "स्\u200dवीकृत", "स्वीकृत।"],
    "format characters": ["ok", "o\u200bk", "\ufeffok", "ok\u00ad", "\u202eok\u202c", "\u2066ok\u2069", "\u200fok"],
    "variation selectors": ["✅", "✅\ufe0f", "✅\ufe0e", "“✅️”", "✅!"],
    "selectors of other scripts": ["\u182c", "\u182c\u180b", "\u182c\u180f", "\u182c\U000e0100"],
    "a family with and without joiners": ["👨\u200d👩\u200d👧", "👨👩👧"],
    "a joiner between a letter and its mark": ["é", "e\u200d\u0301"],
    "plus one": ["+1", ":+1:", "＋１", "+1!", "(+1)", "+\u200b1"],
    "minus one": ["-1", ":-1:", "－1", "--1", "-1."],
    "circled digits": ["1", "①", "(1)", "1."],
}

APART = [
    ("+1", "-1"),
    ("1", "-1"),
    ("1", "–1"),
    ("1", "—1"),
    ("1", "−1"),
    ("👍", "👍🏽"),
    ("👍", ":+1:"),
    ("👍", ":thumbsup:"),
    ("👍", "👎"),
    ("iptal", "İPTAL"),  # folding knows no language: a Turkish document lists both
    ("hayır", "HAYIR"),
    ("iptal", "ıptal"),
    ("approve", "approved"),
    ("approve", "аpprove"),  # its first letter is Cyrillic
    ("approve", "approve,go"),
    ("approve", "&gt;approve"),
    ("approve", ">approve"),
    ("approve", "@U0BOT9>approve"),
    ("ship", "ship:now"),
    ("승인", "승"),
    ("é", "e"),
    ("10", "1"),
    ("a", "a+"),
    ("5", "$5"),
]


@pytest.mark.parametrize("alike", ALIKE.values(), ids=ALIKE)
def test_these_are_one_word(alike: list[str]) -> None:
    assert len({normalised(word) for word in alike}) == 1
    assert normalised(alike[0]) == normalised(normalised(alike[0])) != ""


@pytest.mark.parametrize(("one", "other"), APART)
def test_these_are_two_words(one: str, other: str) -> None:
    assert normalised(one) != normalised(other)


@pytest.mark.parametrize(
    ("word", "compared"),
    [
        *(("needs-work", "needs-work"), ("-yes", "yes"), ("--1", "-1"), ("1-", "1"), ("++", "++"), ("+", "+")),
        *(("c#", "c"), ("100%", "100"), ("<b>", "<b>"), ("$5", "$5"), ("-½", "-1\u20442"), ("-\u0661", "-\u0661")),
    ],
)
def test_symbols_stay_and_punctuation_goes(word: str, compared: str) -> None:
    assert normalised(word) == compared


@pytest.mark.parametrize(
    "word", ["", "!?", "-", "--", ".", "...", "…", "—", "\u200b", "\ufe0f", "`~`", "()", "・", "।"]
)
def test_a_word_of_which_nothing_is_left_is_no_word(word: str) -> None:
    assert normalised(word) == ""
    assert not is_word(word)


@pytest.mark.parametrize("text", ["go ahead", " yes", "yes\n", "a\u00a0b", "a\u3000b", "a\u2028b", "a\0", "\ud800"])
def test_what_no_reply_can_begin_with_is_no_word(text: str) -> None:
    assert not is_word(text)


@pytest.mark.parametrize("text", ["", " \n\t", "\u3000\u2029", "\u200b", "\ufeff \ufe0f", "\u2066\u2069"])
def test_what_nobody_can_see_says_nothing(text: str) -> None:
    assert says_nothing(text)
    assert not says_nothing(text + ".")


@settings(database=None, deadline=None, max_examples=300)
@given(st.text(st.characters()))
def test_a_normal_form_is_its_own_normal_form(word: str) -> None:
    assert normalised(normalised(word)) == normalised(word)


def test_so_is_that_of_every_character() -> None:
    characters = (c for c in map(chr, range(0x110000)) if unicodedata.category(c) not in ("Cn", "Co", "Cs"))
    assert [c for c in characters if normalised(n := normalised(c)) != n] == []


@settings(database=None, deadline=None, max_examples=300)
@given(st.text(st.characters(categories=["L", "M", "N"]), min_size=1), st.sampled_from(FORMS))
def test_a_word_is_the_same_however_it_is_composed(word: str, form: Form) -> None:
    assert normalised(unicodedata.normalize(form, word)) == normalised(word)
