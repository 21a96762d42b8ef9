"""What may be wrong with a reply rule: each fault at its path, once, in words that say what to write."""

import pytest

from sayso.core.replies.faults import faults, no_rule
from sayso.core.replies.rule import check_rule, derived_rule
from sayso.core.values import Json

VERDICT = {
    "type": "object",
    "required": ["verdict"],
    "properties": {
        "verdict": {"type": "string", "enum": ["approve", "Needs work"]},
        "alike": {"type": "string", "enum": ["Yes", "yes!"]},
        "marks": {"type": "string", "enum": ["-", "--", "a"]},
        "numbers": {"type": "string", "enum": [1, 2]},
        "note": {"type": "string"},
        "count": {"type": "integer"},
        "closed": False,
    },
}
AT = ("verdict", "words", "approve")


def word(words: Json) -> Json:
    return {"verdict": {"from": "word", "words": words}}


@pytest.mark.parametrize(
    ("reply", "path", "says"),
    [
        ({}, (), "at least one property"),
        ("word", (), "verdict: word"),
        (None, (), "at least one property"),
        ({"gone": "word"}, ("gone",), "no property of this name"),
        ({"closed": "text"}, ("closed",), "type: string"),
        ({"count": {"from": "word", "words": 3}}, ("count",), "type: string"),
        ({"note": "word"}, ("note",), "give it one, or write rest or text"),
        ({"numbers": "word"}, ("numbers",), "has none"),
        ({"note": "first"}, ("note",), "word, rest or text"),
        ({"note": 3}, ("note",), "word, rest or text"),
        ({"note": ["rest"]}, ("note",), "word, rest or text"),
        ({"note": {"words": {}}}, ("note",), "word, rest or text"),
        ({"note": {"from": "rest", "words": {"a": ["b"]}}}, ("note", "words"), "Leave them out"),
        ({"note": {"from": "rest", "as": "text"}}, ("note", "as"), "takes from and words"),
        ({"alike": "word"}, ("alike",), "would mean both"),
        (word(["yes"]), ("verdict", "words"), "approve: [yes]"),
        (word(None), ("verdict", "words"), "approve: [yes]"),
        (word({"Approve": ["yes"]}), ("verdict", "words", "Approve"), "'Approve' is no value of the property's enum"),
        (word({"a" * 40: ["yes"]}), ("verdict", "words", "a" * 40), f"'{'a' * 32}…' is no value"),
        (word({"approve": "yes"}), AT, "The words of 'approve' are a list of texts, such as [yes,"),
        (word({"approve": [1]}), AT, "needs its quotes"),
        (word({"approve": [True]}), AT, "needs its quotes"),
        (word({"approve": [f"w{i}" for i in range(17)]}), AT, "at most 16 words"),
        (word({"approve": ["ok", "é" * 33]}), AT, "Word 2 of 'approve' is longer than 64 bytes"),
        (word({"approve": ["go ahead"]}), AT, "write one word"),
        (word({"approve": ["yes "]}), AT, "has blanks in it"),
        (word({"approve": ["a\u3000b"]}), AT, "has blanks in it"),
        (word({"approve": ["yes", "!!"]}), AT, "Word 2 of 'approve' leaves nothing to compare"),
        (word({"approve": [""]}), AT, "leaves nothing to compare"),
        (word({"approve": ["\u200b"]}), AT, "leaves nothing to compare"),
        (word({"approve": ["a\0"]}), AT, "no message holds"),
        (word({"approve": ["\ud800"]}), AT, "no message holds"),
        (
            word({"approve": ["ok"], "Needs work": ["OK."]}),
            ("verdict", "words", "Needs work"),
            "already means 'approve'",
        ),
        (word({"approve": ["ok"], "Needs work": ["no", "ＯＫ"]}), ("verdict", "words", "Needs work"), "Word 2"),  # noqa: RUF001
        (word({"Needs work": ["approve"]}), ("verdict", "words", "Needs work"), "already means 'approve'"),
    ],
)
def test_a_fault_is_told_of_at_its_path(reply: Json, path: tuple[str, ...], says: str) -> None:
    (fault,) = faults(reply, VERDICT)
    assert fault.path == path
    assert says in fault.detail


@pytest.mark.parametrize(
    "reply",
    [
        *({"verdict": "word", "note": "rest"}, {"verdict": "text"}, {"alike": "text"}, {"marks": "word"}),
        *(word({}), word({"approve": []}), word({"approve": ["Approve!", "ok", "OK"]})),
        word({"approve": ["é" * 32, *(f"w{i}" for i in range(15))]}),
        word({"approve": ["+1", ":+1:", "👍", "👍🏽"], "Needs work": ["-1", ":-1:", "👎", "1"]}),
    ],
)
def test_nothing_is_wrong_with_these(reply: Json) -> None:
    assert list(faults(reply, VERDICT)) == []


def test_every_mistake_is_told_of_once_and_in_the_order_of_the_document() -> None:
    reply = {
        "verdict": {"as": "x", "from": "word", "words": {"maybe": ["a b"], "approve": [1, "a b"]}},
        "count": "rest",
        "note": "first",
    }
    assert [fault.path for fault in faults(reply, VERDICT)] == [
        ("verdict", "as"),
        ("verdict", "words", "maybe"),
        ("verdict", "words", "approve"),
        ("count",),
        ("note",),
    ]
    assert check_rule(reply, VERDICT) == list(faults(reply, VERDICT))


def test_at_most_sixteen_values_have_words() -> None:
    values = [f"v{i}" for i in range(17)]
    schema = {"properties": {"v": {"type": "string", "enum": values}}}
    (fault,) = faults({"v": {"from": "word", "words": {value: [] for value in values}}}, schema)
    assert fault.path == ("v", "words")
    assert list(faults({"v": {"from": "word", "words": {value: [] for value in values[:16]}}}, schema)) == []


def test_the_words_of_a_fault_repeat_no_word_of_the_document() -> None:
    replies = [word({"approve": "sesame"}), word({"approve": ["open sesame"]}), {"sesame": "word"}]
    assert [fault for reply in replies for fault in faults(reply, VERDICT) if "sesame" in fault.detail] == []


def test_only_names_that_somebody_can_read_are_offered() -> None:
    names = ("note", "n" * 10_000, "a\nb", "\x1b[2J", "\u202e", "why")
    (fault,) = faults({"gone": "text"}, {"properties": {name: {"type": "string"} for name in names}})
    assert fault.detail.endswith(" A reply can fill note, why.")


@pytest.mark.parametrize(
    ("required", "declared", "says"),
    [
        ([], {"type": "string"}, "no object that requires one property. Say which text"),
        (["verdict", "note"], {"type": "string"}, "no object that requires one property. Say which text"),
        (["verdict"], {"type": "boolean"}, "requires 'verdict', which has no type: string. Say which text"),
        (["verdict"], {"type": "string", "enum": ["Yes", "yes!"]}, "differ only in case or punctuation. Name one"),
        (["verdict"], {"type": "string", "enum": ["go ahead", "?!"]}, "No value of 'verdict' is one word"),
        (["verdict"], {"type": "string", "enum": []}, "No value of 'verdict' is one word"),
    ],
)
def test_why_no_rule_can_be_made(required: list[str], declared: Json, says: str) -> None:
    schema: dict[str, Json] = {"type": "object", "required": required, "properties": {"verdict": declared}}
    assert derived_rule(schema) is None
    assert says in no_rule(schema)
    assert no_rule({"required": ["verdict"]}).startswith("It is no object that requires one property.")
