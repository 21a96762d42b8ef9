"""Documents that would cost much: as large as one may be, and judged all the same, every fault in its order."""

import string
from collections.abc import Callable

import pytest

from sayso.core.bounds import DOCUMENT_BYTES
from tests.core.document.examples import refusal

START = "---\nto: a\nexpires: P2D\n"
END = "\n---\nHello"
LETTERS = string.ascii_letters + string.digits
TOOL = START + "deliver: { server: a, tool: b, with: { a: ["
SCHEMA = START + "input: { schema: { "


def name(number: int) -> str:
    return LETTERS[number % 62] if number < 62 else name(number // 62 - 1) + LETTERS[number % 62]


def full(start: str, unit: Callable[[int], str], end: str) -> str:
    """A document of as many units as fit between its start and its end."""
    parts, room = [unit(0)], DOCUMENT_BYTES - len(start) - len(end) - len(unit(0))
    while len(unit(len(parts))) <= room:
        parts.append(unit(len(parts)))
        room -= len(parts[-1])
    return start + "".join(parts) + end


@pytest.mark.parametrize(
    "source",
    [
        full("---\n", lambda n: f"{name(n)}:\n", END),
        full("---\n", lambda n: f"expire{name(n)}:\n", END),
        full("---\n", lambda n: f"{name(n)}: *x\n", END),
        full("---\n", lambda _: "a:\n", END),
        full("---\ndeliver:\n", lambda n: f"{name(n)}:\n", END),
        full(START + "deliver: " + "{a: " * 69 + "[", lambda _: "*x,", "]" + "}" * 69 + END),
        full(TOOL, lambda _: "'{{to}}',", "]}}" + END),
        full(TOOL, lambda _: "'{{x}}',", "]}}" + END),
        full(TOOL, lambda _: "'{{',", "]}}" + END),
        full(TOOL + "[" * 66, lambda _: "'{{x}}',", "]" * 67 + "}}" + END),
        full(TOOL + "[" * 66, lambda _: "1,", "]" * 67 + "}}" + END),
        full(TOOL, lambda _: "'{%for i in (1..99999)%}{{i}}{%endfor%}',", "]}}" + END),
        full(SCHEMA + "allOf: [", lambda _: "1,", "]}}" + END),
        full(SCHEMA + "required: [", lambda _: "1,", "]}}" + END),
        full(SCHEMA + "properties: {", lambda n: f"{name(n)}: {{}},", "}}}" + END),
        full(SCHEMA + "not: {" * 58 + "required: [", lambda _: "1,", "]" + "}" * 60 + END),
        full(START + "output: { schema: {} }\nreply: {", lambda n: f"{name(n)}: word,", "}" + END),
        full("---\nto: [", lambda _: "1,", "]" + END),
        "---\n" + "k" * 60_000 + ": 1" + END,
        START + "x: " + "9" * 60_000 + END,
        START + "from: \u2018" + "a" * 60_000 + END,
        "---\n" + "- " * 32_000 + "x\n",
    ],
    ids=lambda source: source[:12] + source[60:100],
)
def test_a_document_of_any_size_is_judged_whole(source: str) -> None:
    assert len(source) > 60_000
    issues = refusal(source)
    lines = [issue.line or 0 for issue in issues]
    assert lines == sorted(lines)
    assert 1 <= len(issues) <= 21
    assert all(len(issue.detail) < 400 for issue in issues)
