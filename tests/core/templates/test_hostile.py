"""Hostile input: whatever a template is and whatever it reads, it gives text or a refusal, and not for long.

Work is held by charges and not by the clock, so that a run ends the same way everywhere. These are the ways by which a
template could do much for little, each with its name.
"""

import time
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.core.templates.arguments import Arguments, compile_arguments
from sayso.core.templates.filters import FILTERS, apply
from sayso.core.templates.place import PLACES
from sayso.core.templates.rendering import Meter, RenderRefused, TooMuchWork
from sayso.core.templates.template import Template, compile_template
from sayso.core.values import Json


def nested(levels: int, *, lists: bool) -> Json:
    value: Json = "leaf"
    for _ in range(levels):
        value = [value] if lists else {"k": value}
    return value


LONG = 10**4_299  # what a body may hold: 4,300 digits
HOSTILE: dict[str, Json] = {
    "text": "a" * 262_144,
    "lines": "\n" * 262_144,
    "blanks": "a " * 131_072,
    "marks": '"&<>' * 65_536,
    "entities": "&amp;" * 52_428,
    "ligature": "\ufdfa" * 87_381,
    "accents": "e\u0301" * 65_536,
    "digits": "9" * 262_144,
    "short": "a" * 2_499,
    "part": "a" * 1_248 + "ba",
    "ab": "ab" + "a" * 65_000,
    "numbers": list(range(50_000)),
    "floats": [one / 7 for one in range(12_000)],
    "rows": [[1.5] * 100] * 600,
    "letters": ["k"] * 60_000,
    "objects": [{}] * 80_000,
    "lists": [[]] * 80_000,
    "items": [{"k": one} for one in range(15_000)],
    "long": LONG,
    "longs": [LONG] * 60,
    "fractions": "1e999999",
    "nan": "nan",
    "deep": nested(511, lists=True),
    "deeper": nested(511, lists=False),
    "members": {str(one): one for one in range(20_000)},
    "infinite": float("inf"),
    "negative": -1,
    "zero": 0,
    "null": None,
    "yes": True,
    "empty": [],
}


def rendered(source: str) -> str:
    template = compile_template(source, PLACES["message"])
    assert isinstance(template, Template), template
    return template.render({"input": HOSTILE})


GROWN = "{% assign x = x | concat: x %}"


@pytest.mark.parametrize(
    "source",
    [
        pytest.param(
            "{% for i in (1..2000) %}{% if input.short contains input.part %}{% endif %}{% endfor %}", id="contains"
        ),
        pytest.param(
            "{% for i in (1..2000) %}{% assign x = input.short | remove: input.part %}{% endfor %}", id="searches"
        ),
        pytest.param(
            "{% for i in (1..2000) %}{% assign x = input.short | split: input.part %}{% endfor %}", id="splits"
        ),
        pytest.param("{% assign x = input.longs %}" + GROWN * 12 + "{{ x | json | size }}", id="long-numbers-as-json"),
        pytest.param("{% assign x = input.longs %}" + GROWN * 12 + "{{ x | uniq | size }}", id="long-numbers-compared"),
        pytest.param("{% assign x = input.longs %}" + GROWN * 12 + "{{ x | join | size }}", id="long-numbers-joined"),
        pytest.param("{% for i in (1..5000) %}{% if input.long == 1 %}{% endif %}{% endfor %}", id="long-numbers-read"),
        pytest.param("{% assign x = input.rows %}" + GROWN * 5 + "{{ x | uniq | size }}", id="fractions-compared"),
        pytest.param("{% assign x = input.numbers %}" + GROWN * 4 + "{{ x | sort | size }}", id="sorts"),
        pytest.param("{{ input.letters | map: 'a' | size }}" * 20, id="members-of-texts"),
        pytest.param("{{ input.objects | where: 'a' | map: 'a' | sum }}" * 90, id="members-of-nothing"),
        pytest.param("{{ input.floats | sum | size }}" * 90, id="sums"),
        pytest.param("{{ input.numbers | array_to_sentence_string | size }}" * 90, id="sentences"),
        pytest.param("{% assign x = input.objects %}" + "{% assign x = x | reverse %}" * 30, id="nothing-but-objects"),
        pytest.param("{% assign x = input.lines %}" + "{% assign x = x | newline_to_br %}" * 30, id="texts-that-grow"),
        pytest.param("{% for i in (1..input.long) %}{% endfor %}", id="ranges"),
        pytest.param(
            "{% for i in input.items %}{% for j in input.items %}{% endfor %}{% endfor %}", id="loops-in-loops"
        ),
        pytest.param("{{ input.text | split: '' | join: input.text }}", id="texts-between-letters"),
    ],
)
def test_much_work_for_little_is_refused(source: str) -> None:
    with pytest.raises(TooMuchWork):
        rendered(source)


