"""The structure of a document: keys that are unknown, missing, misspelt or misplaced, each told of once."""

import pytest

from tests.core.document.examples import THREAD, TICKETS, asking, calling, faults, refusal, spoilt


@pytest.mark.parametrize(
    ("beside", "line", "at"),
    [
        ("expires: P2D\n", 5, ""),
        ("  server: chat\n", 7, "/deliver"),
        ("    conversation: /room\n", 13, "/deliver/sent"),
        ("  tool: list_messages\n", 17, "/replies"),
        ("    list: /messages\n", 22, "/replies/read"),
        ("    tool: post_notice\n", 27, "/replies/tell"),
        ("input:\n", 32, "/input"),
        ("output:\n", 40, "/output"),
    ],
)
def test_an_unknown_key_is_told_of_at_its_own_line_with_those_that_there_are(beside: str, line: int, at: str) -> None:
    indent = " " * (len(beside) - len(beside.lstrip()) + 2 * beside.endswith(":\n"))
    (issue,) = refusal(spoilt(THREAD, beside, f"{beside}{indent}zzz: 1\n"))
    assert (issue.line, issue.at) == (line, f"{at}/zzz")
    assert "takes " in issue.detail.partition("'zzz'")[2]


def test_unknown_keys_of_each_and_of_a_call() -> None:
    assert faults(spoilt(THREAD, "to: /reply_to", "at: /at")) == [(23, "/replies/read/each/at")]
    assert faults(spoilt(TICKETS, "  read:", "  limit: 3\n  read:")) == [(9, "/call/limit")]


@pytest.mark.parametrize(
    ("old", "line", "at"),
    [
        ("to: '{{ input.owner }}'\n", 2, "/to"),
        ("expires: P2D\n", 2, "/expires"),
        ("  server: chat\n", 5, "/deliver/server"),
        ("  with:\n    room: '{{ to }}'\n    text: '{{ message }}'\n", 5, "/deliver/with"),
        ("    conversation: /room\n", 11, "/deliver/sent/conversation"),
        ("    id: /message\n", 11, "/deliver/sent/id"),
        ("  tool: list_messages\n", 14, "/replies/tool"),
        ("    list: /messages\n", 20, "/replies/read/list"),
        ("    order: oldest_first\n", 20, "/replies/read/order"),
        ("    each: { id: /id, sender: /from, text: /text, to: /reply_to }\n", 20, "/replies/read/each"),
        ("id: /id, ", 23, "/replies/read/each/id"),
        ("sender: /from, ", 23, "/replies/read/each/sender"),
        ("text: /text, ", 23, "/replies/read/each/text"),
        (
            "    with:\n      room: '{{ sent.conversation }}'\n      text: '{{ message }}'\nreply",
            25,
            "/replies/tell/with",
        ),
    ],
)
def test_a_missing_key_is_told_of_at_the_line_of_its_block(old: str, line: int, at: str) -> None:
    (issue,) = refusal(spoilt(THREAD, old, "reply" if old.endswith("reply") else ""))
    assert (issue.line, issue.at) == (line, at)
    assert f" Write {at.rpartition('/')[2]}: " in issue.detail


def test_what_may_be_left_out_has_its_default() -> None:
    source = THREAD
    for left_out in ("  conversation: '{{ sent.conversation }}/{{ sent.id }}'\n", "  wait: PT1M\n", ", to: /reply_to"):
        source = spoilt(source, left_out, "")
    replies = asking(source).replies
    assert replies is not None
    assert (replies.conversation.source, replies.wait_ms, replies.read.each.to) == (
        *("{{ sent.conversation }}", 5_000, None),
    )


