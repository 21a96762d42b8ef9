"""Templates in words: names in bold, tags as words in brackets, and the text as it is written."""

import pytest
from markdown_it import MarkdownIt

from sayso.core.overview.markdown import harmless, inline
from sayso.core.overview.templates import template_in_words
from sayso.core.templates.template import PLACES, Template, compile_template
from tests.core.overview.written import headings


def said(source: str, limit: int = 10_000) -> str:
    template = compile_template(source, PLACES["message"])
    assert isinstance(template, Template), template
    return template_in_words(template, harmless, limit)


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("Dear {{ input.owner }}, it is {{ today }}, {{now}}.", "Dear **owner**, it is **today**, **now**."),
        ("{{ input.team.lead.name | upcase | default: 'x' }}", "**name**"),
        ("{{ input.names[0] }}; {{ input.names[-1] }}", "the first of **names**; the last of **names**"),
        ("{{ input.n[2][-3] }}", "number 3 from the end of number 3 of **n**"),
        ("{{ input.prices[input.sku] }}", "**prices** by **sku**"),
        ("{{ input['due date'] }}", "**due date**"),
        ("{{ 'Hello ' | append: input.name }}", "Hello (with **name**)"),
        ("{{ input.a | default: input.b, allow_false: input.c }}", "**a** (with **b**, **c**)"),
        ("{{ input.a | default: input.b | append: input.b }}", "**a** (with **b**)"),
        ("{{ input.items | slice: 0, 2 | join: (1..input.n) }}", "**items** (with **n**)"),
        ("{{ 'plain' }} {{ 5 }} {{ 1.50 }} {{ true }}{{ nil }}{% echo %}", "plain 5 1.5 true"),
        ("{{ input.a }}{{ empty | json }}{{ blank }}", "**a**"),
        ("{% echo input.a %}", "**a**"),
    ],
)
def test_a_value_appears_as_its_name(source: str, words: str) -> None:
    assert said(source) == words


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("{% if input.a %}x{% endif %}", "[if **a**: x]"),
        ("{% if input.a == 'x' %}y{% else %}z{% endif %}", '[if **a** is "x": y] [otherwise: z]'),
        (
            "{% if input.a != nil %}x{% elsif input.b %}y{% endif %}",
            "[if **a** is not nothing: x] [otherwise, if **b**: y]",
        ),
        (
            "{% if input.a < 1 %}x{% elsif input.a > 2 %}y{% endif %}",
            "[if **a** is less than 1: x] [otherwise, if **a** is more than 2: y]",
        ),
        ("{% if input.a <= 1 or input.a >= 2 %}x{% endif %}", "[if **a** is at most 1 or **a** is at least 2: x]"),
        ("{% if input.a and input.b or input.c %}x{% endif %}", "[if **a** and (**b** or **c**): x]"),
        ("{% if input.a contains 'b' %}x{% endif %}", '[if **a** contains "b": x]'),
        ("{% unless input.a == empty %}x{% else %}y{% endunless %}", "[unless **a** is empty: x] [otherwise: y]"),
        ("{% unless input.a == true %}x{% endunless %}", "[unless **a** is true: x]"),
    ],
)
def test_a_condition_is_said_in_words(source: str, words: str) -> None:
    assert said(source) == words


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (
            "{% case input.a %}{% when 'x', 2 or input.b %}y{% else %}z{% endcase %}",
            '[if **a** is "x" or 2 or **b**: y] [otherwise: z]',
        ),
        (
            "{% for x in input.list %}{{ x.name }}, {% else %}none{% endfor %}",
            "[for each **x** of **list**: **name**, ] [if there are none: none]",
        ),
        (
            "{% for x in (1..3) reversed limit: 2 offset: input.n %}{{ x }}{% break %}{% endfor %}",
            "[for each **x** of the numbers 1 to 3, without the first **n**, at most 2, last first: **x** [stop here]]",
        ),
        (
            "{% for x in input.a offset: continue %}{% continue %}{% endfor %}",
            "[for each **x** of **a**, on from where the last one ended: [go on with the next]]",
        ),
        (
            "{% tablerow x in input.a cols: 2 %}{{ x }}{% endtablerow %}",
            "[in a table, for each **x** of **a**, 2 in a row: **x**]",
        ),
        ("{% assign x = input.a | split: ',' %}{{ x }}", "[**x** is **a**] **x**"),
        ("{% assign x = 'a' | append: input.b %}", '[**x** is "a" (with **b**)]'),
        ("{% cycle 'a', input.b %}", '[one of these in turn: "a", **b**]'),
        ("{% increment n %}{% decrement n %}", "[**n**, counted up] [**n**, counted down]"),
        ("a{% comment %}{{ b }}{% endcomment %}{% # c %}d", "ad"),
        ("{% liquid if input.a\n echo input.b\n endif %}", "[if **a**: **b**]"),
        ("{% if input.a %}{% if input.b %}x{% endif %}{% endif %}", "[if **a**: [if **b**: x]]"),
    ],
)
def test_a_tag_is_said_in_words(source: str, words: str) -> None:
    assert said(source) == words


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("*As it is* written: $5 # {x}\n\n- [a] (b)", "*As it is* written: $5 # {x}\n\n- [a] (b)"),
        ("{% raw %}{{ not.read }} {% if %}{% endraw %}", "{{ not.read }} {% if %}"),
        ("a <b>c</b> 1 < 2 <", "a \\<b>c\\</b> 1 < 2 \\<"),
        ("<{% raw %}script>{% endraw %}{{ '<' }}img>", "\\<script>\\<img>"),
    ],
)
def test_the_text_is_kept_and_is_no_html(source: str, words: str) -> None:
    assert said(source) == words


