"""Where the libraries below would read a document otherwise than its author, each with the kind of its mistake."""

import pytest

from tests.core.document.examples import asking, faults

START = "---\nto: a\nexpires: P2D\n"


def document(front: str, message: str = "Hello") -> str:
    return f"{START}{front}\n---\n{message}"


def test_scalars_are_of_yaml_1_2() -> None:
    function = asking(
        document("output: { schema: { enum: [yes, no, on, 2026-10-01, 12:30:00, 010, 0o7, 0x1F, 1_000] } }")
    )
    assert function.output_schema is not None
    assert function.output_schema.source["enum"] == [
        *("yes", "no", "on", "2026-10-01", "12:30:00", 10, 7, 31, "1_000"),
    ]


def test_duplicate_keys_are_refused_at_the_second() -> None:
    assert faults(document("output:\n  schema:\n    type: string\n    type: object")) == [(7, "/output/schema/type")]


@pytest.mark.parametrize(
    "value", ["&a { type: string }", "*a", "!!map { type: string }", "!python/object:os.system {}"]
)
def test_anchors_aliases_and_tags_are_refused(value: str) -> None:
    assert faults(document(f"output:\n  schema: {value}")) == [(5, "/output/schema")]


def test_merge_keys_are_refused() -> None:
    assert faults(document("output:\n  <<: { schema: {} }")) == [(5, "/output/<<")]


def test_laughs_are_refused_before_they_are_multiplied() -> None:
    laughs = "\n".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9) if n else 'ha'}]" for n in range(9))
    assert len(faults(document(laughs))) == 21


def test_deep_nesting_is_refused_at_its_line() -> None:
    assert faults(document("deliver:\n  with: " + "[" * 71 + "]" * 71))[-1][0] == 5
    assert faults(document("deliver:\n  with: " + "[" * 30_000))[-1][0] == 5


def test_a_structure_inside_text_is_refused() -> None:
    tool = "deliver: { server: chat, tool: post, with: { text: 'Answer as {{ answer_schema }}' } }"
    assert faults(document(tool)) == [(4, "/deliver/with/text")]
    assert faults(document("", "{{ 'a,b' | split: ',' }} it is")) == [(6, None)]


@pytest.mark.parametrize(
    "reference", ["file:///etc/passwd", "http://127.0.0.1/schema", "other.json", "//host/a", "#/gone"]
)
def test_a_schema_refers_to_no_file_and_no_host(reference: str) -> None:
    assert faults(document(f"input: {{ schema: {{ $ref: '{reference}' }} }}")) == [(4, "/input/schema/$ref")]


@pytest.mark.parametrize("pattern", ["(?=a)", "(a)\\1", "^(a{1,900}){1,900}$"])
def test_a_pattern_takes_linear_time_or_is_refused(pattern: str) -> None:
    assert faults(document(f"output: {{ schema: {{ pattern: '{pattern}' }} }}")) == [(4, "/output/schema/pattern")]


def test_an_exponential_pattern_is_linear_here() -> None:
    schema = asking(document("output: { schema: { pattern: '^(a+)+$' } }")).output_schema
    assert schema is not None
    assert len(schema.issues("a" * 60_000 + "b", "/answer")) == 1


@pytest.mark.parametrize("name", ["limit", "with", "if", "size", "first", "blank"])
def test_reserved_words_are_names_after_a_dot(name: str) -> None:
    schema = f"input: {{ schema: {{ additionalProperties: false, properties: {{ {name}: {{}} }} }} }}"
    assert asking(document(schema, f"{{{{ input.{name} }}}}")).message.source == f"{{{{ input.{name} }}}}"


def test_size_is_no_member_that_a_closed_schema_does_not_have() -> None:
    assert faults(document("input: { schema: { additionalProperties: false } }", "{{ input.size }}")) == [(6, None)]
