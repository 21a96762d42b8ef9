"""Functions that ask a system: one call, with its arguments and what is read of the answer."""

import pytest

from tests.core.document.examples import TICKETS, calling, faults, refusal, spoilt


def test_a_call_is_read_whole() -> None:
    function = calling(TICKETS)
    assert (function.name, function.description) == ("list-tickets", "Lists the open tickets of a desk")
    assert (function.server, function.tool, function.read) == ("tickets", "list_tickets", "/tickets")
    assert function.arguments.written == {"desk": "{{ input.desk }}", "most": 50}
    assert function.output_schema.source == {"type": "array"}
    assert (function.input_schema is not None, function.warnings) == (True, ())


def test_a_call_needs_its_tool_and_the_schema_alone() -> None:
    function = calling("---\ncall: { server: desk, tool: ping }\noutput: { schema: {} }\n---\n \n")
    assert (function.arguments.written, function.read, function.input_schema) == ({}, None, None)


@pytest.mark.parametrize(
    ("old", "new", "line", "at"),
    [
        ("server: tickets", "server: tickets_", 4, "/call/server"),
        ("tool: list_tickets", "tool: list tickets", 5, "/call/tool"),
        ("'{{ input.desk }}'", "'{{ input.other }}'", 7, "/call/with/desk"),
        ("'{{ input.desk }}'", "'{{ to }}'", 7, "/call/with/desk"),
        ("read: /tickets", "read: ''", 9, "/call/read"),
        ("  tool: list_tickets\n", "", 3, "/call/tool"),
    ],
)
def test_each_value_is_judged_at_its_line(old: str, new: str, line: int, at: str) -> None:
    assert faults(spoilt(TICKETS, old, new)) == [(line, at)]


def test_a_body_is_refused_at_its_first_line_that_is_not_blank_and_is_no_template() -> None:
    assert faults(TICKETS + "\n \n{{ oops\n{% if %}") == [(17, None)]


def test_an_empty_pointer_is_left_out_for_the_whole_answer() -> None:
    (issue,) = refusal(spoilt(TICKETS, "read: /tickets", "read: ''"))
    assert issue.detail.endswith("Leave it out for the whole answer.")
