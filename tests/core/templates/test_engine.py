"""Two ways to render one template: by the engine, and for plain paths without it. They are held to be one."""

from hypothesis import given
from hypothesis import strategies as st

from sayso.core.templates import engine
from sayso.core.templates.rendering import Meter, RenderRefused
from sayso.core.templates.template import PLACES, Template, compile_template
from sayso.core.values import Json

TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="{}"), max_size=20)
PATHS = st.sampled_from(
    [
        *("input", "input.a", "input.a.b", "input.a[0]", "input.a[-1].b", "input['a b']", "input.size", "input.limit"),
        *("today", "now", "input.a.b.c", 'input["a"]["b"]', "input.first"),
    ]
)
DASHES = st.sampled_from([("{{ ", " }}"), ("{{-", "-}}"), ("{{", " -}}")])
OUTPUTS = st.builds(lambda path, dashes: dashes[0] + path + dashes[1], PATHS, DASHES)
SOURCES = st.lists(TEXTS | OUTPUTS, max_size=8).map("".join)
LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | TEXTS | st.text(min_size=4_000, max_size=5_000)
NAMES = st.sampled_from(["a", "b", "a b", "size", "limit", "first"])
VALUES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=4), max_leaves=8
)


def outcome(render: Template | None, names: dict[str, Json], parsed: Template) -> tuple[object, ...]:
    try:
        text = render.render(names, 8_192) if render else engine.run(parsed.parsed, names, 8_192, Meter())
    except RenderRefused as refusal:
        return type(refusal), refusal.reason, refusal.detail, refusal.pointer
    return (text,)


@given(SOURCES, VALUES)
def test_plain_paths_render_as_the_engine_renders_them(source: str, value: Json) -> None:
    template = compile_template(source, PLACES["message"])
    assert isinstance(template, Template)
    assert template.parts is not None
    names = {"input": value, "today": "2026-10-07", "now": "2026-10-07T09:00:00.000Z"}
    assert outcome(template, names, template) == outcome(None, names, template)


def test_anything_more_is_left_to_the_engine() -> None:
    for source in ("{{ input.a | upcase }}", "{{ 'a' }}", "{% if true %}a{% endif %}", "{{ input[input.a] }}"):
        template = compile_template(source, PLACES["message"])
        assert isinstance(template, Template)
        assert template.parts is None
