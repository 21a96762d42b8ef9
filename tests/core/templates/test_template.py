"""Templates: their names are checked when they are saved, and what they render is text or a refusal."""

import pytest

from sayso.core.schemas.schema import Schema, compile_schema
from sayso.core.templates.rendering import Overflow, RenderRefused
from sayso.core.templates.template import PLACES, Slip, Template, compile_template, never_fits
from sayso.core.values import Json

RESERVED = """
and as blank cols contains continue else empty false for if in limit nil not null offset or required reversed true with
"""
NOW = {"today": "2026-10-07", "now": "2026-10-07T09:00:00.000Z"}


def saved(source: str, schema: Json = None) -> Template:
    compiled = compile_schema(schema) if schema is not None else None
    assert compiled is None or isinstance(compiled, Schema)
    template = compile_template(source, PLACES["message"], compiled)
    assert isinstance(template, Template), template
    return template


def slips(source: str, schema: Json = None) -> list[Slip]:
    compiled = compile_schema(schema) if schema is not None else None
    assert compiled is None or isinstance(compiled, Schema)
    found = compile_template(source, PLACES["to"], compiled)
    assert isinstance(found, list), found
    return found


def rendered(source: str, **given: Json) -> str:
    return saved(source).render({"input": given, **NOW})


def refused(source: str, **given: Json) -> tuple[str, str | None]:
    with pytest.raises(RenderRefused) as caught:
        rendered(source, **given)
    return caught.value.reason, caught.value.pointer


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("On {{ today }} at {{ now }}", "On 2026-10-07 at 2026-10-07T09:00:00.000Z"),
        ("{{ input.t }}, {{ input['a b'] }}", "{{ x }}, blank"),
        ("{{ input.l[0] }}{{ input.l[-1] }}", "13"),
        ("{{ input.l[input.l[0]] }}{{ input['for'][input.key] }}", "220"),
        ("[{{ input.none }}|{{ input.yes }}|{{ input.no }}]", "[|true|false]"),
        ("{{ input.half }} {{ input.whole }} {{ input.long }}", "1.5 5 9007199254740993"),
        ("{{ input.limit }} {{ input.for.if }} {{ input . in }}", "10 20 30"),
        ("{{- input.t -}} x", "{{ x }}x"),
        ("${{ input.limit }}", "$10"),
        ("{% for i in (1..input.l[2]) %}{{ i }}{% endfor %}", "123"),
        ("{% for pair in input.for %}{{ pair[0] }}={{ pair[1] }}{% endfor %}", "if=20"),
        ("{% for i in input.l %}{{ forloop.index }}/{{ forloop.length }} {% endfor %}", "1/3 2/3 3/3 "),
        ("{% for i in input.l %}[{{ forloop.parentloop }}]{% endfor %}", "[][][]"),
        (
            "{% for i in input.l %}{% for j in input.l %}{{ forloop.parentloop.index }}{% endfor %}{% endfor %}",
            "111222333",
        ),
        ("{% liquid\n # isn't .limit\n assign x = input.limit\n echo x\n%}", "10"),
        ("{% cycle 'a', 'b' %}{% cycle 'a', 'b' %}{% cycle 'g': 1, 2 %}{% increment n %}", "ab10"),
        ("{{ '.limit' }}{{ \".for\" }}", ".limit.for"),
        (
            "{% tablerow i in input.l cols:2 %}{{ i }}{% break %}{% endtablerow %}",
            '<tr class="row1">\n<td class="col1">1</td></tr>\n',
        ),
    ],
)
def test_a_template_reads_own_members_and_writes_text(source: str, text: str) -> None:
    names: dict[str, Json] = {"t": "{{ x }}", "a b": "blank", "l": [1, 2, 3], "limit": 10, "for": {"if": 20}, "in": 30}
    names["key"] = "if"
    plain: dict[str, Json] = {"none": None, "yes": True, "no": False, "half": 1.5, "whole": 5.0, "long": 2**53 + 1}
    assert rendered(source, **names, **plain) == text


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("{% if input.x %}a{% endif %}", ""),
        ("{% unless input.x %}a{% endunless %}", "a"),
        ("{% if input.none or input.x.y %}a{% elsif input.x == nil %}b{% endif %}", "b"),
        ("{% if input.x == '' and input.x == blank and empty == input.x %}a{% endif %}", "a"),
        ("{% if input.x != '' or input.x != nil %}a{% endif %}", ""),
        ("{% if input.x != 1 %}a{% endif %}{% if input.none != 1 %}b{% endif %}", "ab"),
        ("{% if input.x > 3 or input.x contains 'a' %}a{% endif %}", ""),
        ("{% if input[input.x] or input.t[input.x] %}a{% endif %}", ""),
        ("{{ input.x | default: 'a' }}{{ input.none | default: 'b' }}{{ input.x.y.z | default: 'c' }}", "abc"),
        ("{{ input[input.x] | default: 'a' }}{{ input.no | default: 'b', allow_false: true }}", "afalse"),
        ("{% assign y = input.x | default: 'a' | upcase %}{{ y }}", "A"),
    ],
)
def test_a_missing_name_is_empty_in_conditions_and_under_default(source: str, text: str) -> None:
    assert rendered(source, none=None, no=False, t="text") == text