@pytest.mark.parametrize(
    ("old", "new", "line", "at", "said"),
    [
        ("expires:", "expirs:", 4, "/expirs", "Did you mean expires?"),
        ("expires:", "Expires:", 4, "/Expires", "Did you mean expires?"),
        ("expires:", "timeout:", 4, "/timeout", "Did you mean expires?"),
        ("\nto:", "\nrecipient:", 3, "/recipient", "Did you mean to?"),
        ("deliver:", "delivery:", 5, "/delivery", "Did you mean deliver?"),
        ("output:", "outputs:", 39, "/outputs", "Did you mean output?"),
        ("reply:", "replys:", 30, "/replys", "Did you mean reply?"),
        ("  server:", "  \u201cserver\u201d:", 6, "/deliver/\u201cserver\u201d", "Did you mean server?"),
        ("  with:", "  args:", 8, "/deliver/args", "Did you mean with?"),
        ("  sent:\n", "sent:\n", 11, "/sent", "It belongs in deliver."),
        ("  tool: list", "  server: chat\n  tool: list", 16, "/replies/server", "It belongs in call or deliver."),
        (
            "  read:\n    list: /messages\n    order: oldest_first\n",
            "  order: oldest_first\n  read:\n    list: /messages\n",
            *(20, "/replies/order", "It belongs in replies.read."),
        ),
        ("  wait: PT1M\n", "  expires: PT1M\n", 24, "/replies/expires", "It belongs at the top."),
    ],
)
def test_what_was_meant_is_not_missing_as_well(old: str, new: str, line: int, at: str, said: str) -> None:
    (issue,) = refusal(spoilt(THREAD, old, new))
    assert (issue.line, issue.at) == (line, at)
    assert said in issue.detail


def test_a_misspelt_call_is_no_request_that_lacks_everything() -> None:
    assert faults(spoilt(TICKETS, "call:", "cal:")) == [(3, "/cal")]


def test_nothing_is_guessed_of_long_names_or_after_many() -> None:
    long = refusal(f"---\nto: a\nexpires: P2D\n{'deliver' * 20}: 1\n---\nHello")
    assert "Did you mean" not in long[0].detail
    assert len(long[0].detail) < 250
    many = "".join(f"unknown{n}: 1\n" for n in range(50)) + "expirs: P2D\n"
    assert faults(f"---\nto: a\n{many}---\nHello")[0] == (2, "/expires")


def test_what_is_not_indented_below_its_block_is_one_mistake() -> None:
    flat = "deliver:\nserver: chat\ntool: post_message\nwith: {}\n"
    assert faults(f"---\nto: a\nexpires: P2D\n{flat}---\nHello") == [(4, "/deliver")]


@pytest.mark.parametrize("written", ["chat", "3", "[a]", ""])
@pytest.mark.parametrize("block", ["deliver", "replies", "input", "output", "call"])
def test_a_block_holds_keys(block: str, written: str) -> None:
    source = TICKETS if block == "call" else THREAD
    start = source.index(f"\n{block}:") + 1
    end = next(n for n in range(start + 1, len(source)) if source[n - 1] == "\n" and source[n] not in " ")
    assert (source.count("\n", 0, start) + 1, f"/{block}") in faults(
        f"{source[:start]}{block}: {written}\n{source[end:]}"
    )


def test_a_schema_is_written_under_schema() -> None:
    assert faults(spoilt(THREAD, "output:\n  schema:\n", "output:\n")) == [(40, "/output/type")]
    flat = "input:\n  schema:\n  type: object\n  properties: {}\n"
    assert faults(f"---\nto: a\nexpires: P2D\n{flat}---\nHello") == [(6, "/input/type")]
    assert faults("---\nto: a\nexpires: P2D\ninput: { schema: {}, type: object }\n---\nHello") == [(4, "/input/type")]


def test_a_part_of_the_schema_that_is_beside_it_is_one_mistake() -> None:
    source = spoilt(THREAD, "    properties:\n      owner", "  properties:\n      owner")
    assert faults(source) == [(36, "/input/properties")]
    assert faults(spoilt(source, "input:\n", "input:\n  format: date\n")) == [
        *((32, "/input/format"), (37, "/input/properties"))
    ]


def test_a_key_that_holds_its_value_is_told_what_was_meant() -> None:
    assert faults(spoilt(TICKETS, "schema: { type: array }", "schema { type: array }")) == [
        (13, "/output/schema { type")
    ]


