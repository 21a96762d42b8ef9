"""Names that a place does not read are told of with what was probably meant."""

import pytest

from sayso.core.schemas.schema import Schema, compile_schema
from sayso.core.templates.place import PLACES
from sayso.core.templates.template import compile_template

SCHEMA = {"additionalProperties": False, "properties": {"owner": {"type": "string"}, "amount": {}, "sent": {}}}


def told(source: str, place: str = "message") -> str:
    schema = compile_schema(SCHEMA)
    assert isinstance(schema, Schema)
    found = compile_template(source, PLACES[place], schema)
    assert isinstance(found, list)
    return " ".join(slip.detail for slip in found)


@pytest.mark.parametrize(
    ("source", "place", "words"),
    [
        ("{{ owner }}", "message", "write input.owner."),
        ("{{ Inputs.owner }}", "message", "Did you mean 'input'?"),
        ("{{ input.ownr }}", "message", "Did you mean 'owner'?"),
        ("{{ input.amuont }}", "message", "Did you mean 'amount'?"),
        ("{{ input.Owner }}", "message", "Did you mean 'owner'?"),
        ("{{ masage }}", "tell.with", "There is no 'masage' here: this template reads to, sent, message,"),
        ("{{ mesage }}", "tell.with", "Did you mean 'message'?"),
        ("{{ sent.message }}", "replies.conversation", "sent has conversation, id and nothing else."),
        ("{{ now.year }}", "message", "now is a text without members: write {{ now }}."),
        ("{{ input.owner | upcas }}", "message", "Did you mean 'upcase'?"),
    ],
)
def test_a_wrong_name_is_told_with_the_right_one(source: str, place: str, words: str) -> None:
    assert words in told(source, place)


@pytest.mark.parametrize(
    "source", ["{{ input.b }}", "{{ input." + "o" * 70 + " }}", "{{ input.elephant }}", "{{ on }}"]
)
def test_nothing_is_guessed_that_is_not_near(source: str) -> None:
    assert "Did you mean" not in told(source)


def test_a_member_of_the_input_is_no_help_where_no_input_is_read() -> None:
    assert "input.owner" not in told("{{ owner }}", "tell.with")
