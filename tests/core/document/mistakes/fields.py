"""Mistakes of fields: their names, their places, and how long a request waits."""

from textwrap import dedent

from tests.core.document.mistakes.mistake import CHAT, TICKETS, Mistake

TO = "to: '{{ input.owner }}'"
EXPIRES = "expires: P2D"
DESK = "{ schema: { type: object, required: [desk], properties: { desk: { type: string } } } }"
DELIVER = CHAT[CHAT.index("deliver:") : CHAT.index("replies:")]
SCHEMA = """  schema:
    type: object
    required: [verdict]
    properties:
      verdict: { type: string, enum: [approve, revise] }
      note: { type: string, maxLength: 2000 }
"""


def _too_much(field: str, fix: str) -> Mistake:
    """A field that no document has."""
    title = f"A field that is not there: {field.partition(':')[0]}"
    return Mistake(title=title, right=EXPIRES, wrong=f"{EXPIRES}\n{field}", fix=fix, below=1)


def _expiry(written: str, fix: str, title: str) -> Mistake:
    return Mistake(title=title, right=EXPIRES, wrong=f"expires: {written}", fix=fix)


NAMES = (
    Mistake(title="A misspelt field", right=EXPIRES, wrong="expire: P2D", fix="Did you mean expires?"),
    Mistake(title="A field by another name", right=EXPIRES, wrong="timeout: P2D", fix="Did you mean expires?"),
    Mistake(title="No party", right=f"{TO}\n", wrong="", fix="Write to: '{{ input.owner }}'", line=2),
    Mistake(title="Several parties", right=TO, wrong="to: [anna, ben]", fix="one text, and no list"),
    _too_much("name: approve-brief", "A name is given when the document is saved"),
    _too_much("title: May this brief go out?", "Begin the message with it"),
    _too_much("channel: marketing", "write it in deliver, under with"),
    _too_much("options: [approve, revise]", "the enum of a property in output.schema"),
    _too_much("model: large", "No model is asked"),
    Mistake(
        title="The answerer by another name",
        right=f"{EXPIRES}\nfrom: anna",
        wrong=f"{EXPIRES}\nreply_to: anna",
        place=EXPIRES,
        fix="Did you mean from?",
        below=1,
    ),
    Mistake(
        title="A schema directly below output",
        right=SCHEMA,
        wrong=SCHEMA.replace("  schema:\n", "").replace("    ", "  ", 1).replace("\n    ", "\n  "),
        fix="indent it below schema",
    ),
    Mistake(
        title="The fields of the answer directly below output",
        right=SCHEMA,
        wrong="  verdict: { type: string, enum: [approve, revise] }\n  note: { type: string, maxLength: 2000 }\n",
        fix="stands below its properties",
    ),
    Mistake(
        title="A type directly below input",
        base=TICKETS,
        right=f"input: {DESK}\noutput:\n",
        wrong="input: { desk: string }\noutput:\n",
        place="output:\n",
        fix="Write input: { schema: { type: object, properties: { desk: { type: string } } } }",
    ),
    Mistake(
        title="A field of those who ask a person, beside call",
        base=TICKETS,
        right="call:\n",
        wrong="to: anna\ncall:\n",
        fix="beside call, leave it out",
    ),
    Mistake(
        title="A call without the schema of what it reads",
        base=TICKETS,
        right="output:\n  schema: { type: array }\n",
        wrong="",
        fix="Write output: { schema: ",
        line=2,
    ),
    Mistake(
        title="What belongs to a block is not indented",
        base=CHAT,
        right=DELIVER,
        wrong="deliver:\n" + dedent(DELIVER.removeprefix("deliver:\n")),
        fix="indent what belongs to it",
    ),
)

EXPIRY = (
    _expiry("2d", "write P2D", "A duration in letters of one's own"),
    _expiry("2 days", "write P2D", "A duration in words"),
    _expiry("3600", "write PT1H", "A duration as a number of seconds"),
    _expiry("P2H", "write PT2H", "Hours without the T before them"),
    _expiry("P1M", "PT before minutes", "Months, or minutes without the T before them"),
    _expiry("PT30S", "between PT1M (one minute) and P30D (thirty days)", "Less than a minute"),
    _expiry("P90D", "between PT1M (one minute) and P30D (thirty days)", "More than thirty days"),
    _expiry("2027-03-01", "how long to wait, and not until when", "A date"),
    _expiry("'{{ input.days }}'", "takes no template", "A template"),
)
