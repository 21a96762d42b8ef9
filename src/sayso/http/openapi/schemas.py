"""JSON Schema, written short: the parts that the shapes of replies are put together from."""

from collections.abc import Collection

from sayso.core.values import Json

Schema = dict[str, Json]

TEXT: Schema = {"type": "string"}
NUMBER: Schema = {"type": "integer"}
TRUTH: Schema = {"type": "boolean"}
TIME: Schema = {"type": "string", "format": "date-time", "description": "UTC, to the millisecond."}
UUID: Schema = {"type": "string", "format": "uuid"}
ANY: Schema = {"description": "Any JSON."}
OBJECT: Schema = {"type": "object"}
JSON_SCHEMA: Schema = {"type": ["object", "boolean"], "description": "A JSON Schema."}


def ref(name: str) -> Schema:
    """A component by its name."""
    return {"$ref": f"#/components/schemas/{name}"}


def said(schema: Schema, words: str) -> Schema:
    """The same, with words about it."""
    return schema | {"description": words}


def one_of(words: Collection[str]) -> Schema:
    """One of some words."""
    return {"type": "string", "enum": [str(word) for word in words]}


def many(schema: Schema) -> Schema:
    """A list."""
    return {"type": "array", "items": schema}


def or_null(schema: Schema) -> Schema:
    """That, or null."""
    return {"anyOf": [schema, {"type": "null"}]}


def record(words: str, members: dict[str, Schema], *, optional: Collection[str] = ()) -> Schema:
    """An object of these members. Those that say nothing are left out, if they are optional. More may come one day:
    readers pass over what they do not know."""
    required = [name for name in members if name not in optional]
    return {"type": "object", "description": words, "properties": members, "required": required}


def more(base: Schema, words: str, members: dict[str, Schema], *, optional: Collection[str] = ()) -> Schema:
    """An object with the members of another one and some more."""
    added = record(words, base["properties"] | members, optional=optional)
    return added | {"required": [*base["required"], *(name for name in members if name not in optional)]}


def page_of(items: str, schema: Schema) -> Schema:
    """A page of a list."""
    cursor = said(or_null(TEXT), "Where the next page begins, for `cursor`; null at the end.")
    members = {items: many(schema), "has_more": TRUTH, "next_cursor": cursor}
    return record("A page. Read on until `next_cursor` is null; one may be short, or empty, before that.", members)
