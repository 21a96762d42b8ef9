"""The published schema of the front matter: it takes all that is saved, and refuses what needs no template to see."""

from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from random import Random

import pytest
from jsonschema_rs import Draft202012Validator, meta

from sayso.core import pointers
from sayso.core.document import front_matter
from sayso.core.document.faults import Faulty
from sayso.core.document.format import FORMAT
from sayso.core.document.json_schema import front_matter_schema
from sayso.core.document.keys import Block, Key, Shape
from sayso.core.document.parse import parse
from sayso.core.pointers import NOTHING
from sayso.core.values import Json
from sayso.errors import Problem
from tests.cases.case import Case, read_cases
from tests.fuzz import documents
from tests.fuzz_documents import functions, trials

ROOT = Path(__file__).parents[3]
CASES = read_cases(ROOT / "tests/cases", only="documents-")
SCHEMA = front_matter_schema()
VALIDATOR = Draft202012Validator(SCHEMA)

# Cases whose fault is in a template, in the message, in how YAML is written, or in what two fields say together.
UNSEEN = {
    f"documents-{case}"
    for case in (
        "056-key-twice",
        "057-anchor",
        "058-tag",
        "064-message-blank",
        "065-body-unknown-name",
        "069-include-not-available",
        "072-to-not-liquid",
        "073-to-unknown-name",
        "074-from-reads-to",
        "075-closed-schema-property-in-body",
        "076-closed-schema-property-in-to",
        "083-call-with-body",
        "090-call-with-reads-to",
        "092-call-with-list-among-text",
        "093-call-arguments-too-large",
        "109-deliver-unknown-name",
        "112-deliver-structure-among-text",
        "113-deliver-nested-path",
        "117-replies-without-rule",
        "122-wait-low",
        "123-wait-high",
        "127-key-reads-since",
        "130-reading-unknown-sent-part",
        "131-reading-structure-among-text",
        "132-reading-reads-message",
        "134-reading-argument-too-large",
        "135-telling-reads-since",
    )
}


def front(source: str) -> Json:
    """The front matter of a document, as far as YAML gives it; None where it is no mapping."""
    try:
        return front_matter.read(source).fields
    except Faulty:
        return None


def read(name: str) -> Json:
    """The front matter of a recipe."""
    return front((ROOT / f"examples/cookbook/{name}.md").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_handed_documents(case: Case) -> None:
    assert VALIDATOR.is_valid(front(case.given["source"])) == (case.expect["accepted"] or case.id in UNSEEN)


@pytest.mark.parametrize("path", sorted(ROOT.glob("examples/**/*.md")), ids=lambda path: path.stem)
def test_examples_are_taken(path: Path) -> None:
    assert VALIDATOR.is_valid(front(path.read_text(encoding="utf-8")))


def generated() -> Iterator[str]:
    for index in range(400):
        chance = Random(f"front matter {index}")
        yield trials.assembled(chance, functions.function(chance))
        yield documents.document(chance)


def test_whatever_is_saved_is_taken() -> None:
    taken = 0
    for source in generated():
        try:
            parse(source, name="generated")
        except Problem:
            continue
        taken += 1
        assert list(VALIDATOR.iter_errors(front(source))) == [], source
    assert taken > 300


def keys(block: Block, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Key]]:
    for key in block.keys:
        yield (*path, key.name), key
        if key.block is not None:
            below = (*path, key.name, "decision") if key.name == "reply" else (*path, key.name)
            yield from keys(key.block, below)


ALL = dict(keys(FORMAT))
CALL, ASK, TELL_ELSEWHERE = read("list-open-incidents"), read("decide-refund"), read("ask-for-feedback")


def holding(path: tuple[str, ...]) -> tuple[Json, Json]:
    """A front matter that has something at a path, and the block of it that holds that."""
    wholes = (
        whole for whole in (CALL, ASK, TELL_ELSEWHERE) if pointers.find(whole, pointers.join(path)) is not NOTHING
    )
    fields = deepcopy(next(wholes))
    block = fields
    for name in path[:-1]:
        block = block[name]
    return fields, block


@pytest.mark.parametrize("path", ALL, ids=pointers.join)
def test_every_key_is_taken_and_described(path: tuple[str, ...]) -> None:
    assert VALIDATOR.is_valid(holding(path)[0])
    assert ALL[path].holds in str(SCHEMA)


@pytest.mark.parametrize("path", [path for path, key in ALL.items() if key.required], ids=pointers.join)
def test_a_required_key_that_is_missing_is_refused(path: tuple[str, ...]) -> None:
    fields, block = holding(path)
    del block[path[-1]]
    is_shape = path == ("deliver",)  # without it the function has another shape
    assert not VALIDATOR.is_valid(fields) or is_shape


@pytest.mark.parametrize("path", {path[:-1]: path for path in ALL}.values(), ids=pointers.join)
def test_a_key_that_there_is_not_is_refused_beside_every_other(path: tuple[str, ...]) -> None:
    fields, block = holding(path)
    block["colour"] = "blue"
    assert not VALIDATOR.is_valid(fields)


@pytest.mark.parametrize("path", ALL, ids=pointers.join)
@pytest.mark.parametrize("value", [3, None, ["a"], "", "\n", True], ids=repr)
def test_another_kind_of_value_is_refused(path: tuple[str, ...], value: Json) -> None:
    fields, block = holding(path)
    block[path[-1]] = value
    assert not VALIDATOR.is_valid(fields) or (path == ("description",) and value == "\n")


@pytest.mark.parametrize("field", [key.name for key in FORMAT.keys if Shape.CALL in key.refused])
def test_a_call_takes_nothing_of_a_request(field: str) -> None:
    assert not VALIDATOR.is_valid(CALL | {field: ASK[field]})


@pytest.mark.parametrize("written", ["P1D", "P4W", "PT90.5S", "P1DT2H3M4.567S", "PT2H4S"])
def test_durations_are_seen_by_their_form(written: str) -> None:
    assert VALIDATOR.is_valid({"to": "a", "expires": written})


@pytest.mark.parametrize(
    "written", ["P", "PT", "P1M", "P1Y", "p1d", "-P1D", "2 days", "P1W2D", "PT1.5H", "P1DT", "P1D "]
)
def test_what_is_no_duration_is_refused(written: str) -> None:
    assert not VALIDATOR.is_valid({"to": "a", "expires": written})


@pytest.mark.parametrize(
    ("text", "taken"), [("$", True), ("$$ {", True), ("a $ b", True), ("${", False), ("$${a}", False)]
)
def test_what_looks_filled_in_is_refused_in_arguments(text: str, taken: bool) -> None:
    for argument in (text, [text], {"deep": [{"down": text}]}):
        call = {"server": "crm", "tool": "get", "with": {"a": argument}}
        assert VALIDATOR.is_valid({"call": call, "output": {"schema": {}}}) == taken


def test_the_schema_is_one_and_leads_nowhere_else() -> None:
    assert meta.is_valid(SCHEMA)
    assert all(reference.startswith("#/$defs/") for reference in references(SCHEMA))


def references(value: Json) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(value.get("$ref"), str):
            yield value["$ref"]
        value = list(value.values())
    for below in value if isinstance(value, list) else ():
        yield from references(below)
