"""Schemas and rules that the tests of replies share, made as saving makes them."""

from sayso.core.replies.rule import ReplyRule, check_rule, derived_rule
from sayso.core.schemas.schema import Schema, compile_schema
from sayso.core.values import Json


def compiled(**properties: Json) -> Schema:
    """The schema of an answer with these properties. A name that ends in ``_`` is required, without that."""
    source = {
        "type": "object",
        "required": [name[:-1] for name in properties if name.endswith("_")],
        "properties": {name.removesuffix("_"): declared for name, declared in properties.items()},
    }
    schema = compile_schema(source)
    assert isinstance(schema, Schema)
    return schema


def ruled(schema: Schema, **reply: Json) -> ReplyRule:
    """The rule that a document writes so; without any, the one that the schema implies."""
    rule = check_rule(reply, schema.source) if reply else derived_rule(schema.source)
    assert isinstance(rule, ReplyRule), rule
    return rule


def text(**keywords: Json) -> Json:
    """A property that is a text."""
    return {"type": "string", **keywords}


def one_of(*values: str) -> Json:
    """A property that is one of these texts."""
    return {"type": "string", "enum": list(values)}


def words(**listed: list[str]) -> Json:
    """The part that reads a value from the first word, these words besides."""
    return {"from": "word", "words": listed}
