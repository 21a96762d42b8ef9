"""Trials: what a run would put, over samples of what only a run can know."""

import pytest

from sayso.core.document.parse import parse
from sayso.core.document.trial import RUN_ID, SENT, CallTrial, RequestTrial, try_function
from sayso.core.values import Json
from sayso.errors import Kind, Problem, Reason

NOON_MS = 1_790_856_000_000  # 2026-10-01T12:00:00Z

CALL = """\
---
call:
  server: desk
  tool: list_tickets
  with: { since: '{{ today }}', most: '{{ input.most }}' }
output: { schema: {} }
---
"""
ASK = """\
---
to: '{{ input.lead }}'
expires: P1D
deliver:
  server: desk
  tool: send_note
  with:
    room: '{{ to }}'
    text: '{{ message }}'
    extra: '{{ input.extra }}'
    facts: ['{{ run_id }}', '{{ function }}', '{{ expires_at }}', '{{ now }}', '{{ answer_schema }}']
  sent: { conversation: /room, id: /note }
replies:
  conversation: 'note {{ sent.id }}'
  tool: read_notes
  with: { room: '{{ sent.conversation }}', key: '{{ conversation }}', since: '{{ since }}' }
  read: { list: /notes, order: oldest_first, each: { id: /id, sender: /by, text: /text } }
  tell:
    tool: send_hint
    with: { text: '{{ message }}', under: '{{ sent }}' }
output: { schema: { type: object, required: [go], properties: { go: { type: string, enum: [ship, hold] } } } }
---
Ship {{ input.build }}?
"""
# What renders for anybody but this party is not noticed when it is saved.
OF_ADA_ALONE = '{% if to == "ada" %}Under {{ sent }}{% endif %}'
INPUT: Json = {"lead": "ada", "build": "b7", "extra": None}


def tried(source: str, input_value: Json) -> RequestTrial | CallTrial:
    return try_function(parse(source, name="ship-build"), input_value, NOON_MS)


def test_a_call_shows_its_arguments() -> None:
    trial = tried(CALL, {"most": 5})
    assert isinstance(trial, CallTrial)
    assert (trial.call.server, trial.call.tool) == ("desk", "list_tickets")
    assert trial.call.arguments == {"since": "2026-10-01", "most": 5}


def test_a_delivery_reads_the_request() -> None:
    trial = tried(ASK, INPUT)
    assert isinstance(trial, RequestTrial) and trial.delivery and trial.function.output_schema
    assert trial.expires_at == "2026-10-02T12:00:00.000Z"
    assert trial.delivery.arguments == {
        "room": "ada",
        "text": "Ship b7?\n",
        "extra": None,
        "facts": [
            RUN_ID,
            "ship-build",
            "2026-10-02T12:00:00.000Z",
            "2026-10-01T12:00:00.000Z",
            trial.function.output_schema.source,
        ],
    }


def test_a_reading_and_a_telling_are_over_samples() -> None:
    trial = tried(ASK, INPUT)
    assert isinstance(trial, RequestTrial) and trial.reading and trial.reading.telling
    assert trial.reading.conversation == f"note {SENT['id']}"
    assert trial.reading.call.tool == "read_notes"
    assert trial.reading.call.arguments == {"room": SENT["conversation"], "key": f"note {SENT['id']}", "since": ""}
    assert trial.reading.telling.tool == "send_hint"
    assert trial.reading.telling.arguments["under"] == SENT
    assert "ship" in trial.reading.telling.arguments["text"]


def test_what_is_told_through_the_sending_tool_names_none() -> None:
    trial = tried(ASK.replace("    tool: send_hint\n", ""), INPUT)
    assert isinstance(trial, RequestTrial) and trial.reading and trial.reading.telling
    assert trial.reading.telling.tool == "send_note"


def test_nobody_is_told_where_nothing_says_how() -> None:
    trial = tried(ASK[: ASK.index("  tell:")] + ASK[ASK.index("output:") :], INPUT)
    assert isinstance(trial, RequestTrial) and trial.reading
    assert trial.reading.telling is None


def test_a_notification_in_the_inbox_is_its_question_alone() -> None:
    trial = tried("---\nto: ada\nexpires: P1D\n---\nIt is done.\n", {})
    assert isinstance(trial, RequestTrial)
    assert (trial.delivery, trial.reading, trial.question.takes_answer) == (None, None, False)


def test_a_notification_through_a_tool_has_no_answer_schema() -> None:
    source = "---\nto: ada\nexpires: P1D\ndeliver: { server: a, tool: b, with: { s: '{{ answer_schema }}' } }\n---\nx\n"
    trial = tried(source, {})
    assert isinstance(trial, RequestTrial) and trial.delivery
    assert trial.delivery.arguments == {"s": None}


@pytest.mark.parametrize(
    ("source", "input_value", "pointer"),
    [
        (CALL, {}, "/input/most"),
        (ASK, {"build": "b7"}, "/input/lead"),
        (ASK, {"lead": "ada", "build": "b7"}, "/input/extra"),
        (CALL.replace("output:", "input: { schema: { required: [most] } }\noutput:"), {}, "/input/most"),
    ],
)
def test_what_the_input_lacks_is_told_at_its_place(source: str, input_value: Json, pointer: str) -> None:
    with pytest.raises(Problem) as refused:
        tried(source, input_value)
    assert refused.value.reason == Reason.INVALID_INPUT
    assert [issue.pointer for issue in refused.value.issues] == [pointer]


@pytest.mark.parametrize(
    ("source", "input_value"),
    [
        (ASK, INPUT | {"lead": " "}),
        (ASK, INPUT | {"extra": "x" * 17_000}),
        (CALL, {"most": "x" * 17_000}),
        (ASK.replace("room: '{{ sent.conversation }}'", f"room: '{OF_ADA_ALONE}'"), INPUT),
        (ASK.replace("'note {{ sent.id }}'", f"'{OF_ADA_ALONE}'"), INPUT),
    ],
)
def test_what_cannot_be_sent_is_unworkable(source: str, input_value: Json) -> None:
    with pytest.raises(Problem) as refused:
        tried(source, input_value)
    assert refused.value.kind == Kind.UNWORKABLE
