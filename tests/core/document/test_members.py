"""Members of the input that a document reads as if every input had them: its author hears of each once."""

import pytest

from sayso.core.document.parse import parse

WITH = "deliver: { server: chat, tool: post, with: { text: '{{ message }}', day: '{{ input.day }}' } }\n"


def warned(properties: str, body: str, more: str = "", required: str = "[]", further: str = "") -> list[str]:
    schema = f"{{ required: {required}, properties: {{ {properties} }}{further} }}"
    source = f"---\nto: '{{{{ input.owner }}}}'\nexpires: P2D\n{more}input: {{ schema: {schema} }}\n---\n{body}"
    return [f"{issue.at}: {issue.detail}" for issue in parse(source, name="ask").warnings]


def test_each_is_told_of_where_it_is_read_first() -> None:
    found = warned(
        "owner: {}, brief: {}, day: {}", "Hello,\n{{ input.brief }} of {{ input.day }}\n{{ input.brief }}", WITH
    )
    assert [said.partition(" A run whose input lacks ")[0] for said in found] == [
        "/to: Line 2:",
        "/deliver/with/day: Line 4:",
        "None: Line 8:",
    ]


def test_it_says_what_to_write() -> None:
    (said,) = warned("brief: {}", "{{ input.brief }}!")
    assert said.endswith(
        "A run whose input lacks input.brief ends here as invalid_input: add it to required, or write "
        "{{ input.brief | default: '…' }} or {% if input.brief %}."
    )
    (said,) = warned("'a b': { default: x }", "{{ input['a b'] }}!")
    assert "lacks input['a b'] ends here as invalid_input (the default in a schema fills nothing in): add" in said


@pytest.mark.parametrize(
    ("body", "required", "further"),
    [
        ("{{ input.brief }}", "[brief]", ""),
        ("{{ input.brief | default: 'none' }}", "[]", ""),
        ("{% if input.brief %}{{ input.brief }}{% endif %}", "[]", ""),
        ("{{ input.brief }} {% unless input.brief == 'x' %}{% endunless %}", "[]", ""),
        ("{{ input.other }}", "[]", ""),
        ("{{ input.brief }}", "[]", ", anyOf: [{ required: [brief] }, { required: [owner] }]"),
        ("{{ input.brief }}", "[]", ", dependentRequired: { owner: [brief] }"),
    ],
)
def test_what_is_required_or_guarded_somewhere_is_not_told_of(body: str, required: str, further: str) -> None:
    assert warned("brief: { title: What it is }", f"So: {body}", required=required, further=further) == []


def test_the_answerer_and_a_call_read_the_input_too() -> None:
    (said,) = warned("lead: {}", "Hello", "from: '{{ input.lead }}'\n")
    assert said.startswith("/from: Line 4: ")
    call = "{ server: a, tool: b, with: { c: ['{{ input.d }}'], 1: 2 } }"
    schema = "{ schema: { properties: { d: true } } }"
    (issue,) = parse(f"---\ncall: {call}\ninput: {schema}\noutput: {{ schema: {{}} }}\n---\n").warnings
    assert (issue.line, issue.at) == (2, "/call/with/c/0")


def test_without_a_schema_nothing_is_known() -> None:
    assert parse("---\nto: '{{ input.a }}'\nexpires: P2D\n---\nHi {{ input.b }}").warnings == ()
