"""Two ways to render one template: by the engine, and for plain paths without it. They are held to be one."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.core.templates import engine
from sayso.core.templates.arguments import Arguments, compile_arguments
from sayso.core.templates.rendering import Meter, RenderRefused
from sayso.core.templates.template import PLACES, Template, compile_template
from sayso.core.values import Json

TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="{}"), max_size=20)
# Words that the engine reserves, names that it gives a meaning of its own, and plain ones.
NAMES = st.sampled_from(
    [
        *("a", "b", "limit", "offset", "for", "in", "if", "and", "or", "not", "contains", "true", "nil", "empty"),
        *("size", "first", "last", "é", "x-1"),
    ]
)
MEMBERS = (
    st.builds("{}{}{}".format, st.sampled_from([".", " .", ". "]), NAMES, st.just(""))
    | st.builds("[{0}{1}{0}]".format, st.sampled_from(["'", '"']), NAMES | st.just("a b"))
    | st.sampled_from(["[0]", "[-1]", "[1]", "[7]"])
)
PATHS = st.builds(
    lambda root, members: root + "".join(members), st.sampled_from(["input", "today"]), st.lists(MEMBERS, max_size=3)
).filter(lambda path: not path.startswith("today."))
DASHES = st.sampled_from([("{{ ", " }}"), ("{{-", "-}}"), ("{{", " -}}")])
OUTPUTS = st.builds(lambda path, dashes: dashes[0] + path + dashes[1], PATHS, DASHES)
SOURCES = st.lists(TEXTS | OUTPUTS, max_size=8).map("".join)
LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | TEXTS | st.text(min_size=4_000, max_size=5_000)
VALUES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=4), max_leaves=8
)


def outcome(render: Callable[[], Json]) -> tuple[object, ...]:
    try:
        found = render()
    except RenderRefused as refusal:
        return type(refusal), refusal.reason, refusal.detail, refusal.pointer
    return type(found), repr(found)


def compiled(source: str) -> Template | None:
    """A template of plain paths; None where a name is refused, which `compile_template` tells of."""
    template = compile_template(source, PLACES["message"])
    return template if isinstance(template, Template) else None


@given(SOURCES, VALUES)
def test_plain_paths_render_as_the_engine_renders_them(source: str, value: Json) -> None:
    if template := compiled(source):
        names = {"input": value, "today": "2026-10-07", "now": "2026-10-07T09:00:00.000Z"}
        by_engine = outcome(lambda: engine.run(template.parsed, names, 8_192, Meter()))
        assert template.parts is not None
        assert outcome(lambda: template.render(names, 8_192)) == by_engine


@given(OUTPUTS, VALUES)
def test_a_plain_path_alone_is_the_value_that_the_engine_reads(source: str, value: Json) -> None:
    if template := compiled(source):
        names = {"input": value, "today": "2026-10-07", "now": "2026-10-07T09:00:00.000Z"}
        by_engine = outcome(lambda: engine.value(template.parsed, names, Meter()))
        assert template.is_whole
        assert outcome(lambda: template.value(names, 8_192, Meter())) == by_engine


def sent(written: str, names: dict[str, Json]) -> tuple[object, ...]:
    arguments = compile_arguments({"k": written}, PLACES["call.with"])
    return outcome(lambda: arguments.render(names)) if isinstance(arguments, Arguments) else ()


@given(OUTPUTS, VALUES)
def test_an_argument_is_the_same_by_the_engine(source: str, value: Json) -> None:
    names = {"input": value, "today": "2026-10-07", "now": "2026-10-07T09:00:00.000Z"}
    by_engine = source.removesuffix("}}").removesuffix("-") + "| raw }}"
    assert sent(source, names) == sent(by_engine, names)
    assert sent(f"a{source}", names) == sent(f"a{by_engine}", names)


@pytest.mark.parametrize(
    "source", ["{{ input.a | upcase }}", "{{ 'a' }}", "{% if true %}a{% endif %}", "{{ input[input.a] }}"]
)
def test_anything_more_is_left_to_the_engine(source: str) -> None:
    template = compiled(source)
    assert template is not None
    assert template.parts is None
