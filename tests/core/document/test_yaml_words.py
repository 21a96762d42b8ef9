"""YAML that cannot be read: one message, at the line of the mistake, that says what to write."""

import pytest

from tests.core.document.examples import refusal

QUOTES = "goes in quotes"


@pytest.mark.parametrize(
    ("front", "line", "said"),
    [
        ("to: {{ input.owner }}", 2, QUOTES),
        ("to: {{ input.owner }} or anybody", 2, QUOTES),
        ("to: {% if input.a %}a{% endif %}", 2, QUOTES),
        ("output:\n  schema: { title: {{ to }} }", 3, QUOTES),
        ("output:\n  schema: { title: x{{ to }}, type: string }", 3, QUOTES),
        ("description: Ask: now or never", 2, QUOTES),
        ("to: @owner", 2, "begins with @"),
        ("to: `owner`", 2, "begins with `"),
        ("to: *owner", 2, "begins with *"),
        ("to: !owner", 2, "begins with !"),
        ("input:\n\tschema: {}", 3, "no tab"),
        ("input:\n  schema:\n\t\ttype: object", 4, "no tab"),
        ("to: 'the owner", 2, "is not closed"),
        ("to: 'the owner's'", 2, "other kind of quotes"),
        ('to: "the "owner""', 2, "other kind of quotes"),
        ("to: a\n  expires: P2D", 3, "indent both alike"),
        ("to:a\nexpires: P2D", 2, "blank is missing"),
        ("to:\u00a0a\nexpires: P2D", 2, "of another kind"),
        ("input:\n\u2003schema: {}", 3, "of another kind"),
        ("to: a\n\ufeffexpires: P2D", 3, "of another kind"),
        ("to = a\nexpires: P2D", 2, "comes a colon"),
        ("to\uff1aa\nexpires: P2D", 2, "comes a colon"),
        ("to: 'a text\n  of two lines' # here\nexpires: @now", 4, "begins with @"),
        ("to: 'the owner\nexpires: 'P2D'", 2, "is not closed"),
        ("to: [draft] of the owner", 2, "begins with ["),
        ("to: > owner", 2, "begins with >"),
        ("reply: { a: [:+1:] }", 2, "begins with :"),
        ('to: "a\\d"', 2, "single quotes"),
        ("input:\n    schema: {}\n  more: {}", 4, "another column"),
        ("input: { a: 1\nto: b", 2, "that opens here"),
        ("input: {\n  a: 1\n  b: 2\n}", 4, "a comma is missing"),
        ("  to: a\nexpires: P2D", 3, "same column"),
        ("input: { schema: { type: object }", 2, "not closed"),
        ("input: [a, b", 2, "not closed"),
        ("input: { schema: {} } }", 2, "was not opened"),
        ("description: one\ntwo\nto: a", 3, "a key, a colon and a value"),
        ("to: a\n\nMay {{ input.x }} go?", 4, "---"),
        ('a: "\\uZZZZ"', 2, "as YAML: "),
        ("a: { pattern: ^INV-[0-9]+$ }", 2, "with a bracket or a brace in it"),
        ("a: {\n  pattern: '^x',\n  more: ^x{2,3}$\n}", 4, "with a bracket or a brace in it"),
        ("a: { pattern: [A-Z]+, b: 1 }", 2, "with a bracket or a brace in it"),
        ("a: { text: Dear [name] }", 2, "with a bracket or a brace in it"),
        ("a: { b: [c, d] e: 1 }", 2, "a comma is missing"),
        ("a: { b: [c]\n  d: 1 }", 2, "a comma is missing"),
        ("a: { b: {} [c] }", 2, "a comma is missing"),
    ],
)
def test_a_mistake_is_told_of_once_at_its_line(front: str, line: int, said: str) -> None:
    (issue,) = [issue for issue in refusal(f"---\n{front}\n---\nHello") if "missing, unless" not in issue.detail]
    assert issue.line == line
    assert said in issue.detail


@pytest.mark.parametrize("closing", ["----", "--", " ---", "...", "\u2014\u2014\u2014", "- - -", "--- # end"])
def test_a_line_that_was_meant_to_close_the_front_matter_is_named(closing: str) -> None:
    (issue,) = refusal(f"---\nto: a\nexpires: P2D\n{closing}\nHello")
    assert (issue.line, "Line 4 is not quite one" in issue.detail) == (1, True)


def test_what_is_no_mapping_is_told_how_fields_are_written() -> None:
    details = [refusal(f"---\n{front}\n---\nHello")[0].detail for front in ("- to: a", "to = a", "# later")]
    assert ["to: the owner" in detail for detail in details] == [True, True, False]
    assert all("(call)" in detail for detail in details)