def test_a_search_from_the_right_takes_the_sum_of_the_lengths_and_not_their_product() -> None:
    start = time.process_time()
    assert rendered("{{ input.text | replace_last: input.ab, 'x' | size }}") == "262144"
    assert rendered("{{ input.text | remove_last: input.ab | size }}") == "262144"
    assert time.process_time() - start < 1  # by the product it would be twenty


@pytest.mark.parametrize(
    ("text", "old", "new", "result"),
    [
        *(("a-b-c", "-", "+", "a-b+c"), ("-a", "-", "+", "+a"), ("a-", "-", "+", "a+"), ("abab", "ab", "", "ab")),
        *(("aaa", "aa", "b", "ab"), ("abc", "x", "y", "abc"), ("abc", "", "!", "abc!"), ("", "", "a", "a")),
    ],
)
def test_the_last_of_a_text_is_replaced(text: str, old: str, new: str, result: str) -> None:
    assert apply("replace_last", Meter(), text, [old, new], {}) == result
    assert apply("remove_last", Meter(), text, [old], {}) == apply("replace_last", Meter(), text, [old, ""], {})


def test_a_long_text_is_not_split_into_letters_before_it_is_paid_for() -> None:
    tracemalloc.start()
    with pytest.raises(TooMuchWork):
        rendered("{% assign x = '一' %}" + "{% assign x = x | append: x %}" * 20 + "{{ x | split: '' | size }}")
    assert tracemalloc.get_traced_memory()[1] < 32 * 1_024 * 1_024
    tracemalloc.stop()


ARGUMENTS = [
    *("input." + name for name in HOSTILE),
    *(
        "''",
        "'a'",
        "'k'",
        "0",
        "-1",
        "99999999999999999999",
        "1.5",
        "nil",
        "true",
        "empty",
        "'latin'",
        "'nan'",
        "'1e999'",
    ),
]
FILTERED = st.builds(
    lambda name, given: f" | {name}" + (": " + ", ".join(given) if given else ""),
    st.sampled_from(sorted(FILTERS)),
    st.lists(st.sampled_from(ARGUMENTS), max_size=2),
)
CHAINS = st.builds(
    lambda value, filters: "input." + value + "".join(filters),
    st.sampled_from(sorted(HOSTILE)),
    st.lists(FILTERED, max_size=3),
)
CONDITIONS = st.builds(
    "{} {} {}".format,
    st.sampled_from(ARGUMENTS),
    st.sampled_from(["==", "!=", "<", ">", "<=", ">=", "contains"]),
    st.sampled_from(ARGUMENTS),
)
SOURCES = st.one_of(
    CHAINS.map("{{{{ {} }}}}".format),
    CHAINS.map("{{{{ {} }}}} ".format),
    CHAINS.map("{{% assign x = {} %}}{{% for i in x %}}{{{{ i }}}}{{% endfor %}}".format),
    CHAINS.map(
        "{{% assign x = {} %}}{{% tablerow i in x cols: 3 limit: 9 %}}{{{{ i | json }}}}{{% endtablerow %}}".format
    ),
    CONDITIONS.map("{{% if {} %}}a{{% elsif input.null %}}b{{% endif %}}".format),
    st.builds(
        "{{% case {} %}}{{% when {}, 1 %}}a{{% endcase %}}".format,
        st.sampled_from(ARGUMENTS),
        st.sampled_from(ARGUMENTS),
    ),
    st.builds("{{% for i in ({}..{}) %}}{{{{ i }}}}{{% endfor %}}".format, *[st.sampled_from(ARGUMENTS)] * 2),
    st.builds("{{% for i in {} limit: {} offset: {} %}}.{{% endfor %}}".format, *[st.sampled_from(ARGUMENTS)] * 3),
    st.sampled_from(ARGUMENTS).map("{{% cycle {}, 'a' %}}".format),
)


@given(SOURCES)
def test_whatever_is_rendered_it_is_a_value_or_a_refusal(source: str) -> None:
    arguments = compile_arguments({"a": source}, PLACES["call.with"])
    if isinstance(arguments, Arguments):
        try:
            assert "a" in arguments.render({"input": HOSTILE, "today": "", "now": ""})
        except RenderRefused as refusal:
            assert len(refusal.detail) < 300
