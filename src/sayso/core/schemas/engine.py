"""The native engine that checks values: how it is made, and what it says less exactly than we need."""

from collections.abc import Sequence
from typing import NoReturn

from jsonschema_rs import Draft202012Validator, RegexOptions

from sayso.core import bounds
from sayso.core.schemas.subschemas import Path
from sayso.core.schemas.uniqueness import UniqueItems
from sayso.core.values import Json


def _refuse(uri: str) -> NoReturn:
    raise ValueError(f"schemas are never fetched: {uri}")


def native(source: dict[str, Json]) -> Draft202012Validator:
    """The native validator of a schema, whose expressions take linear time. It follows no reference out of it."""
    # Without a retriever of ours it would read files and fetch over HTTP. RegexOptions is the linear engine.
    patterns = RegexOptions(size_limit=bounds.PATTERN_MEMORY_BYTES, dfa_size_limit=bounds.PATTERN_MEMORY_BYTES)
    return Draft202012Validator(
        source,
        validate_formats=True,
        retriever=_refuse,
        pattern_options=patterns,
        keywords={"uniqueItems": UniqueItems},
        formats={"regex": _is_expression},
    )


_EXPRESSION = Draft202012Validator({"format": "regex"}, validate_formats=True)


def _is_expression(text: str) -> bool:
    # The engine's own check takes the square of the groups.
    return len(text) <= bounds.EXPRESSION_CHARACTERS and _EXPRESSION.is_valid(text)


def told_at(value: Json, path: Sequence[str | int]) -> Path:
    """The path of an error, with the empty names that the engine passes over: one that leads through the value."""
    waiting: list[tuple[Json, int, Path]] = [(value, 0, ())]
    while True:
        thing, done, names = waiting.pop()
        if done == len(path):
            return names
        if isinstance(thing, dict) and "" in thing:
            waiting.append((thing[""], done, (*names, "")))
        name = path[done]
        if isinstance(thing, list):
            waiting.append((thing[int(name)], done + 1, (*names, str(name))))
        elif isinstance(thing, dict) and name in thing:
            waiting.append((thing[name], done + 1, (*names, str(name))))
