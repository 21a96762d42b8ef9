"""Documents: what makes a function, and every fault at once, by its line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.core.document.parse import CallFunction, RequestFunction, parse
from sayso.errors import Problem
from tests.core.document.examples import asking, faults, refusal

APPROVAL = """---
description: Asks the editor whether an article may go out
to: '{{ input.editor }}'
expires: PT4H
input:
  schema:
    required: [editor, title]
    additionalProperties: false
    properties:
      editor: { type: string }
      title: { type: string }
output:
  schema:
    type: object
    required: [verdict]
    properties:
      verdict: { type: string, enum: [yes, no] }
---
May {{ input.title }} go out?
"""


def test_a_document_is_a_function() -> None:
    function = asking(APPROVAL)
    assert (function.name, function.expires_ms, function.notification) == ("ask-owner", 4 * 3_600_000, False)
    assert function.description == "Asks the editor whether an article may go out"
    assert function.from_ is None
    assert function.reply_rule is not None
    assert function.reply_rule.as_written() == {"verdict": {"from": "word", "words": {}}}
    assert function.message.source == "May {{ input.title }} go out?\n"
    assert function.warnings == ()


def test_a_written_reply_rule_is_kept_though_the_inbox_does_not_use_it() -> None:
    function = asking(APPROVAL.replace("output:", "reply: { verdict: { from: word, words: { yes: [ok] } } }\noutput:"))
    assert function.reply_rule is not None
    assert function.reply_rule.as_written() == {"verdict": {"from": "word", "words": {"yes": ["ok"]}}}


def test_without_an_answer_it_is_a_notification() -> None:
    function = asking("---\nto: all\nfrom: the editor\nexpires: P1D\ninput: {}\noutput: {}\n---\nIt went out.")
    assert function.notification
    assert (function.input_schema, function.output_schema, function.reply_rule) == (None, None, None)
    assert function.from_ is not None


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ("to: '{{ input.editor }}'\n", "", [(2, "/to")]),
        ("to: '{{ input.editor }}'\nexpires: PT4H\n", "", [(2, "/to"), (2, "/expires")]),
        ("PT4H", "PT59S", [(4, "/expires")]),
        ("PT4H", "P31D", [(4, "/expires")]),
        ("PT4H", "P1M", [(4, "/expires")]),
        ("PT4H", "240", [(4, "/expires")]),
        ("expires: PT4H", "expires: PT4H\nexpires: PT5H", [(5, "/expires")]),
        ("expires: PT4H", "expires: PT4H\nmodel: x\n1: y", [(5, "/model"), (6, "/1")]),
        ("'{{ input.editor }}'", "3", [(3, "/to")]),
        ("'{{ input.editor }}'", "", [(3, "/to")]),
        ("'{{ input.editor }}'", "' '", [(3, "/to")]),
        ("'{{ input.editor }}'", "{{ input.editor }}", [(3, "/to")]),
        ("'{{ input.editor }}'", "'{{ editor }} {{ input.chief }}'", [(3, "/to"), (3, "/to")]),
        ("expires: PT4H", "expires: PT4H\nfrom: '{{ to }}'", [(5, "/from")]),
        ("description: Asks", "description: '' # Asks", [(2, "/description")]),
        ("input:\n  schema:", "input:\n  default: {}\n  schema:", [(6, "/input/default")]),
        (
            "      editor: { type: string }",
            "      editor: { type: thing }",
            [(10, "/input/schema/properties/editor/type")],
        ),
        ("enum: [yes, no]", "enum: [yes, no], $ref: other", [(17, "/output/schema/properties/verdict/$ref")]),
        ("output:\n  schema:", "output:\n  schema: [1]\nreply:\n  schema:", [(13, "/output/schema")]),
        ("output:", "reply: { verdict: rest, gone: text }\noutput:", [(12, "/reply/gone")]),
        ("output:", "reply: word\noutput:", [(12, "/reply")]),
        ("output:", "reply:\n  verdict: *x\noutput:", [(13, "/reply/verdict")]),
        ("May {{ input.title }} go out?", "  \n", [(19, None)]),
        ("May {{ input.title }}", "May\n{{ input.titel }} {{ x }}\n{% if %}", [(21, None)]),
        ("May {{ input.title }}", "May\n{{ input.titel }} {{ x }}", [(20, None), (20, None)]),
        ("PT4H", "PT4H\ninput: 3", [(6, "/input")]),
    ],
)
def test_each_fault_has_its_line_and_its_place(old: str, new: str, found: list[tuple[int, str | None]]) -> None:
    assert old in APPROVAL
    assert faults(APPROVAL.replace(old, new, 1)) == found


@pytest.mark.parametrize("written", ["3", "", "[schema]"])
@pytest.mark.parametrize("block", ["input", "output"])
def test_a_block_is_a_mapping(block: str, written: str) -> None:
    assert faults(f"---\nto: x\nexpires: P1D\n{block}: {written}\n---\nHello") == [(4, f"/{block}")]


@pytest.mark.parametrize("output", ["", "output: {}\n"])
def test_a_reply_rule_needs_an_answer(output: str) -> None:
    assert faults(f"---\nto: x\nexpires: P1D\nreply: {{ a: text }}\n{output}---\nHello") == [(4, "/reply")]


@pytest.mark.parametrize("source", ["", "Hello", "---\n", "---\n---\n", "---\n- a\n---\n", "---\na: 'x\n---\n"])
def test_what_cannot_be_read_is_one_problem(source: str) -> None:
    assert [at for _, at in faults(source)] == [None]


def test_twenty_faults_are_shown_and_the_rest_is_counted() -> None:
    unknown = "".join(f"field{i}: 1\n" for i in range(25))
    with pytest.raises(Problem) as caught:
        parse(f"---\nto: x\nexpires: P1D\n{unknown}---\nHello")
    issues = caught.value.issues
    assert [issue.line for issue in issues] == [*range(4, 25)]
    assert issues[-1].detail == "5 more problems are not shown."
    assert caught.value.detail.startswith("The document has 25 problems. Line 4: ")


def test_a_message_that_never_fits_is_a_warning() -> None:
    assert len(parse("---\nto: x\nexpires: P1D\n---\n" + "x" * 8_193).warnings) == 1


@pytest.mark.parametrize(
    "body",
    [
        "{{" * 16_000,
        "{% if " + " " * 30_000 + "%}",
        "{{ a | }}" * 3_000,
        "{% raw %}" * 3_000,
        "{{ x }}" * 900,
        "{{1}}" * 6_500,
    ],
)
def test_hostile_bodies_are_refused_and_stay_cheap(body: str) -> None:
    assert faults(f"---\nto: x\nexpires: P1D\n---\n{body}")[0] == (5, None)


PIECES = st.sampled_from(
    [
        *(
            "---\n",
            "to: ",
            "expires: ",
            "P1D\n",
            "input:\n  schema:\n",
            "output: {schema: ",
            "reply: ",
            "from: x\n",
            "'{{ ",
            " }}'\n",
        ),
        *(
            "{% if input.a %}",
            "{% endif %}",
            "{{ input.a | upcase }}",
            "\n",
            "- ",
            "  ",
            "{",
            "}",
            "[",
            "]",
            ":",
            "&a ",
            "*a",
            "!t ",
            "\x85",
        ),
        *(
            "$ref: '#'",
            "type: string",
            "properties: {a: ",
            "description: ",
            "\ud800",
            "\x00",
            "1e999",
            "<<: ",
            "? ",
            "|\n",
            '"',
            "#",
        ),
    ]
)


@given(st.lists(PIECES | st.text(max_size=3), max_size=40).map("".join))
def test_any_text_is_a_function_or_a_problem(text: str) -> None:
    for source in (text, f"---\nto: x\nexpires: P1D\n{text}\n---\n{text}"):
        try:
            assert isinstance(parse(source), CallFunction | RequestFunction)
        except Problem as problem:
            lines = [issue.line or 0 for issue in problem.issues]
            assert lines == sorted(lines)
            assert 1 <= lines[0] <= lines[-1] <= source.count("\n") + source.count("\r") + 2


def test_a_misspelt_type_is_told_the_types_there_are() -> None:
    source = (
        "---\nto: the desk\nexpires: P1D\ninput: { schema: { properties: { lead: { type: strnig } } } }\n---\nWell?\n"
    )
    (issue,) = refusal(source)
    assert (issue.at, "string" in issue.detail) == ("/input/schema/properties/lead/type", True)
