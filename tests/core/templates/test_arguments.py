"""Arguments: JSON as it is written, whole values as they are read, and everything else text."""

import time

import pytest

from sayso.core.bounds import ARGUMENTS_BYTES
from sayso.core.templates.arguments import Arguments, Path, compile_arguments
from sayso.core.templates.place import PLACES
from sayso.core.templates.rendering import RenderRefused
from sayso.core.values import Json, size

NAMES: dict[str, dict[str, Json]] = {
    "call.with": {"today": "2026-10-07", "now": "2026-10-07T09:00:00.000Z"},
    "replies.with": {"to": "R7", "sent": {"conversation": "R7", "id": "5"}, "conversation": "R7", "since": ""},
}


def compiled(written: dict[str, Json], place: str = "call.with") -> Arguments:
    arguments = compile_arguments(written, PLACES[place])
    assert isinstance(arguments, Arguments), arguments
    return arguments


def rendered(written: dict[str, Json], place: str = "call.with", **given: Json) -> dict[str, Json]:
    return compiled(written, place).render({**NAMES[place], "input": given})


def refused(written: dict[str, Json], **given: Json) -> RenderRefused:
    with pytest.raises(RenderRefused) as caught:
        rendered(written, **given)
    return caught.value


def faults(written: dict[str, Json], place: str = "call.with") -> list[Path]:
    found = compile_arguments(written, PLACES[place])
    return [fault.path for fault in found] if isinstance(found, list) else []


@pytest.mark.parametrize("value", [None, True, False, 0, 2**70, 1.5, "", "a", [], {}, [[{"{{ key }}": [None, 1e300]}]]])
def test_what_is_no_template_is_sent_as_written(value: Json) -> None:
    assert rendered({"a": value}) == {"a": value}


@pytest.mark.parametrize("value", [None, True, 7, 2**70, 1.5, "7", "{{ to }}", [1, [2]], {"a": {"b": None}}])
@pytest.mark.parametrize("source", ["{{ input.x }}", "{{- input['x'] -}}", "{{input.x}}", "{{ input.x | raw }}"])
def test_one_expression_alone_sends_the_value_that_it_reads(source: str, value: Json) -> None:
    found = rendered({"a": [source]}, x=value)["a"][0]
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    ("source", "value"),
    [
        *((" {{ input.n }}", " 20"), ("{{ input.n }} ", "20 "), ("{{ input.n }}\n", "20\n")),
        *(("{{ input.n }}{{ input.n }}", "2020"), ("{% echo input.n %}", "20"), ("{{ input.n }}{% # %}", "20")),
        *(("{% raw %}{{ input.n }}{% endraw %}", "{{ input.n }}"), ("{{ input.l | json }}", "[1]")),
        *(("{{ input.n | append: '' }}", "20"), ("{{ input.n }}}}", "20}}"), ("}} {", "}} {")),
    ],
)
def test_any_other_string_is_text(source: str, value: str) -> None:
    assert rendered({"a": source}, n=20, l=[1]) == {"a": value}


@pytest.mark.parametrize(
    ("source", "value"),
    [
        *(("{{ 'a,b' | split: ',' }}", ["a", "b"]), ("{{ (1..3) }}", [1, 2, 3]), ("{{ nil }}", None)),
        *(("{{ 1.50 }}", 1.5), ("{{ true }}", True), ("{{ input.n | plus: 1 }}", 21)),
        *(("{{ input.none | default: nil }}", None), ("{{ input.d | first }}", ["k", 1])),
    ],
)
def test_what_a_filter_or_a_literal_gives_alone_is_a_value_of_json(source: str, value: Json) -> None:
    assert rendered({"a": source}, n=20, d={"k": 1}) == {"a": value}


def test_keys_are_no_templates() -> None:
    assert rendered({"{{ input.x }}": {"${X}": 1}}) == {"{{ input.x }}": {"${X}": 1}}


def test_sent_alone_is_the_object_of_its_two_parts() -> None:
    written: dict[str, Json] = {"s": "{{ sent }}", "id": "{{ sent.id | to_integer }}"}
    assert rendered(written, "replies.with") == {"s": {"conversation": "R7", "id": "5"}, "id": 5}


