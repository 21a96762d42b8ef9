"""The schemas of a document: every fault at the line and the place of what it is about."""

import pytest

from tests.core.document.examples import asking, faults, refusal


def document(schema: str, block: str = "input") -> str:
    return f"---\nto: a\nexpires: P2D\n{block}:\n  schema:\n    {schema}\n---\nHello"


def test_a_fault_is_at_its_line_in_lists_and_mappings() -> None:
    schema = "allOf:\n      - type: object\n      - properties:\n          a/b: { type: x }\n    required: a"
    assert faults(document(schema)) == [
        (9, "/input/schema/allOf/1/properties/a~1b/type"),
        (10, "/input/schema/required"),
    ]


@pytest.mark.parametrize("block", ["input", "output"])
def test_a_closed_schema_requires_only_what_it_takes(block: str) -> None:
    closed = "type: object\n    additionalProperties: false\n    properties: { a: {}, b: false }\n"
    written = f"{closed}    required:\n      - a\n      - b\n      - c"
    (issue,) = refusal(document(written, block))
    assert (issue.line, issue.at) == (11, f"/{block}/schema/required/1")
    assert "b, c: required" in issue.detail
    for odd in ("c" * 500, '"c\\nd"', '"\\e[2J"'):
        (issue,) = refusal(document(written.replace("- c", f"- {odd}"), block))
        assert len(issue.detail) < 250
        assert issue.detail.isprintable()


@pytest.mark.parametrize(
    "schema", ["required: [a]", "type: object\n    required: [a]", "additionalProperties: false\n    required: [a]"]
)
def test_an_open_schema_may_require_what_it_does_not_describe(schema: str) -> None:
    assert asking(document(schema)).input_schema is not None


def test_templates_are_not_judged_by_a_schema_that_has_a_fault() -> None:
    schema = "additionalProperties: false\n    type: x"
    assert faults(document(schema).replace("Hello", "{{ input.anything }}")) == [(7, "/input/schema/type")]
