"""Built values: long or deep values that a case names in a few words."""

from sayso.core.values import Json


def build(value: Json) -> Json:
    """The value with every ``$repeat``, ``$join`` and ``$nest`` in it replaced by what it stands for.

    An object stands for a built value only if that key is its only one.
    """
    if isinstance(value, list):
        return [build(member) for member in value]
    if not isinstance(value, dict):
        return value
    match value:
        case {"$repeat": [str(text), int(times)]} if len(value) == 1:
            return text * times
        case {"$join": [*parts]} if len(value) == 1:
            return "".join(build(part) for part in parts)
        case {"$nest": [int(levels), leaf]} if len(value) == 1:
            return _nest(levels, build(leaf))
    return {name: build(member) for name, member in value.items()}


def _nest(levels: int, leaf: Json) -> Json:
    for _ in range(levels):
        leaf = [leaf]
    return leaf
