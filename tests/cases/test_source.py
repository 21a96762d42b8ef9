"""What can be told of a document from its text, before it is saved."""

import pytest

from tests.cases.source import closing_line, definition_name, names_a_tool


@pytest.mark.parametrize(
    "source",
    [
        "---\ncall:\n  server: a\n---\n",
        "---\nto: x\r\ndeliver: {}\r\n---\nHello",
        "---\n'replies': {}\n---\n",
        "---\n{to: x, deliver: {server: a}}\n---\nHello",
        "deliver: {}\n---\nHello",
    ],
)
def test_a_key_for_a_tool_at_the_top_level_names_a_tool(source: str) -> None:
    assert names_a_tool(source)


@pytest.mark.parametrize(
    "source",
    ["---\nto: x\n---\ndeliver: today", "---\ninput:\n  call: 1\n---\nHello", "---\ncaller: x\n---\nHi", "Hello", ""],
)
def test_a_key_elsewhere_names_none(source: str) -> None:
    assert not names_a_tool(source)


def test_the_closing_line_counts_from_the_first_line_of_the_document() -> None:
    assert closing_line("\ufeff---\nto: x\n--- \nHello") == 3
    assert closing_line("---\nto: x") is None
    assert closing_line("Hello\n---\n") is None


def test_a_short_name_becomes_one_that_can_be_saved() -> None:
    assert definition_name("f") == "case-f"
    assert definition_name("ask-lead") == "ask-lead"
