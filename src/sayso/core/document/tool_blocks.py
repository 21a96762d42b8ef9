"""The blocks of the format that name tools: which tool, its arguments, and where its answer says what is needed.

A part of the table in `format`, with the same promise. # AUTO: Tool blocks
"""

from sayso.core.document.keys import Block, Key, Kind, Shape

_ALWAYS = frozenset(Shape)

_SERVER = "A tool server, by the name in `search`: a lower-case letter, then up to 31 more, digits or hyphens."
_TOOL = "up to 128 letters, digits and any of `_ - .`"

CALL = Block(
    "call",
    "The tool that a function asks, once for each run.",
    (
        Key("server", Kind.SERVER, _SERVER, "tickets", required=_ALWAYS),
        Key(
            "tool", Kind.TOOL, f"The tool to call, by its name in `search`: {_TOOL}.", "list_tickets", required=_ALWAYS
        ),
        Key(
            "with",
            Kind.ARGUMENTS,
            "The arguments of the call, by the names that the tool gives them; each text in them is a template.",
            "{ desk: '{{ input.desk }}' }",
            place="call.with",
            default="no arguments, `{}`",
        ),
        Key(
            "read",
            Kind.POINTER,
            "A JSON Pointer to what of the answer the run ends with.",
            "/tickets",
            default="the whole answer",
        ),
    ),
)

SENT = Block(
    "deliver.sent",
    "Where the sending tool's answer names the message that it sent.",
    (
        Key(
            "conversation",
            Kind.POINTER,
            "A JSON Pointer to the conversation that the message was posted in.",
            "/room",
            required=_ALWAYS,
        ),
        Key("id", Kind.POINTER, "A JSON Pointer to the id of the message.", "/message_id", required=_ALWAYS),
    ),
)

DELIVER = Block(
    "deliver",
    "The tool that a request is sent through.",
    (
        Key("server", Kind.SERVER, _SERVER, "chat", required=_ALWAYS),
        Key(
            "tool",
            Kind.TOOL,
            f"The tool that sends the message, by its name in `search`: {_TOOL}.",
            "post_message",
            required=_ALWAYS,
        ),
        Key(
            "with",
            Kind.ARGUMENTS,
            "The arguments of the sending tool, by its own names; each text in them is a template.",
            "{ room: '{{ to }}', text: '{{ message }}' }",
            place="deliver.with",
            required=_ALWAYS,
        ),
        Key(
            "sent",
            Kind.BLOCK,
            "Where the tool's answer names the message; `replies` needs it.",
            "{ conversation: /room, id: /message_id }",
            block=SENT,
            default="nothing says what the message was sent as, and no reply is read",
        ),
    ),
)

EACH = Block(
    "replies.read.each",
    "JSON Pointers within each message that the reading tool lists.",
    (
        Key("id", Kind.POINTER, "The message's id; the newest one's becomes `since`.", "/id", required=_ALWAYS),
        Key("sender", Kind.POINTER, "Who wrote the message; only the answerer's count.", "/from", required=_ALWAYS),
        Key("text", Kind.POINTER, "The words of the message, which the rule reads.", "/text", required=_ALWAYS),
        Key(
            "to",
            Kind.POINTER,
            "The message that this one replies to.",
            "/reply_to",
            default="every message answers the conversation's one open request",
        ),
    ),
)

READ = Block(
    "replies.read",
    "Where the reading tool's answer lists the messages.",
    (
        Key("list", Kind.POINTER, "A JSON Pointer to the list of messages.", "/messages", required=_ALWAYS),
        Key(
            "order",
            Kind.ORDER,
            "The order in which the tool lists them: `oldest_first` or `newest_first`.",
            "oldest_first",
            required=_ALWAYS,
        ),
        Key(
            "each",
            Kind.BLOCK,
            "Where each message has its id, its sender and its words.",
            "{ id: /id, sender: /from, text: /text }",
            block=EACH,
            required=_ALWAYS,
        ),
    ),
)

TELL = Block(
    "replies.tell",
    "How a party is told that its reply was no answer.",
    (
        Key(
            "tool",
            Kind.TOOL,
            f"Which tool of that server tells: {_TOOL}.",
            "post_message",
            default="the tool of `deliver`",
        ),
        Key(
            "with",
            Kind.ARGUMENTS,
            "The arguments of that tool; `message` in them is the telling.",
            "{ room: '{{ sent.conversation }}', text: '{{ message }}' }",
            place="tell.with",
            required=_ALWAYS,
        ),
    ),
)

REPLIES = Block(
    "replies",
    "How replies to the sent message are read, by tools of `deliver.server`.",
    (
        Key(
            "conversation",
            Kind.TEMPLATE,
            "A template of the key that a conversation is read under: requests of one key share its readings.",
            "'{{ sent.conversation }}/{{ sent.id }}'",
            place="replies.conversation",
            default="`'{{ sent.conversation }}'`",
        ),
        Key(
            "tool",
            Kind.TOOL,
            f"Which tool of `deliver.server` lists what came since a point: {_TOOL}.",
            "list_messages",
            required=_ALWAYS,
        ),
        Key(
            "with",
            Kind.ARGUMENTS,
            "The arguments of the reading tool, by its own names; each text in them is a template.",
            "{ room: '{{ sent.conversation }}', after: '{{ since }}' }",
            place="replies.with",
            required=_ALWAYS,
        ),
        Key(
            "read",
            Kind.BLOCK,
            "Where the messages are in the reading tool's answer.",
            "{ list: /messages, order: oldest_first, each: { id: /id, sender: /from, text: /text } }",
            block=READ,
            required=_ALWAYS,
        ),
        Key(
            "wait",
            Kind.DURATION,
            "The shortest time between two readings, from `PT5S` to `PT1H`.",
            "PT1M",
            default="`PT5S`",
        ),
        Key(
            "tell",
            Kind.BLOCK,
            "How a party is told that its reply was no answer, three times at most.",
            "{ with: { room: '{{ sent.conversation }}', text: '{{ message }}' } }",
            block=TELL,
            default="nobody is told",
        ),
    ),
)
