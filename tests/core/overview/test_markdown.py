"""Words that are not ours keep what they say, and lose what they would mean in Markdown."""

from collections.abc import Iterator

import pytest
from markdown_it import MarkdownIt

from sayso.core.overview.markdown import bold, calm, code, plain, quote, within
from tests.core.overview.written import headings

READER = MarkdownIt("commonmark")


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("owner", "**owner**"),
        ("due_at", "**due_at**"),
        ("a*b", "**a\\*b**"),
        ("_id", "**\\_id**"),
        ("x`y", "**x\\`y**"),
        ("a\n\n## b\r\u2028c", "**a ## b c**"),
        ("<b>", "**\\<b>**"),
        ("a < b & c", "**a < b & c**"),
        ("&lt;", "**\\&lt;**"),
        ("[x](y)", "**\\[x\\](y)**"),
        ("x](y", "**x\\](y**"),
        ("a\x01b\x1b\u202ec", "**a\ufffdb\ufffd\ufffdc**"),
        ("~~x~~", "**\\~\\~x\\~\\~**"),
        (" \t", "**(no name)**"),
        ("n" * 100, f"**{'n' * 80}…**"),
    ],
)
def test_a_name_stays_in_its_bold(name: str, shown: str) -> None:
    assert bold(name) == shown


@pytest.mark.parametrize("name", ["a*b", "**", "`", "_x_", "\\", "<!--", "](", "&#42;", "a\\*b", "*a* **b**"])
def test_a_reader_of_markdown_sees_one_bold_name_and_its_very_characters(name: str) -> None:
    (inline,) = [token for token in READER.parse(f"- {bold(name)}: text") if token.type == "inline"]
    kinds = [child.type for child in inline.children or () if child.type != "text"]
    assert kinds == ["strong_open", "strong_close"]
    assert "".join(child.content for child in inline.children or ()) == f"{name}: text"


@pytest.mark.parametrize(
    ("text", "shown"), [("a_b", "`a_b`"), ("^`x``$", "``` ^`x``$ ```"), ("a\nb", "`a b`"), ("\x1b", "`\ufffd`")]
)
def test_code_is_shown_as_it_is_written(text: str, shown: str) -> None:
    assert code(text) == shown
    assert READER.renderInline(shown).count("<code>") == 1


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("# One\ntwo", "\\# One\ntwo"),
        ("#one", "#one"),
        ("one\n===", "one\n\\==="),
        ("one\n---\n***", "one\n\\---\n\\***"),
        ("> one", "\\> one"),
        ("1. # one", "1\\. # one"),
        ("- # one\n- 1. # two\n-", "\\- # one\n\\- 1. # two\n\\-"),
        ("- one\n* two\n3. three", "- one\n* two\n3. three"),
        ("    # one", "\\# one"),
        ("```\n~~~", "\\```\n\\~~~"),
        ("[Used by]: x", "\\[Used by\\]: x"),
        ("<h2>Used by</h2>", "\\<h2>Used by\\</h2>"),
        ("a | b\n|-|-|", "a | b\n\\|-|-|"),
        ("a | b\n--- | :-:", "a | b\n\\--- | :-:"),
        ("\\<b> \\\\<b>", "\\<b> \\\\\\<b>"),
        ("[a](javascript:b) ![c][d]", "\\[a\\](javascript:b) ![c\\][d]"),
        ("a\x01\u202eb\x1f", "a\ufffd\ufffdb"),
        ("**Ask** first\r\n\r\nthen *go*", "**Ask** first\n\nthen *go*"),
        ("2026 was 5 < 6", "2026 was 5 < 6"),
    ],
)
def test_paragraphs_stay_paragraphs(text: str, shown: str) -> None:
    assert calm(text) == shown
    assert headings(shown) == []


def test_no_line_leaves_a_quote() -> None:
    assert quote("\n\none\n\ntwo\x0bthree\u2028## four\n") == "> one\n>\n> two\n> three\n> ## four"


def test_what_is_plain_is_cut_and_on_one_line() -> None:
    assert plain("one\n two  three", 7) == "one two…"


def test_lines_end_with_a_word_where_there_is_no_more_room_and_are_made_no_further() -> None:
    made = []

    def lines() -> Iterator[str]:
        for n in range(1_000):
            made.append(n)
            yield "- é"

    assert list(within(lines(), 12)) == ["- é", "- é", "- and more, which the document says"]
    assert len(made) == 3