@pytest.mark.parametrize(
    ("place", "source"),
    [
        *(("call.with", "${X}"), ("call.with", "a ${{ input.x }}"), ("tell.with", "${X} {{ message }}")),
        *(("call.with", "{{ input.x"), ("call.with", "{{ input.x | gone }}"), ("call.with", "{% gone %}")),
        *(("call.with", "{{ to }}"), ("deliver.with", "{{ sent.id }}"), ("replies.with", "{{ input.x }}")),
        *(("replies.with", "{{ sent.message }}"), ("deliver.with", "{{ to.name }}"), ("tell.with", "{{ since }}")),
        *(("deliver.with", "At {{ answer_schema }}"), ("replies.with", "At {{ sent }}")),
        *(("call.with", "In {{ 'a,b' | split: ',' }}"), ("call.with", "{{ 1 | divided_by: 0 }}")),
        *(("call.with", "{{ 'x' | to_integer }}"), ("replies.with", "{{ since | to_integer }}")),
        *(
            ("call.with", "{{ empty }}"),
            ("tell.with", "{{ 'AA==' | base64_decode }}"),
            ("call.with", "{{ 'nan' | times: 1 }}"),
        ),
    ],
)
def test_a_string_that_cannot_be_sent_is_refused_at_its_own_path(place: str, source: str) -> None:
    assert faults({"a": 1, "b": [{"c": "x"}, {"c": source}]}, place) == [("b", 1, "c")]


def test_every_string_at_fault_is_told_of() -> None:
    written: dict[str, Json] = {"a": "${X}", "b": ["{{ x }}{{ y }}", "{{ input.ok }}"], "c": {"d": "{{"}}
    assert faults(written) == [("a",), ("b", 0), ("b", 0), ("c", "d")]


@pytest.mark.parametrize(
    ("place", "source"),
    [
        *(("call.with", "In {{ input.x }}"), ("call.with", "{{ input.x | divided_by: 0 }}")),
        *(
            ("deliver.with", "{{ answer_schema.properties.a.enum | join: ', ' }}"),
            ("deliver.with", "{{ to | to_integer }}"),
        ),
        *(("call.with", "{% for i in (1..100000000) %}{% endfor %}"), ("deliver.with", "{{ '$' }}{{ input.price }}")),
        *(("replies.with", "{{ since | default: '0' | to_integer }}"), ("tell.with", "{{ sent.id | to_integer }}")),
    ],
)
def test_what_depends_on_what_it_reads_is_accepted(place: str, source: str) -> None:
    assert faults({"a": source}, place) == []


@pytest.mark.parametrize(
    ("source", "reason", "pointer"),
    [
        *(("{{ input.x }}", "invalid_input", "/input/x"), ("a {{ input.x.y }}", "invalid_input", "/input")),
        *(("In {{ input.l }}", "unworkable", None), ("In {{ input.l | first }}", "unworkable", None)),
        *(
            ("{{ input.l | plus: input.huge }}", "invalid_input", "/input"),
            ("{{ input.huge }}", "invalid_input", "/input"),
        ),
        *(("{{ input.nul | base64_decode }}", "unworkable", None), ("{{ input.long }}", "invalid_input", "/input")),
        *(
            ("{{ input.half }}", "invalid_input", "/input"),
            ("{% if input.t < 1 %}{% endif %}", "invalid_input", "/input"),
        ),
        *(
            ("{% for i in (1..input.many) %}{% endfor %}", "invalid_input", "/input"),
            ("{{ input.t }}", "unworkable", None),
        ),
        *(("a{{ input.t }}", "unworkable", None), ("{{ input.l | first | append: '' }}", "unworkable", None)),
    ],
)
def test_a_refusal_names_the_argument(source: str, reason: str, pointer: str | None) -> None:
    given: dict[str, Json] = {"l": [[1]], "huge": float("inf"), "nul": "AA==", "long": 10**5_000, "half": "\ud800"}
    refusal = refused({"ok": 1, "b/c": [0, source]}, **given, many=10**9, t="x" * 20_000)
    assert (refusal.reason, refusal.pointer) == (reason, pointer)
    assert refusal.detail.startswith("The argument /b~1c/1: ") or "all together" in refusal.detail


