"""References in the values of a file: ``${NAME}``, ``${NAME:-default}`` and ``$$``, filled from the environment."""

import re
from collections.abc import Mapping

from sayso.config.refusal import Unfit
from sayso.core.values import Json

_REFERENCE = re.compile(r"\$(?:(\$)|\{([A-Za-z_][A-Za-z0-9_]{0,127})(?::-([^{}$]*))?\}|)")


def has_reference(text: str) -> bool:
    """Whether something of the environment stands in the text."""
    return any(found[2] for found in _REFERENCE.finditer(text))


def filled(value: Json, environ: Mapping[str, str]) -> Json:
    """The value with every reference filled. Raises Unfit for the first that cannot be, with its path."""
    if isinstance(value, dict):
        return {name: _member(member, name, environ) for name, member in value.items()}
    if isinstance(value, list):
        return [_member(member, number, environ) for number, member in enumerate(value)]
    return _text(value, environ) if isinstance(value, str) else value


def _member(value: Json, name: str | int, environ: Mapping[str, str]) -> Json:
    try:
        return filled(value, environ)
    except Unfit as fault:
        raise Unfit(fault.needs, (name, *fault.path)) from None


def _text(text: str, environ: Mapping[str, str]) -> str:
    def fill(found: re.Match[str]) -> str:
        dollar, name, default = found.groups()
        if dollar:
            return "$"
        if name is None:
            raise Unfit("has a $ that begins no reference: those are ${NAME} and ${NAME:-default}, and $$ is one $")
        # What is empty is not set, as everywhere in the environment.
        given = environ.get(name) or default
        if given is None:
            raise Unfit(f"names ${{{name}}}, which is not set in the environment")
        return given

    return _REFERENCE.sub(fill, text)
