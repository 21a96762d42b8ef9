"""Warnings: what is accepted, and will hardly do what its author meant."""

import pytest

from tests.core.document.examples import THREAD, TICKETS, asking, calling, spoilt


def test_a_message_that_never_fits() -> None:
    (warning,) = asking("---\nto: x\nexpires: P1D\n---\n" + "x" * 8_193).warnings
    assert "8,192 bytes" in warning.detail


@pytest.mark.parametrize("party", ["{{ '' }}", "a\\tb", "é" * 129, "{% if true %}{% endif %}"])
def test_a_party_that_no_run_can_ask(party: str) -> None:
    for field, more in (("to", ""), ("from", "to: x\n")):
        source = f'---\n{more}{field}: "{party}"\nexpires: P1D\n---\nMay it go?'
        (warning,) = asking(source).warnings
        assert warning.at == f"/{field}"
        assert warning.detail.endswith("No run can ask it.")


def test_a_value_that_no_reply_can_give() -> None:
    source = spoilt(THREAD, "[approve, revise]", "[approve, send it back, '?!', not now]")
    (warning,) = asking(source).warnings
    assert "verdict 'send it back' and 2 more" in warning.detail
    listed = "{ from: word, words: { send it back: [back], '?!': [what], not now: [later] } }"
    assert asking(spoilt(source, "verdict: word", f"verdict: {listed}")).warnings == ()


def test_one_such_value_is_named_alone() -> None:
    (warning,) = asking(spoilt(THREAD, "[approve, revise]", "[approve, send back]")).warnings
    assert "verdict 'send back', which" in warning.detail


def test_a_required_property_that_the_rule_does_not_fill() -> None:
    (warning,) = asking(spoilt(THREAD, "required: [verdict]", "required: [verdict, amount, day]")).warnings
    assert "requires amount, day" in warning.detail


@pytest.mark.parametrize("odd", ["x y" * 1_000, "a b\\nc", "a \\e[2J", "a \\u202eb"])
def test_what_is_named_stays_short_and_on_its_line(odd: str) -> None:
    source = spoilt(THREAD, "required: [verdict]", f'required: [verdict, "{odd}"]')
    source = spoilt(source, "[approve, revise]", f'[approve, "{odd}"]')
    for warning in asking(source).warnings:
        assert len(warning.detail) < 250
        assert warning.detail.isprintable()


@pytest.mark.parametrize(("wait", "warned"), [("PT59S", False), ("PT1M", True)])
def test_replies_that_expire_before_they_are_read(wait: str, warned: bool) -> None:
    source = spoilt(spoilt(THREAD, "expires: P2D", "expires: PT1M"), "wait: PT1M", f"wait: {wait}")
    assert any("expires before" in warning.detail for warning in asking(source).warnings) is warned


@pytest.mark.parametrize(("place", "path"), [("deliver", "/deliver/with"), ("tell", "/replies/tell/with")])
def test_a_message_that_is_never_sent(place: str, path: str) -> None:
    before, after = THREAD.split(f"{place}:\n")
    (warning,) = asking(f"{before}{place}:\n{spoilt(after, '{{ message }}', 'Hello!')}").warnings
    assert warning.at == path
    assert "is never sent: no argument reads message" in warning.detail


def test_a_message_may_be_sent_in_a_list() -> None:
    assert asking(spoilt(THREAD, "'{{ message }}'", "[{ text: '*{{ message | strip }}*' }]")).warnings == ()


@pytest.mark.parametrize(
    ("declared", "body", "lines"),
    [
        ("{ type: string }", "{{ input.draft }}", [47]),
        ("{ type: string }", "\n\n{{ input.draft }}\n", [49]),
        ("{ type: string }", "{{ input.draft }}.", []),
        ("{ type: string }", "{{ input.draft | default: 'none' }}", []),
        ("{ type: string, minLength: 1 }", "{{ input.draft }}", []),
        ("{ type: integer }", "{{ input.draft }}", []),
    ],
)
def test_a_message_that_may_be_empty(declared: str, body: str, lines: list[int]) -> None:
    source = spoilt(THREAD, "draft: { type: string }", f"draft: {declared}")
    source = spoilt(source, "Here is the draft:\n\n{{ input.draft }}", body)
    assert [warning.line for warning in asking(source).warnings if "empty where that is" in warning.detail] == lines


def test_a_message_of_an_input_without_a_schema_says_nothing() -> None:
    assert asking("---\nto: x\nexpires: P1D\n---\n{{ input.brief }}").warnings == ()


def test_a_template_for_a_key_is_sent_as_it_stands() -> None:
    source = spoilt(THREAD, "    room: '{{ to }}'\n", "    '{{ to }}': { '{% if %}': 1, '${': 2 }\n")
    assert [warning.at for warning in asking(source).warnings] == [
        "/deliver/with/{{ to }}",
        "/deliver/with/{{ to }}/{% if %}",
    ]


def test_where_no_reply_is_read_the_rule_may_fill_what_it_likes() -> None:
    replies = THREAD[THREAD.index("replies:") : THREAD.index("reply:")]
    source = spoilt(spoilt(THREAD, replies, ""), "required: [verdict]", "required: [verdict, amount]")
    assert asking(source).warnings == ()


@pytest.mark.parametrize(
    ("old", "new", "line", "at"),
    [
        ("'{{ to }}'", "'{{ to }} of {input.owner}'", 9, "/deliver/with/room"),
        ("'{{ input.owner }}'", "'{input.owner}'", 3, "/to"),
        ("/room\n", "/rooms[0]\n", 12, "/deliver/sent/conversation"),
        ("note: { type: string }", "note: { type: string, widget: area }", 45, "/output/schema/properties/note/widget"),
        ("{{ input.draft }}", "{input.draft}", 49, None),
    ],
)
def test_what_one_value_shows_is_told_of_at_its_line(old: str, new: str, line: int, at: str | None) -> None:
    (warning,) = asking(spoilt(THREAD, old, new)).warnings
    assert (warning.line, warning.at) == (line, at)
    assert warning.detail.startswith(f"Line {line}: ")


def test_a_call_has_warnings_too() -> None:
    (warning,) = calling(spoilt(TICKETS, "/tickets\n", "/tickets.open\n")).warnings
    assert (warning.line, warning.at) == (9, "/call/read")


def test_as_many_are_told_as_somebody_reads() -> None:
    warnings = asking(spoilt(THREAD, "{{ input.draft }}", "{input.draft}\n" * 30)).warnings
    assert len(warnings) == 21
    assert warnings[-1].detail == "10 more problems are not shown."