@pytest.mark.parametrize(
    ("source", "pointer"),
    [
        ("{{ input.x }}", "/input/x"),
        ("{{ input['a/b'] }}", "/input/a~1b"),
        ("{{ input.t.x }}", "/input"),
        ("{{ input.t.size }}", "/input"),
        ("{{ input.size }}", "/input/size"),
        ("{{ input.l.first }}", "/input"),
        ("{{ input.l[7] }}", "/input"),
        ("{{ input.l.x }}", "/input"),
        ("{{ input.__class__ }}", "/input/__class__"),
        ("{{ input[input.t] }}", "/input"),
        ("{{ input.x | upcase | default: 'a' }}", "/input/x"),
        ("{{ input.t | append: input.x }}", "/input/x"),
        ("{{ input.t | default: input.x }}", "/input/x"),
        ("{% assign y = input.x %}", "/input/x"),
        ("{% for i in input.x %}{% endfor %}", "/input/x"),
        ("{% for i in input.l %}{{ i.name }}{% endfor %}", "/input"),
        ("{% for i in input.l %}{{ forloop.gone }}{% endfor %}", "/input"),
        ("{% case input.x %}{% when 1 %}{% endcase %}", "/input/x"),
        ("{% if false %}{% assign y = 1 %}{% endif %}{{ y }}", "/input"),
    ],
)
def test_anywhere_else_it_is_invalid_input_at_the_field(source: str, pointer: str) -> None:
    assert refused(source, t="text", l=[1]) == ("invalid_input", pointer)


@pytest.mark.parametrize("word", RESERVED.split())
@pytest.mark.parametrize("source", ["{{ input.W }}", "{{ input . W }}", "{{ input['W'] }}", "{{ input.W | raw }}"])
def test_a_reserved_word_is_a_name_after_a_dot(word: str, source: str) -> None:
    assert rendered(source.replace("W", word), **{word: "own"}) == "own"
    assert refused(source.replace("W", word)) == ("invalid_input", f"/input/{word}")
    assert rendered("{% if input.W == 'own' and input.W %}a{% endif %}".replace("W", word), **{word: "own"}) == "a"


@pytest.mark.parametrize("name", ["size", "first", "last"])
def test_size_first_and_last_are_read_as_own_members_only(name: str) -> None:
    for holder in ("text", [1, 2], {"k": 1}, [], {}):
        assert refused(f"{{{{ input.x.{name} }}}}", x=holder) == ("invalid_input", "/input")
        assert rendered(f"{{{{ input.x.{name} | default: 'none' }}}}", x=holder) == "none"
    assert rendered(f"{{{{ input.x.{name} }}}}{{{{ input.{name} }}}}", x={name: "own"}, **{name: 3}) == "own3"


@pytest.mark.parametrize(
    "source", ["{{ input.N }}", "{{ input[input.N] }}", "{{ N }}", "{{ 1 | N }}", "{% N %}", "{{ N N }}"]
)
def test_a_long_name_is_not_repeated_whole(source: str) -> None:
    long = source.replace("N", "n" * 30_000)
    found = compile_template(long, PLACES["message"])
    if isinstance(found, Template):
        with pytest.raises(RenderRefused) as caught:
            found.render({"input": {}})
        assert len(caught.value.detail) + len(caught.value.pointer or "") < 300
    else:
        assert all(len(slip.detail) < 300 for slip in found)


def test_a_refusal_is_on_one_line() -> None:
    with pytest.raises(RenderRefused) as caught:
        rendered("{{ input['a\nb\x07'] }}")
    assert caught.value.detail.isprintable()


def test_a_refusal_names_no_value_of_the_input() -> None:
    with pytest.raises(RenderRefused) as caught:
        rendered("{{ input.o[input.key] }}", o={}, key="tell-nobody")
    assert "tell-nobody" not in caught.value.detail


@pytest.mark.parametrize(
    "source",
    [
        *("{{ input.o }}", "{{ input.l }}", "a {{ input }}", "{{ input.o | upcase }}", "{{ input.l | append: 'x' }}"),
        *(
            "{{ input.n | join }}",
            "{% cycle input.o, 1 %}",
            "{% echo input.l %}",
            "{% for i in input.l %}{{ forloop }}{% endfor %}",
        ),
    ],
)
def test_a_structure_among_text_is_unworkable(source: str) -> None:
    assert refused(source, o={"a": 1}, l=[1], n=[[1]]) == ("unworkable", None)