@pytest.mark.parametrize(
    "source",
    [
        "[a](javascript:b) ![c](https://d.example) [a][e]\n\n[e]: javascript:b",
        "[a]{{ '' }}(b) [a]{% comment %}x{% endcomment %}(b) [{{ input.a }}](b) [a](({{ input.a }})",
        "{% if input.a %}](b){% endif %} {% if input.a == '](b)' %}x{% endif %} {% cycle '](b)', '](b)' %}",
        "\\<b> \\\\\\<b> `x`\\<b> \\{{ '' }}<b> \\{% comment %}x{% endcomment %}<b> \\{{ '[a](b)' }}",
    ],
)
def test_nothing_is_read_as_a_link_an_image_or_html(source: str) -> None:
    assert headings(said(source)) == []


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("{{ input.a }}{{ input.b }}", "**a** **b**"),
        ("v{{ input.a }}x", "v**a**x"),
        ("no{{ input._id }}x", "no **\\_id**x"),
        ("{{ input.a? }}x", "**a?** x"),
        ("no{{ input.a[1] }}", "no number 2 of **a**"),
        ("{% if input.a %}x{% endif %}(y)", "[if **a**: x] (y)"),
        ("{% if input.a %}x{% endif %}: y", "[if **a**: x] : y"),
        ("C:\\{{ input.a }}", "C:\\ **a**"),
        ("**{{ input.a }}**", "****a****"),
        ("{{ ' ' | append: input.a }}", " (with **a**)"),
    ],
)
def test_what_stands_side_by_side_stays_apart(source: str, words: str) -> None:
    assert said(source) == words


@pytest.mark.parametrize(
    "source", ["{{ input.a }}{{ input['*'] }}", "x{{ input._a_ }}y", "{{ input.a }}{{ input.b? }}c"]
)
def test_each_name_is_read_as_bold(source: str) -> None:
    assert MarkdownIt("commonmark").renderInline(said(source)).count("<strong>") == source.count("{{")


def test_a_party_is_text_and_no_markdown() -> None:
    template = compile_template("#room_* of {{ input.team }} \\ <b>", PLACES["to"])
    assert isinstance(template, Template)
    assert template_in_words(template, inline, 1_000) == "#room\\_\\* of **team** \\\\ \\<b>"


def test_a_long_template_is_cut_within_its_text_and_before_what_is_said_of_it() -> None:
    assert said("é" * 100 + "{{ input.a }}", limit=9) == "éééé… and more, which the document says"
    assert said("123456789{{ input.a }}", limit=12) == "123456789… and more, which the document says"
