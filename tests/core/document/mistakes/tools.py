"""Mistakes of tools and replies: which tool, where its answer says what, and what the words of a reply mean."""

from tests.core.document.mistakes.mistake import CHAT, TICKETS, Mistake

WITH = "  with:\n    room: '{{ to }}'\n    text: '{{ message }}'\n"
SENT = "  sent:\n    conversation: /room\n    id: /id\n"
ROOM = "conversation: /room"
ORDER = "order: oldest_first"
RULE = "reply: { verdict: word, note: rest }"
WITH_RULE = CHAT[CHAT.index("reply:") : CHAT.index("      note: { type: string }")]
WITHOUT_RULE = WITH_RULE.removeprefix("reply: { verdict: word, note: rest }\n")
VERDICT = "verdict: { type: string, enum: [approve, revise] }"


def _tool(title: str, right: str, wrong: str, fix: str, line: int | None = None) -> Mistake:
    return Mistake(title=title, right=right, wrong=wrong, fix=fix, base=CHAT, line=line)


def _pointer(wrong: str, fix: str, title: str, right: str = ROOM, is_taken: bool = False) -> Mistake:
    wrong = f"conversation: {wrong}"
    return Mistake(title=title, right=right, wrong=wrong, place=ROOM, fix=fix, base=CHAT, is_taken=is_taken)


def _rule(title: str, wrong: str, fix: str, right: str = RULE) -> Mistake:
    return Mistake(title=title, right=right, wrong=wrong, place=RULE, fix=fix, base=CHAT)


TOOLS = (
    _tool("The address of a server", "server: chat", "server: https://chat.example.com", "name, and no address"),
    _tool("Capitals or underscores in a server's name", "server: chat", "server: Team_Chat", "lower-case letters"),
    _tool("Server and tool in one", "tool: post_message", "tool: chat/post_message", "without its server's"),
    _tool("Arguments by another name", WITH, WITH.replace("with", "arguments"), "Did you mean with?"),
    _tool("Arguments as a list", WITH, "  with:\n    - '{{ to }}'\n    - '{{ message }}'\n", "by their names"),
    Mistake(
        title="A tool for a call, and no more",
        base=TICKETS,
        right=TICKETS[TICKETS.index("call:") : TICKETS.index("output:")],
        wrong="call: list_tickets\n",
        fix="Write call: { server: tickets, tool: list_tickets }",
    ),
    _pointer("room", "put one before the first name", "A pointer without its slash"),
    _pointer("$.room", "Leave the $ out", "A path of JSONPath"),
    _pointer("'{{ room }}'", "takes no template", "A template for a pointer"),
    _pointer("/rooms[0]", "a slash comes first", "Brackets in a pointer", "conversation: /rooms/0", is_taken=True),
    _tool("sent as one pointer", SENT, "  sent: /id\n", "it holds conversation, id"),
    _tool("Half of sent", f"    {ROOM}\n", "", "Write conversation: /room", line=10),
)

REPLIES = (
    _tool("An order of one's own", ORDER, "order: newest", "oldest_first or newest_first"),
    _tool("A wait as a number", "wait: PT1M", "wait: 5", "write PT5S"),
    _tool("A wait that is too short", "wait: PT1M", "wait: PT1S", "between PT5S (five seconds) and PT1H (one hour)"),
    _tool("The sender of a reply by another name", "sender: /from", "from: /from", "Did you mean sender?"),
    _tool(
        "Replies of what is not delivered", CHAT[CHAT.index("deliver:") : CHAT.index("replies:")], "", "needs deliver"
    ),
    _tool("Replies without sent", SENT, "", "needs deliver.sent", line=10),
    _tool(
        "Replies to a notification",
        CHAT[CHAT.index("reply:") : CHAT.index("---\nMay")],
        "",
        "a notification takes no answer",
        line=13,
    ),
    _tool(
        "A word of a property without an enum",
        VERDICT,
        "verdict: { type: string }",
        "this property has none: give it one",
        line=23,
    ),
    _rule("A property that is not there", "reply: { verdict: word, comment: rest }", "A reply can fill verdict, note"),
    _rule("A property that is no text", "reply: { verdict: word, urgent: rest }", "needs type: string"),
    _rule("A part of one's own", "reply: { verdict: first }", "Write word, rest or text"),
    _rule("One word for the whole rule", "reply: word", "as in verdict: word"),
    _rule("Words for rest", "reply: { verdict: word, note: { from: rest, words: { fine: [ok] } } }", "Leave them out"),
    _rule(
        "One word for two values",
        "reply: { verdict: { from: word, words: { approve: [fine], revise: [fine] } } }",
        "list it for one of the two",
        "reply: { verdict: { from: word, words: { approve: [fine], revise: [no] } } }",
    ),
    _rule(
        "Several words for a word",
        "reply: { verdict: { from: word, words: { approve: [go ahead] } } }",
        "write one word",
        "reply: { verdict: { from: word, words: { approve: [go] } } }",
    ),
    _rule(
        "Words turned round",
        "reply: { verdict: { from: word, words: { yes: approve, no: revise } } }",
        "The value comes first",
        "reply: { verdict: { from: word, words: { approve: [yes], revise: [no] } } }",
    ),
    _rule(
        "A word that is not in a list",
        "reply: { verdict: { from: word, words: { approve: yes } } }",
        "The words of 'approve' are a list of texts, such as [yes,",
        "reply: { verdict: { from: word, words: { approve: [yes] } } }",
    ),
    _rule(
        "Words for a value that is not there",
        "reply: { verdict: { from: word, words: { accept: [yes] } } }",
        "'accept' is no value of the property's enum",
        "reply: { verdict: { from: word, words: { approve: [yes] } } }",
    ),
    Mistake(
        title="Two values that are one word",
        base=CHAT,
        right=WITHOUT_RULE,
        wrong=WITHOUT_RULE.replace("[approve, revise]", "[Yes, yes]"),
        place=WITH_RULE,
        fix="differ only in case or punctuation. Name one of them otherwise",
        line=13,
    ),
    Mistake(
        title="Values of several words, without a rule",
        base=CHAT,
        right=WITHOUT_RULE,
        wrong=WITHOUT_RULE.replace("[approve, revise]", "[go ahead, send back]"),
        place=WITH_RULE,
        fix="list words that mean each, as in words: { approve: [yes] }",
        line=13,
    ),
    Mistake(
        title="A telling that is never sent",
        base=CHAT,
        right="wait: PT1M\n  tell: { with: { room: '{{ sent.conversation }}', text: '{{ message }}' } }",
        wrong="wait: PT1M\n  tell: { with: { room: '{{ sent.conversation }}', text: 'Please write again.' } }",
        place="wait: PT1M",
        fix="What is told is never sent",
        below=1,
        is_taken=True,
    ),
    Mistake(
        title="A value that no reply can give",
        base=CHAT,
        right="verdict: { type: string, enum: [approve, send-back] }",
        wrong="verdict: { type: string, enum: [approve, send back] }",
        place=VERDICT,
        fix="list words for it under words",
        is_taken=True,
    ),
    Mistake(
        title="A required property that no reply gives",
        base=CHAT,
        right="required: [verdict]",
        wrong="required: [verdict, urgent]",
        fix="requires urgent, which the reply rule does not fill",
        is_taken=True,
    ),
)