def test_a_structure_that_needs_no_input_is_refused_at_once() -> None:
    assert [slip.offset for slip in slips("Tags: {{ 'a,b' | split: ',' }}")] == [0]


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("a {{ lead }} {{ input.x }}", [5]),
        ("{{ today.year }}{{ now.size }}", [3, 19]),
        ("{% for i in rows %}{{ i }}{{ forloop.index }}{% endfor %}{{ i }}", [12, 60]),
        ("{{ x }}{% assign x = 1 %}{{ x }}", [3]),
        ("{{ input.a | date: '%Y' | sample }}", [13, 26]),
        ("{{ [input.x] }}", [3]),
        (
            "{{ a | }}\n{{ input.b c }}{% if = %}{% elsif ! %}{% endif %}{% case 1 %}{% when %}{% endcase %}",
            [0, 21, 31, 44, 74],
        ),
        ("{% liquid\n assign = 1\n%}", [11]),
        ("{% if true %}" * 31 + "{% endif %}" * 31, [0]),
    ],
)
def test_each_fault_is_told_at_its_offset(source: str, found: list[int]) -> None:
    assert sorted(slip.offset for slip in slips(source)) == found


@pytest.mark.parametrize(
    ("schema", "found"),
    [
        ({"additionalProperties": False, "properties": {"a": {}}}, ["b", "x-1"]),
        ({"additionalProperties": False, "patternProperties": {"^x": {}}, "properties": {"b": False}}, ["a", "b"]),
        ({"additionalProperties": False}, ["a", "b", "x-1"]),
        ({"properties": {"a": {}}}, []),
        ({"properties": {"a": False}}, []),
    ],
)
def test_a_closed_schema_names_the_members_that_may_be_read(schema: Json, found: list[str]) -> None:
    source = "{{ input.a.deep }}{{ input.b }}{{ input['x-1'] }}{{ input[input.a] }}"
    compiled = compile_schema(schema)
    assert isinstance(compiled, Schema)
    result = compile_template(source, PLACES["message"], compiled)
    names = [slip.detail for slip in result] if isinstance(result, list) else []
    assert [name for name in ("a", "b", "x-1") if any(repr(name) in words for words in names)] == found


@pytest.mark.parametrize(
    "source",
    [
        *("{% for i in (1..100000000) %}{% endfor %}", "{% for i in (1..100000000) reversed %}{% endfor %}"),
        *("{% if (1..999999999) contains 'x' %}{% endif %}", "{% assign x = (1..999999999) | join %}"),
        "{% tablerow i in (1..100000000) %}{% endtablerow %}",
        "{% for i in (1..300) %}{% for j in (1..300) %}{% for k in (1..300) %}{% endfor %}{% endfor %}{% endfor %}",
        "{% for i in (1..1000) %}{% if input.l contains 'x' %}{% endif %}{% endfor %}",
        "{% for i in (1..1000) %}{% if input.o == input.p %}{% endif %}{% endfor %}",
        "{% for i in (1..2000) %}{% if '" + "a" * 10_000 + "' contains 'b' %}{% endif %}{% endfor %}",
        "{% assign x = 'a' %}" + "{% assign x = x | append: x %}" * 40,
        "{{ input.t | replace: '', input.t }}",
        "{{ input.l | join: input.t }}",
        "{{ input.l | uniq }}",
        "{{ '9999999999'" + " | times: 99999999999999999999" * 50 + " }}",
    ],
)
def test_work_without_end_ends_as_invalid_input(source: str) -> None:
    given = {
        "l": [str(i) for i in range(50_000)],
        "t": "x" * 50_000,
        "o": {"k": [1] * 50_000},
        "p": {"k": [1] * 50_000},
    }
    assert refused(source, **given) == ("invalid_input", "/input")


@pytest.mark.parametrize(
    "source",
    [
        *("{% for i in input.l limit: input.t %}{% endfor %}", "{% for i in input.l limit: -1 %}{% endfor %}"),
        *("{% if input.t < 1 %}{% endif %}", "{% tablerow i in input.l cols: input.l %}{% endtablerow %}"),
        *("{{ input.huge }}", "{{ input.digits }}"),
    ],
)
def test_a_value_of_another_kind_than_is_needed_is_invalid_input(source: str) -> None:
    assert refused(source, t="text", l=[1], huge=float("inf"), digits=10**5_000) == ("invalid_input", "/input")


def test_a_message_of_8192_bytes_fits_and_no_more() -> None:
    assert len(rendered("{{ input.t }}", t="é" * 4_096).encode()) == 8_192
    for source in ("{{ input.t }}", "{{ input.t | strip }}"):
        with pytest.raises(Overflow):
            rendered(source, t="é" * 4_096 + "x")


def test_a_message_that_never_fits_is_known() -> None:
    assert never_fits(saved("x" * 8_193))
    assert not never_fits(saved("x" * 8_192))
    assert not never_fits(saved("x" * 8_193 + "{{ input.a }}"))


def test_values_of_512_levels_are_written_and_compared() -> None:
    deep: Json = []
    for _ in range(511):
        deep = [deep]
    assert (
        rendered("{{ input.d | json }}{% if input.d == input.d %}={% endif %}", d=deep) == "[" * 512 + "]" * 512 + "="
    )
