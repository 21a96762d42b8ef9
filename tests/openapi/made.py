"""Values that a schema of ours allows, for Hypothesis."""

from typing import Any

from hypothesis import strategies as st
from hypothesis_jsonschema import from_schema

ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda within: st.lists(within, max_size=3) | st.dictionaries(st.text(max_size=5), within, max_size=3),
    max_leaves=6,
)


def made(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    """What the schema allows; objects member by member, for the library's do not work with today's Hypothesis."""
    if "properties" not in schema:
        return from_schema(schema) if set(schema) - {"description", "default", "title"} else ANY_JSON
    each = {name: made(its) for name, its in schema["properties"].items()}
    required = schema.get("required", ())
    return st.fixed_dictionaries(
        {name: each[name] for name in required},
        optional={name: its for name, its in each.items() if name not in required},
    )
