"""The native engine that checks values: how it is made, and what it says less exactly than we need."""

import re
from collections.abc import Iterable, Sequence
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


_NUMBER = re.compile(r"\+?[0-9]+")
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
        elif isinstance(thing, dict):
            waiting += [(thing[meant], done + 1, (*names, meant)) for meant in _meant(name, thing)]


def _meant(name: str | int, members: dict[str, Json]) -> Iterable[str]:
    """The members that an error may mean: the engine tells of a name such as ``0``, ``00`` or ``+0`` by its number."""
    if isinstance(name, str):
        return [name] if name in members else []
    return [one for one in members if _NUMBER.fullmatch(one) and (one.lstrip("+0") or "0") == str(name)]
