"""Documents of all shapes, whose texts have no braces: what has some in an overview could only come from a template."""

from hypothesis import strategies as st

from sayso.core.values import Json

_CHARACTERS = st.characters(exclude_categories=["Cc", "Cs"], exclude_characters="{}\ufffe\uffff")
TEXTS = st.text(st.one_of(st.sampled_from("ab *_`#<>[]()|\\~&\n-"), _CHARACTERS), max_size=12)
NAMES = st.sampled_from(("owner", "limit", "x_1", "for", "due-at", "a?"))

_PATHS = st.one_of(
    st.sampled_from(("today", "now", "input.a.b", "input.a[0]", "input['a*b']", "input.a[input.b].c")),
    NAMES.map(lambda name: f"input.{name}"),
)
_VALUES = st.one_of(_PATHS, st.sampled_from(("'x'", "5", "1.5", "true", "nil", "empty")))
_FILTERED = st.builds(
    str.__add__, _VALUES, st.sampled_from(("", " | upcase", " | default: input.d | json", " | append: 'x'"))
)
_CONDITIONS = st.builds(
    lambda left, word, right: f"{left} {word} {right}",
    _PATHS,
    st.sampled_from(("==", "!=", "<", ">=", "contains", "and", "or")),
    _VALUES,
)
_LOOPS = st.sampled_from(("input.list", "(1..3)", "input.list reversed limit: 2", "input.list offset: input.n"))


def _around(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """A template with these inside of its tags."""
    return st.one_of(
        st.lists(inner, max_size=4).map("".join),
        st.builds(
            "{{% if {} %}}{}{{% elsif {} %}}{}{{% else %}}{}{{% endif %}}".format,
            _CONDITIONS,
            inner,
            _PATHS,
            inner,
            inner,
        ),
        st.builds("{{% unless {} %}}{}{{% endunless %}}".format, _CONDITIONS, inner),
        st.builds(
            "{{% case {} %}}{{% when {}, {} %}}{}{{% else %}}{}{{% endcase %}}".format,
            _PATHS,
            _VALUES,
            _VALUES,
            inner,
            inner,
        ),
        st.builds(
            "{{% for i in {} %}}{}{{{{ i.name }}}}{{% break %}}{{% else %}}{}{{% endfor %}}".format,
            _LOOPS,
            inner,
            inner,
        ),
        st.builds("{{% tablerow i in {} %}}{}{{% continue %}}{{% endtablerow %}}".format, _LOOPS, inner),
        st.builds("{{%- comment -%}}{}{{%- endcomment -%}}".format, inner),
    )


TEMPLATES = st.recursive(
    st.one_of(
        TEXTS,
        st.builds("{{{{- {} }}}}".format, _FILTERED),
        st.builds("{{% raw %}}{}{{% endraw %}}".format, TEXTS),
        st.builds("{{% assign v = {} %}}{{{{ v }}}}".format, _FILTERED),
        st.builds("{{% cycle {}, {} %}}".format, _VALUES, _VALUES),
        st.builds("{{% liquid echo {}\nincrement n\ndecrement n %}}".format, _FILTERED),
    ),
    _around,
    max_leaves=8,
)

_LEAVES: st.SearchStrategy[Json] = st.one_of(
    st.booleans(),
    st.sampled_from(
        (
            {},
            {"type": "string", "minLength": 1, "maxLength": 5, "pattern": "^`a*"},
            {"type": ["integer", "null"], "minimum": 1, "default": 5},
            {"$ref": "#/$defs/d"},
            {"const": None},
        )
    ),
    st.builds(lambda title, values: {"title": title, "enum": values}, TEXTS, st.lists(TEXTS, min_size=1, unique=True)),
)


def _schemas_of(inner: st.SearchStrategy[Json]) -> st.SearchStrategy[Json]:
    return st.one_of(
        objects(inner),
        st.builds(lambda items: {"type": "array", "items": items, "maxItems": 3}, inner),
        st.builds(lambda forms: {"anyOf": forms}, st.lists(inner, min_size=1, max_size=3)),
        st.builds(lambda parts: {"allOf": parts, "prefixItems": parts}, st.lists(inner, min_size=1, max_size=2)),
    )


def objects(inner: st.SearchStrategy[Json]) -> st.SearchStrategy[Json]:
    """Schemas of objects whose fields have these."""
    return st.builds(
        lambda title, fields, required: {"title": title, "properties": fields, "required": required},
        TEXTS,
        st.dictionaries(st.one_of(NAMES, TEXTS), inner, max_size=5),
        st.lists(TEXTS, max_size=2, unique=True),
    )


SCHEMAS = objects(st.recursive(_LEAVES, _schemas_of, max_leaves=8)).map(
    lambda schema: schema | {"$defs": {"d": {"type": "number", "multipleOf": 2}}}
)
