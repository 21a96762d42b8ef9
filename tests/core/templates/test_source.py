"""The form of a template: closed, paired and bounded before the engine sees it, whatever it would cost the engine."""

import pytest

from sayso.core.templates.source import slips, statements


def offsets(source: str) -> list[int]:
    return [slip.offset for slip in slips(source)]


@pytest.mark.parametrize(
    "source",
    [
        "",
        "{ {x} }",
        "{% raw %}{{ {% {% foo %}{% endraw %}",
        "{%- raw -%}{{{%- endraw -%}",
        "{% comment %}{% foo %}{{ '  {% comment %}{% endif %}{% endcomment %}'}}{% endcomment %}",
        "{% if a %}{% elsif b %}{% else %}{% endif %}",
        "{% case a %}{% when 1 %}{% else %}{% when 2 %}{% endcase %}",
        "{% for a in b %}{% if a %}{% break %}{% endif %}{% else %}{% endfor %}",
        "{% tablerow a in b %}{% continue %}{% endtablerow %}",
        "{%- liquid\n  # don't\n  if a\n    echo b\n  endif\n-%}",
        "{% liquid if a\r\n echo b\r\n else\r\n echo c\r\n endif %}",
        "{% # don't %}",
        "{% unless a %}{% endunless %}{% assign b = 1 %}{% cycle 1, 2 %}{% increment c %}{% decrement c %}{% echo b %}",
    ],
)
def test_these_are_well_formed(source: str) -> None:
    assert slips(source) == []


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("ab {{ x", [3]),
        ("{{ x }} {% if", [8]),
        ("ab{% raw %}{{ x }}", [2]),
        ("{% if x %}{% for a in b %}{% endif %}{% endfor %}", [26]),
        ("a{% if x %}{% for a in b %}", [1, 11]),
        ("{% foo %}{% bar %}", [0, 9]),
        ("{% %}", [0]),
        ("{% capture x %}{% endcapture %}", [0, 15]),
        ("{% include 'x' %}{% render 'x' %}{% layout 'x' %}", [0, 17, 33]),
        ("{% endif %}", [0]),
        ("{% else %}{% elsif a %}{% when 1 %}", [0, 10, 23]),
        ("{% if a %}{% else %}{% else %}{% endif %}", [20]),
        ("{% for a in b %}{% elsif a %}{% endfor %}", [16]),
        ("{% break %}{% if a %}{% continue %}{% endif %}", [0, 21]),
        ("{{ }}{{- -}}", [0, 5]),
        ("{% liquid\n if a\n echo b\n%}", [11]),
        ("{% liquid\n foo a\n%}", [11]),
    ],
)
def test_what_is_not_is_told_of_at_its_offset(source: str, found: list[int]) -> None:
    assert offsets(source) == found


@pytest.mark.parametrize(
    "source",
    [
        "x" * 32_769,
        "{{" * 16_000,
        "{% raw %}" * 3_600,
        "{{ " + "(" * 51 + " }}",
        "{{ a" + "[" * 16_000 + " }}",
        "{% if a" + " and a" * 51 + " %}{% endif %}",
        "{% if " + " " * 30_000 + "%}{% endif %}",
        "{{ x" + "\n" * 30_000 + "}}",
        "{{ a.b }}" * 501,
    ],
)
def test_what_would_cost_the_engine_dearly_is_one_slip(source: str) -> None:
    assert len(slips(source)) == 1


def test_names_in_quotes_and_in_comments_are_not_counted() -> None:
    assert slips("{{ '" + "a " * 1_500 + "' }}{% comment %}" + "{{ a }}" * 1_500 + "{% endcomment %}") == []


def test_statements_are_those_that_the_engine_reads() -> None:
    source = "{{ a }}{% comment %}{{ b }}{% endcomment %}{% # c %}{% liquid\n echo d\n%}{% raw %}{{ e }}{% endraw %}"
    assert [one.text for one in statements(source)] == [
        "{{ a }}",
        "{% comment %}",
        "{% endcomment %}",
        "{% liquid\n echo d\n%}",
        "{% echo d %}",
    ]
