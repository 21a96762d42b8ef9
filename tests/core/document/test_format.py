"""The table of the format: whole, and in agreement with what is taken."""

import pytest

from sayso.core.document.format import FORMAT, MESSAGE, key_at, shape_of
from sayso.core.document.keys import Key, Kind, Shape
from sayso.core.templates.place import PLACES
from tests.core.document.examples import TICKETS, asking, calling, faults

KEYS = [(block, key) for block in FORMAT.walk() for key in block.keys]


def test_every_block_has_its_name_and_no_key_twice() -> None:
    names = [block.name for block in FORMAT.walk()]
    assert names == [
        *("", "call", "deliver", "deliver.sent", "replies", "replies.read", "replies.read.each", "replies.tell"),
        *("input", "output", "reply.*"),
    ]
    assert all(len({key.name for key in block.keys}) == len(block.keys) for block in FORMAT.walk())


@pytest.mark.parametrize("key", [key for _, key in KEYS], ids=lambda key: key.name)
def test_every_key_says_in_a_sentence_what_it_holds(key: Key) -> None:
    assert key.holds[0].isupper() or key.holds[0] == "`"
    assert key.holds.endswith(".")
    assert key.example
    assert bool(key.required) or key.default is not None
    assert (key.block is not None) == (key.kind in (Kind.BLOCK, Kind.RULE))
    assert not key.required & key.refused


def test_every_place_of_templates_is_a_key_or_the_message() -> None:
    places = [key.place for _, key in KEYS if key.place] + [MESSAGE.place]
    assert sorted(map(str, places)) == sorted(PLACES)


def test_the_shape_is_told_by_the_top_level_keys() -> None:
    assert [shape_of(fields) for fields in (["call", "deliver"], ["deliver", "to"], ["to"], [])] == [
        *(Shape.CALL, Shape.TOOL, Shape.INBOX, Shape.INBOX)
    ]
    assert key_at(("replies", "read", "each", "to")).kind is Kind.POINTER


def test_the_examples_of_the_table_can_be_written() -> None:
    """Each block with the examples of its keys, as a document."""
    written = {block.name: "".join(f"\n  {key.name}: {key.example}" for key in block.keys) for block in FORMAT.walk()}
    verdict = "{ type: string, enum: [yes, no] }"
    schema = f"output: {{ schema: {{ properties: {{ verdict: {verdict}, note: {{ type: string }} }} }} }}"
    calling(f"---\ncall:{written['call']}\noutput:{written['output']}\n---\n")
    fields = [key_at((name,)) for name in ("to", "from", "expires", "reply")]
    top = "\n".join(f"{key.name}: {key.example}" for key in fields)
    asking(f"---\n{top}\ndeliver:{written['deliver']}\nreplies:{written['replies']}\n{schema}\n---\n{MESSAGE.example}")


@pytest.mark.parametrize("key", [key for key in FORMAT.keys if Shape.CALL in key.refused], ids=lambda key: key.name)
def test_what_a_call_refuses_is_told_of_at_its_line(key: Key) -> None:
    source = TICKETS.replace("input:", f"{key.name}: {key.example.replace('…', '')}\ninput:")
    assert faults(source) == [(10, f"/{key.name}")]
