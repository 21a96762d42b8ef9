"""The habits of other languages in templates: what to write instead."""

import pytest

from sayso.core.templates.place import PLACES
from sayso.core.templates.template import compile_template


def said(source: str, place: str = "message") -> str:
    found = compile_template(source, PLACES[place])
    assert isinstance(found, list)
    (slip,) = found
    return slip.detail


@pytest.mark.parametrize(
    ("source", "advice"),
    [
        ("{{ input.a | default: “b” }}", "straight quotes"),
        ("{{ '{{ input.a }}' }}", "{% raw %}"),
        ("{{ 'it\\'s' }}", "the other kind"),
        ("{{ \"'\" | append: '' | append: 'b }}", "not closed"),
        ("{{{ input.a }}}", "two braces"),
        ("{{ input.a ? 'b' : 'c' }}", "{% else %}"),
        ("{{ input.a || input.b }}", "| default: input.b"),
        ("{% if input.a || input.b %}{% endif %}", "Write or"),
        ("{% if input.a && input.b %}{% endif %}", "Write and"),
        ("{% if !input.a %}{% endif %}", "{% unless"),
        ("{% if not input.a %}{% endif %}", "{% unless"),
        ("{% if input.a = 1 %}{% endif %}", "compared with =="),
        ("{% if input.a === 1 %}{% endif %}", "== or !="),
        ("{% assign a 1 %}", "{% assign name"),
        ("{% for a of input.b %}{% endfor %}", "{% for item in"),
        ("{{ input.a | truncate(3) }}", "after a colon"),
        ("{{ input.a | default 'b' }}", "after a colon"),
        ("{{ input.a.trim() }}", "with brackets"),
        ("{{ input.a + 1 }}", "plus: 1"),
        ("{{ input.first name }}", "input['first name']"),
        ("{{ input.a, input.b }}", "cannot be read here"),
        ("{% elif input.a %}", "Write elsif."),
        ("{% render 'a' %}", "takes in no other"),
        ("{% nonsense %}", "Those that may be used"),
        ("{{ input.a | length }}", "Write size."),
        ("{{ now | date: '%d' }}", "Dates are texts"),
        ("{{ input.a | number_with_delimiter }}", "Give the input the text that is to be read"),
        ("{{ input.a | nonsense }}", "that templates may use."),
        ("{% if input.a %}{% else if input.b %}{% endif %}", "Write elsif."),
        ("{{ sent.id }}", "sent is read in replies.conversation, replies.with, tell.with."),
        ("{{ secrets.a }}", "Nothing is filled in"),
        ("{{ owner }}", "is written input.owner."),
        (f"{{{{ {'a' * 80} }}}}", "assigns itself."),
    ],
)
def test_a_habit_has_its_advice(source: str, advice: str) -> None:
    assert advice in said(source)


def test_where_no_input_is_read_no_member_of_it_is_proposed() -> None:
    assert said("{{ owner }}", "replies.conversation").endswith("assigns itself.")


def test_what_is_in_quotes_is_no_habit() -> None:
    assert "plus" not in said("{{ 'a + b' | }}")
