"""The format of a function document, as a table: every block, every key, and which shape of function takes it.

What is checked first of a document is read from here, and so are its published schema and its reference page: what the
table does not say, no document may write. # AUTO: Fields
"""

from collections.abc import Collection

from sayso.core.document.keys import Block, Key, Kind, Need, Shape
from sayso.core.document.tool_blocks import CALL, DELIVER, REPLIES

_ALWAYS = frozenset(Shape)
_CALLS = frozenset({Shape.CALL})
_ASKS = frozenset({Shape.INBOX, Shape.TOOL})

PART = Block(
    "reply.*",
    "Where one property of the answer comes from; `word`, `rest` or `text` alone is short for its `from`.",
    (
        Key(
            "from",
            Kind.PART,
            "`word`: the first word of the reply. `rest`: what follows it. `text`: the whole reply.",
            "word",
            required=_ALWAYS,
        ),
        Key(
            "words",
            Kind.WORDS,
            "Only with `word`: for a value of the property's `enum`, the other words that mean it.",
            "{ approve: [yes, ok] }",
            default="each value is its own word",
        ),
    ),
)

_NOTIFICATION = "the function is a notification, which takes no answer"
_SCHEMA = "{ type: object, properties: { note: { type: string } } }"

INPUT = Block(
    "input",
    "What a run of the function takes.",
    (
        Key(
            "schema",
            Kind.SCHEMA,
            "The JSON Schema that the input of a run must match.",
            _SCHEMA,
            default="any input is taken",
        ),
    ),
)

OUTPUT = Block(
    "output",
    "What a run of the function ends with.",
    (
        Key(
            "schema",
            Kind.SCHEMA,
            "The JSON Schema of the answer, or of what `call` reads.",
            _SCHEMA,
            default=_NOTIFICATION,
        ),
    ),
)

FORMAT = Block(
    "",
    "The front matter of a function document.",
    (
        Key(
            "description",
            Kind.TEXT,
            "What the function is for, in 1 to 1,000 characters.",
            "Asks the owner whether the draft may go out",
            default="the function has none",
        ),
        Key(
            "call",
            Kind.BLOCK,
            "The tool that the function asks, instead of a person.",
            "{ server: tickets, tool: list_tickets }",
            block=CALL,
            required=_CALLS,
            needs=(Need(path=("output", "schema"), because="it says what the run ends with"),),
        ),
        Key(
            "to",
            Kind.TEMPLATE,
            "A template of the party that the request goes to.",
            "'{{ input.owner }}'",
            place="to",
            required=_ASKS,
            refused=_CALLS,
        ),
        Key(
            "from",
            Kind.TEMPLATE,
            "A template of the answerer, whose reply counts.",
            "'{{ input.lead }}'",
            place="from",
            refused=_CALLS,
            default="the party of `to`",
        ),
        Key(
            "expires",
            Kind.DURATION,
            "How long the request waits, from `PT1M` to `P30D`.",
            "P2D",
            required=_ASKS,
            refused=_CALLS,
        ),
        Key(
            "deliver",
            Kind.BLOCK,
            "The tool that the request is sent through.",
            "{ server: chat, tool: post_message, with: { text: '{{ message }}' } }",
            block=DELIVER,
            required=frozenset({Shape.TOOL}),
            refused=_CALLS,
            default="the request waits in the inbox",
        ),
        Key(
            "replies",
            Kind.BLOCK,
            "How replies to the message are read.",
            "{ tool: list_messages, with: { room: '{{ sent.conversation }}' }, read: { … } }",
            block=REPLIES,
            refused=_CALLS,
            default="no reply is read",
            needs=(
                Need(path=("deliver",), because="only a message that was sent through a tool has replies"),
                Need(path=("deliver", "sent"), because="it tells which message they answer"),
                Need(path=("output", "schema"), because="a notification takes no answer"),
            ),
        ),
        Key(
            "input",
            Kind.BLOCK,
            "What a run of the function takes.",
            "{ schema: { type: object, properties: { owner: { type: string } } } }",
            block=INPUT,
            default="any input is taken",
        ),
        Key(
            "output",
            Kind.BLOCK,
            "What a run of the function ends with.",
            "{ schema: { type: object, properties: { verdict: { type: string } } } }",
            block=OUTPUT,
            default=_NOTIFICATION,
        ),
        Key(
            "reply",
            Kind.RULE,
            "For properties of the answer, where in a reply each comes from.",
            "{ verdict: word, note: rest }",
            block=PART,
            refused=_CALLS,
            default="made from `output.schema` where that requires one property, which is a text",
            needs=(Need(path=("output", "schema"), because="a rule fills properties of the answer"),),
        ),
    ),
)

MESSAGE = Key(
    "the message",
    Kind.TEMPLATE,
    "What the party reads: a template of Markdown, below the front matter.",
    "May {{ input.title }} go out?",
    place="message",
    required=_ASKS,
    refused=_CALLS,
)


def shape_of(fields: Collection[str]) -> Shape:
    """The shape of a document that writes these fields."""
    if "call" in fields:
        return Shape.CALL
    return Shape.TOOL if "deliver" in fields else Shape.INBOX


def key_at(path: tuple[str, ...]) -> Key:
    """The key at a path that the format has."""
    block, *below = path
    key = FORMAT.key(block)
    for name in below:
        assert key is not None and key.block is not None, path
        key = key.block.key(name)
    assert key is not None, path
    return key
