"""The cookbook: ten functions that are taken as they are, and do over their example inputs what the page shows."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from sayso.core.document.format import shape_of
from sayso.core.document.front_matter import read
from sayso.core.document.trial import CallTrial, RequestTrial
from sayso.core.overview.overview import overview
from sayso.core.values import Json
from tests.docs import pages
from tests.docs.reference import recipes

PAGE = pages.ROOT / "docs/how-to/cookbook.md"
NAMES = recipes.names()


def test_there_are_ten_of_all_shapes() -> None:
    shapes = [shape_of(read(recipes.read(name).source).fields) for name in NAMES]
    assert (len(shapes), set(shapes)) == (10, {"call", "inbox", "tool"})


@pytest.mark.parametrize("name", NAMES)
def test_each_is_taken_without_warnings(name: str) -> None:
    assert recipes.read(name).function.warnings == ()


@pytest.mark.parametrize("name", NAMES)
def test_each_takes_its_example_input_and_renders_it(name: str) -> None:
    recipe = recipes.read(name)
    tried = recipe.tried()
    calls = [tried.call] if isinstance(tried, CallTrial) else [tried.delivery, tried.reading and tried.reading.call]
    rendered = [call.arguments for call in calls if call]
    assert "{{" not in f"{rendered}{tried.question.message if isinstance(tried, RequestTrial) else ''}"
    assert isinstance(tried, CallTrial) or tried.question.message.strip()


@pytest.mark.parametrize("name", NAMES)
def test_each_example_input_gives_every_field_that_is_required(name: str) -> None:
    recipe = recipes.read(name)
    assert recipe.function.input_schema is not None
    assert recipe.function.input_schema.issues({}, "/input")
    assert recipe.function.input_schema.issues(recipe.input_value, "/input") == ()


@pytest.mark.parametrize("name", NAMES)
def test_each_overview_holds_every_field_and_its_description(name: str) -> None:
    function = recipes.read(name).function
    told = overview(function)
    for schema in filter(None, (function.input_schema, function.output_schema)):
        for field, declared in schema.source["properties"].items():
            assert field in told
            assert declared.get("description", "") in told


@pytest.mark.parametrize("name", NAMES)
def test_no_comma_cut_a_text_of_a_schema(name: str) -> None:
    fields = read(recipes.read(name).source).fields
    assert list(_empty([fields.get("input"), fields.get("output")])) == []


def _empty(value: Json) -> Iterator[str]:
    """Keys without a value: what YAML makes of the words after a comma, where a text between braces has no quotes."""
    if isinstance(value, dict):
        yield from (key for key, below in value.items() if below is None)
        value = list(value.values())
    if isinstance(value, list):
        for below in value:
            yield from _empty(below)


@pytest.mark.parametrize("name", NAMES)
def test_the_page_shows_the_file(name: str) -> None:
    assert recipes.read(name).source in [block.text for block in pages.blocks(PAGE) if block.words == ("markdown",)]


@pytest.mark.parametrize("path", sorted(recipes.FOLDER.iterdir()), ids=lambda path: path.name)
def test_every_file_belongs_to_a_recipe(path: Path) -> None:
    assert path.stem in NAMES and path.suffix in (".md", ".json")
