"""Functions that ask a person: the party, the expiry, the message, the delivery and how replies are read."""

import pytest

from sayso.core.document.function import Each, Read, Sent
from tests.core.document.examples import THREAD, asking, faults, refusal, spoilt

INBOX = "---\nto: the owner\nexpires: P2D\n---\nHello"


def test_a_function_that_asks_through_a_tool_is_read_whole() -> None:
    function = asking(THREAD)
    assert (function.to.source, function.from_, function.expires_ms) == ("{{ input.owner }}", None, 2 * 86_400_000)
    assert function.delivery is not None
    assert (function.delivery.server, function.delivery.tool) == ("chat", "post_message")
    assert function.delivery.arguments.written == {"room": "{{ to }}", "text": "{{ message }}"}
    assert function.delivery.sent == Sent(conversation="/room", id="/message")
    assert function.reply_rule is not None
    assert function.warnings == ()


def test_how_replies_are_read_is_read_whole() -> None:
    replies = asking(THREAD).replies
    assert replies is not None
    assert replies.conversation.source == "{{ sent.conversation }}/{{ sent.id }}"
    assert (replies.tool, replies.wait_ms) == ("list_messages", 60_000)
    each = Each(id="/id", sender="/from", text="/text", to="/reply_to")
    assert replies.read == Read(list="/messages", order="oldest_first", each=each)
    assert replies.tell is not None
    assert (replies.tell.tool, len(replies.tell.arguments.written)) == ("post_notice", 2)


def test_without_a_delivery_it_waits_in_the_inbox() -> None:
    function = asking(INBOX)
    assert (function.delivery, function.replies, function.notification) == (None, None, True)


def test_a_delivery_may_say_nothing_of_what_it_sent() -> None:
    delivery = asking(INBOX.replace("---\nH", "deliver: { server: chat, tool: post, with: {} }\n---\nH")).delivery
    assert delivery is not None
    assert (delivery.sent, delivery.arguments.written) == (None, {})


def test_nobody_need_be_told() -> None:
    telling = THREAD[THREAD.index("  tell:") : THREAD.index("reply:")]
    replies = asking(spoilt(THREAD, telling, "")).replies
    assert replies is not None
    assert replies.tell is None


@pytest.mark.parametrize(
    ("old", "new", "line", "at"),
    [
        ("server: chat", "server: Chat", 6, "/deliver/server"),
        ("server: chat", "server: 4chat", 6, "/deliver/server"),
        ("server: chat", f"server: {'a' * 33}", 6, "/deliver/server"),
        ("tool: post_message", "tool: post/message", 7, "/deliver/tool"),
        ("tool: post_message", f"tool: {'a' * 129}", 7, "/deliver/tool"),
        ("tool: post_message", "tool:", 7, "/deliver/tool"),
        ("tool: list_messages", "tool: [list]", 16, "/replies/tool"),
        ("tool: post_notice", "tool: tell?", 26, "/replies/tell/tool"),
        ("conversation: /room", "conversation: room", 12, "/deliver/sent/conversation"),
        ("id: /message", "id: ''", 13, "/deliver/sent/id"),
        ("list: /messages", "list: $.messages", 21, "/replies/read/list"),
        ("order: oldest_first", "order: oldest", 22, "/replies/read/order"),
        ("id: /id", "id: /a~2", 23, "/replies/read/each/id"),
        ("to: /reply_to", "to: ''", 23, "/replies/read/each/to"),
        ("wait: PT1M", "wait: PT4S", 24, "/replies/wait"),
        ("wait: PT1M", "wait: 60", 24, "/replies/wait"),
        ("room: '{{ to }}'", "room: '{{ since }}'", 9, "/deliver/with/room"),
        ("room: '{{ to }}'", "room: ['{{ to }}', { a: '${TOKEN}' }]", 9, "/deliver/with/room/1/a"),
        ("after: '{{ since }}'", "after: '{{ input.owner }}'", 19, "/replies/with/after"),
        ("'{{ sent.conversation }}/", "'{{ since }}/", 15, "/replies/conversation"),
        ("'{{ sent.conversation }}/{{ sent.id }}'", "'{{ sent }}'", 15, "/replies/conversation"),
        ("'{{ sent.conversation }}/{{ sent.id }}'", "' '", 15, "/replies/conversation"),
    ],
)
def test_each_value_is_judged_at_its_line(old: str, new: str, line: int, at: str) -> None:
    assert faults(spoilt(THREAD, old, new)) == [(line, at)]


@pytest.mark.parametrize("written", ["'{{ message }}'", "", "[a]", "3"])
def test_arguments_have_names(written: str) -> None:
    block = "  with:\n    room: '{{ to }}'\n    text: '{{ message }}'\n"
    (issue,) = refusal(spoilt(THREAD, block, f"  with: {written}\n"))
    assert (issue.line, issue.at) == (8, "/deliver/with")
    assert ("with: {}" in issue.detail) == (written == "")


def test_a_pointer_is_told_what_to_write() -> None:
    said = {new: refusal(spoilt(THREAD, "list: /messages", f"list: {new}"))[0].detail for new in ("a.b", "''", "/~")}
    assert "in the place of each dot" in said["a.b"]
    assert "not taken." in said["''"]
    assert "~0" in said["/~"]
    (issue,) = refusal(spoilt(THREAD, "to: /reply_to", "to: ''"))
    assert "Leave it out for every message" in issue.detail


@pytest.mark.parametrize(
    ("written", "said"),
    [("2d", "P2D"), ("2 days", "P2D"), ("3600", "PT1H"), ("P4H", "PT4H"), ("", "empty"), ("[P2D]", "a text")],
)
def test_a_duration_is_told_what_to_write(written: str, said: str) -> None:
    (issue,) = refusal(spoilt(THREAD, "expires: P2D", f"expires: {written}"))
    assert (issue.line, issue.at) == (4, "/expires")
    assert said in issue.detail


@pytest.mark.parametrize("quoted", ["\u2018{{ input.owner }}\u2019", "\u201cthe owner\u201d"])
def test_curly_quotes_are_no_quotes(quoted: str) -> None:
    (issue,) = refusal(spoilt(THREAD, "'{{ input.owner }}'", quoted))
    assert (issue.line, issue.at, "curly" in issue.detail) == (3, "/to", True)


def test_a_fault_of_the_rule_is_told_of_at_its_key() -> None:
    assert faults(spoilt(THREAD, "note: rest", "remark: rest")) == [(30, "/reply/remark")]
    assert faults(spoilt(THREAD, "note: rest", "note: *x")) == [(30, "/reply/note")]


def test_where_the_schema_has_a_fault_the_rule_is_not_judged() -> None:
    source = spoilt(THREAD, "reply: { verdict: word, note: rest }", "reply: { gone: word }")
    assert faults(spoilt(source, "note: { type: string }", "note: { type: text }")) == [
        (45, "/output/schema/properties/note/type")
    ]


def test_slips_of_the_message_have_the_lines_of_the_document() -> None:
    assert faults(spoilt(THREAD, "{{ input.draft }}\n", "{{ x }}\n\n{{ y }} {{ z }}\n")) == [
        *((49, None), (51, None), (51, None))
    ]
