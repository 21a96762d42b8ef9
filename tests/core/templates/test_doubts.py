"""Doubts: what a template may be and hardly is on purpose. It is taken, and its author hears of it."""

import pytest

from sayso.core.schemas.schema import Schema, saved_schema
from sayso.core.templates.arguments import Arguments, compile_arguments
from sayso.core.templates.place import PLACES
from sayso.core.templates.template import Template, compile_template

SCHEMA = saved_schema({"properties": {"brief": {}, "links": {"type": "array"}, "by": {"type": "object"}, "any": True}})


def doubts(source: str, schema: Schema | None = SCHEMA) -> list[tuple[int, str]]:
    template = compile_template(source, PLACES["message"], schema)
    assert isinstance(template, Template)
    return list(template.doubts)


@pytest.mark.parametrize(
    ("source", "offset", "said"),
    [
        ("To {input.owner}", 3, "single braces"),
        ("${ input.brief } is due", 0, "single braces"),
        ("a{# later #}", 1, "{% comment %}"),
        ("{{ input.breif }}", 3, "Did you mean 'brief'?"),
        ("See {{ input.links }}", 4, "join: ', '"),
        ("{% if input.by %}{{- input.by -}}{% endif %}", 17, "write | json"),
    ],
)
def test_it_is_told_of_at_its_place(source: str, offset: int, said: str) -> None:
    ((at, detail),) = doubts(source)
    assert at == offset
    assert said in detail


@pytest.mark.parametrize(
    "source",
    [
        "{{ input.brief }}, {{ input.any }}, {{ input }}, {{ input[0] }}",
        "{{ input.other }}",
        "{{ input.links | join: ', ' }}",
        "{% for link in input.links %}{{ link }}{% endfor %}",
        "{ input } {{ '{' }} {# {",
        "{% assign links = input.links %}",
    ],
)
def test_what_may_well_be_meant_is_not_told_of(source: str) -> None:
    assert doubts(source) == []


def test_without_a_schema_no_name_is_doubted() -> None:
    assert doubts("{{ input.breif }} {{ input.links }}", None) == []


def test_an_argument_may_be_a_list_and_a_longer_text_may_not_hold_one() -> None:
    made = compile_arguments({"a": ["{{ input.links }}"], "b": "See {{ input.links }}"}, PLACES["call.with"], SCHEMA)
    assert isinstance(made, Arguments)
    assert [doubt.path for doubt in made.doubts] == [("b",)]
