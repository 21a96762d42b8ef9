"""What holds of the overview of every document that can be saved."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from sayso.core.document.function import Function
from sayso.core.document.parse import parse
from sayso.core.overview.markdown import bold
from sayso.core.overview.overview import overview
from sayso.core.values import Json
from sayso.errors import Problem
from tests.core.overview.strategies import SCHEMAS, TEMPLATES, TEXTS
from tests.core.overview.test_overview import DELIVER, OF_CALL, OF_REQUEST, REPLIES
from tests.core.overview.written import document, headings, section

_DESCRIPTIONS = TEXTS.filter(bool)


@st.composite
def questions(draw: st.DrawFn, /, **more: Json) -> Function:
    """A question, or a notification, with templates for its parties and its message."""
    front = {"description": draw(_DESCRIPTIONS), "to": f"x{draw(TEMPLATES)}", "expires": "P1D"} | more
    return saved(
        front | {"input": {"schema": draw(SCHEMAS)}, "output": {"schema": draw(SCHEMAS)}}, f"x{draw(TEMPLATES)}"
    )


@st.composite
def calls(draw: st.DrawFn, /) -> Function:
    """A call, which has no templates that an overview tells of."""
    front: dict[str, Json] = {"call": {"server": "tickets", "tool": "list_tickets"}, "description": draw(_DESCRIPTIONS)}
    return saved(front | {"input": {"schema": draw(SCHEMAS)}, "output": {"schema": draw(SCHEMAS)}}, "")


def saved(front: dict[str, Json], body: str) -> Function:
    try:
        return parse(document(front, body))
    except Problem:  # such as a name that the schema does not take, or an empty message
        assume(False)
        raise


def holds(function: Function, sections: list[str], fields_at: tuple[str, str]) -> None:
    """No Liquid, no heading that is not ours, and each field of the first level by its name."""
    said = overview(function)
    assert "{{" not in said
    assert "{%" not in said
    assert headings(said) == sections
    for title, schema in zip(fields_at, (function.input_schema, function.output_schema), strict=True):
        assert schema is not None
        for name in schema.source["properties"]:
            assert f"- {bold(name)}: " in section(said, title)


@pytest.mark.parametrize("more", [{}, {"deliver": DELIVER}], ids=["inbox", "tool"])
@given(chance=st.data())
def test_of_every_question(more: dict[str, Json], chance: st.DataObject) -> None:
    holds(chance.draw(questions(**more)), OF_REQUEST, ("What it needs", "What answer it expects"))


@given(chance=st.data())
def test_of_every_question_that_reads_replies(chance: st.DataObject) -> None:
    name = chance.draw(_DESCRIPTIONS)
    schema = chance.draw(SCHEMAS)
    schema["properties"][name] = {"type": "string"}
    front: dict[str, Json] = {
        "to": "x",
        "expires": "P1D",
        "deliver": DELIVER,
        "replies": REPLIES,
        "reply": {name: "text"},
    }
    function = saved(front | {"input": {"schema": {"properties": {}}}, "output": {"schema": schema}}, "x")
    holds(function, [*OF_REQUEST, "How replies are read"], ("What it needs", "What answer it expects"))


@given(function=calls())
def test_of_every_call(function: Function) -> None:
    holds(function, OF_CALL, ("What it sends", "What it reads"))
