"""The document of a tool's answer: structured content, else the first text, as JSON where it is JSON."""

import pytest

from sayso.core.pointers import NOTHING
from sayso.core.tool_answers import answer_document
from sayso.core.values import Json


def text(*texts: str) -> dict[str, Json]:
    return {"content": [{"type": "image", "data": "…"}, *({"type": "text", "text": one} for one in texts)]}


def test_structured_content_comes_first() -> None:
    assert answer_document({"structuredContent": {"rows": 2}, **text('{"rows": 3}')}) == {"rows": 2}


@pytest.mark.parametrize(
    ("written", "document"),
    [
        ('{"id": 1}', {"id": 1}),
        ("[1, null]", [1, None]),
        ('"quoted"', "quoted"),
        ("Posted.", "Posted."),
        ("NaN", "NaN"),
        ("", ""),
        ("9" * 5_000, "9" * 5_000),
        ("[" * 100_000, "[" * 100_000),
    ],
)
def test_else_the_first_text_counts(written: str, document: Json) -> None:
    assert answer_document(text(written, '{"second": true}')) == document


@pytest.mark.parametrize("result", [{}, {"content": []}, {"content": None, "structuredContent": None}, text()])
def test_else_there_is_no_document(result: dict[str, Json]) -> None:
    assert answer_document(result) is NOTHING