def test_replies_need_a_delivery_what_it_sent_an_answer_and_a_rule() -> None:
    sent = "  sent:\n    conversation: /room\n    id: /message\n"
    delivery = THREAD[THREAD.index("deliver:") : THREAD.index("replies:")]
    output = THREAD[THREAD.index("output:") : THREAD.index("---\nHere")]
    rule = "reply: { verdict: word, note: rest }\n"
    assert faults(spoilt(THREAD, delivery, "")) == [(5, "/replies")]
    assert faults(spoilt(THREAD, sent, "")) == [(11, "/replies")]
    assert faults(spoilt(spoilt(THREAD, output, ""), rule, "")) == [(14, "/replies")]
    assert faults(spoilt(spoilt(THREAD, "[verdict]", "[verdict, note]"), rule, "")) == [(14, "/replies")]


def test_a_call_needs_the_schema_of_what_it_ends_with() -> None:
    output = TICKETS[TICKETS.index("output:") : TICKETS.rindex("---")]
    assert faults(spoilt(TICKETS, output, "")) == [(3, "/call")]
    assert faults(spoilt(TICKETS, output, "output: {}\n")) == [(3, "/call")]
    assert calling(spoilt(TICKETS, output, "output: { schema: {} }\n")).output_schema.source == {}


@pytest.mark.parametrize("lost", ["<<: { server: a, tool: b, with: {} }", "? [server]\n  : chat", "{{ x }}: 1"])
def test_of_a_block_that_was_not_read_whole_nothing_is_missing(lost: str) -> None:
    ((line, at),) = faults(f"---\nto: a\nexpires: P2D\ndeliver:\n  {lost}\n---\nHello")
    assert (line, at) == (5, "/deliver/<<" if lost.startswith("<<") else "/deliver")


def test_a_needed_block_that_was_not_read_whole_is_not_lacking() -> None:
    assert faults("---\nto: a\nexpires: P2D\nreply: { a: text }\noutput:\n  <<: *x\n---\nHello") == [(6, "/output/<<")]
    assert faults("---\nto: a\nexpires: P2D\nreply: { a: text }\noutput: *x\n---\nHello") == [(5, "/output")]
    assert faults("---\nto: a\nexpires: P2D\nreply: { a: text }\nschema: {}\n---\nHello") == [(5, "/schema")]


@pytest.mark.parametrize("name", ["message", "body", "prompt"])
def test_the_message_is_no_field(name: str) -> None:
    assert faults(f"---\nto: a\nexpires: P2D\n{name}: Hello\n---\n") == [(4, f"/{name}")]


def test_a_message_above_the_closing_line_is_one_mistake() -> None:
    (issue,) = refusal("---\nto: a\nexpires: P2D\n\nMay it go: now?\nOr is it: too late?\n---\n")
    assert (issue.line, issue.at) == (5, "/May it go")
    assert "---" in issue.detail


@pytest.mark.parametrize(
    ("written", "example"),
    [
        ("{ customer: string }", "{ customer: { type: string } }"),
        ("{ customer: { type: int, minimum: 1 } }", "{ customer: { type: integer } }"),
        ("{ customer: { enum: [a] } }", "{ customer: { type: string } }"),
        ("{ due: date, customer: text }", "{ due: { type: string } }"),
        ("{ 'the customer': bool }", "{ note: { type: boolean } }"),
    ],
)
def test_properties_without_a_schema_are_shown_in_one(written: str, example: str) -> None:
    (issue,) = refusal(
        spoilt(TICKETS, TICKETS[TICKETS.index("input:") : TICKETS.index("output:")], f"input: {written}\n")
    )
    assert (issue.line, issue.detail.partition(" Write ")[2]) == (
        10,
        f"input: {{ schema: {{ type: object, properties: {example} }} }}.",
    )


@pytest.mark.parametrize(
    "written",
    [
        "{ Schema: { type: object } }",
        "{ json-schema: object }",
        "{ definition: { properties: {} } }",
        "{ file: a.json }",
    ],
)
def test_a_schema_by_another_name_is_no_property(written: str) -> None:
    (issue,) = refusal(
        spoilt(TICKETS, TICKETS[TICKETS.index("input:") : TICKETS.index("output:")], f"input: {written}\n")
    )
    assert "input takes no" in issue.detail