def test_a_text_with_the_escape_of_nul_in_it_is_no_nul() -> None:
    assert rendered({"a": "{{ input.x }}"}, x="\\u0000") == {"a": "\\u0000"}


@pytest.mark.parametrize(("characters", "fits"), [(16_373, True), (16_374, False)])
def test_16384_bytes_fit_when_run_and_no_more(characters: int, fits: bool) -> None:
    for text in ("{{ input.t }}", "{{ input.t | raw }}", "{{ input.t }}{% # %}"):
        if fits:
            assert size(rendered({"text": text}, t="x" * characters)) == ARGUMENTS_BYTES
        else:
            assert refused({"text": text}, t="x" * characters).reason == "unworkable"


def test_all_arguments_count_together() -> None:
    written: dict[str, Json] = {"é": 1.50, "b": ["{{ input.b }}", {"k": "é"}], "c": "{{ input.b }}{{ input.b }}"}
    whole = rendered(written, b="x")
    rest = (ARGUMENTS_BYTES - size(whole)) // 3
    assert ARGUMENTS_BYTES - 3 < size(rendered(written, b="x" * (rest + 1))) <= ARGUMENTS_BYTES
    assert refused(written, b="x" * (rest + 2)).reason == "unworkable"


@pytest.mark.parametrize(
    ("written", "found"),
    [
        ({"text": "x" * 16_373}, []),
        ({"text": "x" * 16_374}, [()]),
        ({"a": "x" * 9_000, "b": "{{ today }}", "c": "y" * 9_000}, [()]),
        ({"a": "x" * 16_383, "b": {"c": "y" * 16_383}}, [("a",), ("b", "c")]),
        ({"a": "{% for i in (1..999) %}12345678901234567{% endfor %}", "b": 1}, [("a",)]),
        ({"a": "{{ '" + "x" * 16_383 + "' }}"}, [("a",)]),
        ({"a": "x" * 20_000, "b": "{{ input.x }}"}, []),
    ],
)
def test_a_call_that_reads_no_input_is_measured_when_saved(written: dict[str, Json], found: list[Path]) -> None:
    assert faults(written) == found


def test_a_delivery_is_measured_when_saved_only_if_it_reads_nothing_of_unknown_size() -> None:
    assert faults({"a": "x" * 20_000, "b": "{{ today }}"}, "deliver.with") == [("a",)]
    assert faults({"a": "x" * 20_000, "b": "{{ message }}"}, "deliver.with") == []


def test_what_a_call_with_input_can_never_send_is_unworkable_when_run() -> None:
    assert refused({"a": "x" * 20_000, "b": "{{ input.x }}"}, x=1).reason == "unworkable"


def test_the_names_of_all_strings_are_bounded_together() -> None:
    assert faults({"a": ["{{ input.x }}"] * 500}) == []
    assert faults({"a": ["{{ input.x }}"] * 502}) == [("a", 500)]
    assert faults({"a": ["{{ '' }}"] * 6_000}) == [("a", 1_000)]


def test_one_budget_of_work_is_for_all_arguments() -> None:
    costly = "{% for i in (1..input.n) %}{% endfor %}"
    assert rendered({"a": costly}, n=20_000) == {"a": ""}
    assert refused({"a": costly, "b": costly, "c": costly}, n=20_000).detail.startswith("The argument /c: ")


@pytest.mark.parametrize("text", ["x", "{{ to }}", "{{ input.a }}", "{{''}}", "{%#%}", "{{ '' | size }}", "{{", "${"])
def test_a_document_full_of_strings_is_read_in_less_than_a_second(text: str) -> None:
    start = time.process_time()
    compile_arguments({"a": [text] * (65_536 // (len(text) + 5))}, PLACES["deliver.with"])
    assert time.process_time() - start < 1


def test_strings_that_are_long_are_read_once() -> None:
    start = time.process_time()
    compile_arguments({"a": ["{{ '' }}" * 2_000] * 4}, PLACES["call.with"])
    assert time.process_time() - start < 1
