"""The texts of an answer: the top-level properties of its schema that a reply can fill."""

from collections.abc import Mapping

from sayso.core.replies.words import normalised
from sayso.core.values import Json


def property_of(name: str, schema: Mapping[str, Json]) -> Json:
    """What the schema declares of a top-level property; None where it declares none of this name."""
    return (schema.get("properties") or {}).get(name)


def is_text(declared: Json) -> bool:
    """Whether a property is a text and nothing else."""
    return isinstance(declared, dict) and declared.get("type") == "string"


def texts(declared: Mapping[str, Json]) -> tuple[str, ...]:
    """The values of a property's enum. One that is no text could never be the value of a text."""
    return tuple(value for value in declared.get("enum") or () if isinstance(value, str))


def are_alike(values: tuple[str, ...]) -> bool:
    """Whether two of these values are the same word, so that it would mean both."""
    words = [word for word in map(normalised, dict.fromkeys(values)) if word]
    return len(set(words)) < len(words)
