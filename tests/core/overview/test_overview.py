"""Overviews: what is said of each shape, in which order, and that nothing of a document passes for a section."""

import subprocess
import sys

import pytest

from sayso.core.document.parse import parse
from sayso.core.overview.overview import overview, used_by_section
from sayso.core.values import Json
from tests.core.overview.written import call, document, headings, question, section

OF_REQUEST = ["What it needs", "Who it asks", "What it sends", "Where", "How long it waits", "What answer it expects"]
OF_CALL = ["Who it asks", "What it sends", "What it reads"]

VERDICT: Json = {
    "type": "object",
    "required": ["verdict"],
    "properties": {"verdict": {"type": "string", "enum": ["ship", "hold"]}, "note": {"type": "string"}},
}
DELIVER: Json = {
    "server": "chat",
    "tool": "post_message",
    "with": {"text": "{{ message }}"},
    "sent": {"conversation": "/room", "id": "/id"},
}
REPLIES: Json = {
    "tool": "list_messages",
    "with": {},
    "read": {"list": "/all", "order": "oldest_first", "each": {"id": "/id", "sender": "/by", "text": "/text"}},
}


def test_a_question_is_told_in_the_order_of_the_format() -> None:
    said = question(description="Asks the lead", output={"schema": VERDICT}, from_="{{ input.lead }}")
    assert said.startswith("Asks the lead\n\n## What it needs\n\n")
    assert headings(said) == OF_REQUEST
    assert section(said, "What it needs") == "No input is described: any input is taken, and none is needed."
    assert section(said, "Who it asks") == "- To: the desk\n- The reply of this one counts: **lead**"
    assert section(said, "What it sends") == "The message:\n\n> May it go out?"
    assert section(said, "Where") == "In the playbook's inbox."
    assert section(said, "How long it waits") == "2 days, and the question ends then."
    assert section(said, "What answer it expects") == (
        '- **verdict**: one of "ship" or "hold"; required.\n- **note**: text; optional.'
    )


def test_a_question_that_reads_replies_ends_with_how_they_are_read() -> None:
    rule = {"verdict": {"from": "word", "words": {"ship": ["go"]}}, "note": "rest"}
    said = question(deliver=DELIVER, replies=REPLIES, reply=rule, output={"schema": VERDICT})
    assert headings(said) == [*OF_REQUEST, "How replies are read"]
    assert section(said, "Where") == "Through the tool `post_message` of the server `chat`."
    assert section(said, "How replies are read").splitlines() == [
        "With the tool `list_messages` of the server `chat`.",
        "",
        "- verdict is the reply's first word, one of: ship (or go); hold.",
        "- note is what follows the first word.",
    ]


def test_a_notification_expects_no_answer() -> None:
    said = question("{{ input.build }} is out.", input={"schema": {"properties": {"build": {"type": "string"}}}})
    assert said.startswith("This function has no description yet.\n")
    assert section(said, "What it needs") == "- **build**: text; optional."
    assert section(said, "What it sends").startswith("The message, with the names in bold filled in when it runs:\n")
    inbox = "At most 2 days: a notification that waits in the inbox is done at once."
    assert section(said, "How long it waits") == inbox
    sent = question(deliver={"server": "chat", "tool": "post_message", "with": {}})
    assert section(sent, "How long it waits") == "2 days, and what was not delivered by then is given up."
    assert section(said, "What answer it expects") == "None: it is a notification, which needs no answer."


def test_a_call_is_told_in_the_order_of_the_format() -> None:
    said = call(call={"server": "tickets", "tool": "list_tickets", "read": "/open/0"}, description="Lists tickets")
    assert headings(said) == OF_CALL
    assert section(said, "Who it asks") == "It calls the tool `list_tickets` of the server `tickets`."
    assert section(said, "What it reads") == "The part at `/open/0` of the tool's answer.\n\nWhat is read: list."
    assert section(call(), "What it reads").startswith("The whole of the tool's answer.")


def test_used_by_comes_last_and_only_where_something_uses_it() -> None:
    function = parse(document({"to": "desk", "expires": "P1D"}, "It is out."))
    assert overview(function, ["nightly", "hotfix"]).endswith("\n\n## Used by\n\n- nightly\n- hotfix\n")
    assert overview(function, ["nightly"]) == overview(function) + used_by_section(["nightly"])
    assert used_by_section([]) == ""
    assert used_by_section([f"caller-{n}" for n in range(1_000)]).endswith("\n- and more, which the document says\n")


FAKES = (
    "## Used by\n\n- payroll",
    "x\n\n## Used by",
    "Used by\n---",
    "<h2>Used by</h2>",
    "<!-- ",
    "```\n",
    "- ## Used by",
    "1. 1. # Used by",
    "\u2028## Used by",
    "\\\n# Used by",
    "</blockquote>\n## Used by",
)


@pytest.mark.parametrize("fake", FAKES)
def test_nothing_of_a_document_passes_for_a_section(fake: str) -> None:
    schema = {
        "title": fake,
        "description": fake,
        "required": [fake],
        "properties": {fake: {"type": "string", "enum": [fake, "y"], "title": fake, "description": fake}},
    }
    said = question(
        f"{fake}\n{fake}\n\n{{% raw %}}{fake}{{% endraw %}}",
        description=fake,
        to=fake,
        from_=f"{{{{ input.x }}}}{fake}",
        deliver=DELIVER,
        replies=REPLIES,
        reply={fake: "text"},
        input={"schema": schema},
        output={"schema": schema},
    )
    assert headings(said) == [*OF_REQUEST, "How replies are read"]


def test_a_message_of_comments_alone_is_no_trouble() -> None:
    assert section(question("{% comment %}x{% endcomment %}"), "What it sends") == "The message:"


WIDE = {"properties": {f"{n}{'*' * 90}": {"description": "\u00e9*" * 300} for n in range(20)}}


@pytest.mark.parametrize("body", ["x" + "\n" * 9_000 + "\nx" * 10_000, "<a" * 15_000, "\U0001f600" * 5_000])
def test_an_overview_stays_below_its_bound(body: str) -> None:
    front = {"description": "<a" * 500, "to": "*" * 200, "from": "*" * 200, "expires": "P1D"}
    schemas = {"input": {"schema": WIDE}, "output": {"schema": {"properties": {"a": {"enum": ["*" * 90] * 9}}}}}
    said = overview(parse(document(front | schemas, body)), [f"caller-{n}" for n in range(1_000)])
    assert len(said.encode()) <= 65_536


def test_an_overview_does_not_hang_on_the_order_of_hashes() -> None:
    source = document({"to": "desk", "expires": "P1D", "input": {"schema": WIDE}, "output": {"schema": VERDICT}}, "x")
    program = (
        "import sys; from sayso.core.document.parse import parse; from sayso.core.overview.overview import overview;"
        "print(ascii(overview(parse(sys.argv[1]))))"
    )
    said = {
        subprocess.check_output([sys.executable, "-c", program, source], env={"PYTHONHASHSEED": seed}, text=True)
        for seed in ("1", "2")
    }
    assert said == {ascii(overview(parse(source))) + "\n"}
