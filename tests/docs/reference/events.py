"""The events of ``core/events.py``: what each says, its data and its content."""

import dataclasses
import inspect
import re
import types
from typing import Any, Union, get_args, get_origin, get_type_hints

from sayso.core import events
from sayso.core.events import DefinitionSaved
from tests.docs.reference.table import code, table

_NAMES = {str: "text", int: "integer", bool: "boolean", type(None): "null"}


def listed() -> str:
    """A section a type, by the number that it has in the store."""
    return "\n\n".join(_section(number, kind) for number, kind in sorted(events.CODES.items()))


def _section(number: int, kind: type[events.Event]) -> str:
    words = re.sub(r"``", "`", " ".join(inspect.getdoc(kind).split()))  # type: ignore[union-attr]
    fields = dataclasses.fields(kind)
    parts = [f"### {_heading(kind)}", f"{words} Stored as type {number}."]
    if fields:
        hints = get_type_hints(kind, {"Json": Any})
        rows = [(code(field.name), _type(hints[field.name]), _part(field)) for field in fields]
        parts.append(table(("Field", "Type", "Part"), rows))
    return "\n\n".join(parts)


def _heading(kind: type[events.Event]) -> str:
    if kind is DefinitionSaved:
        return "`definition_created`, `definition_updated`"
    return code(events.name(kind.__new__(kind)))


def _part(field: "dataclasses.Field[Any]") -> str:
    return "content" if field.metadata.get("content") else "data"


def _type(hint: Any) -> str:
    if hint is Any:
        return "any JSON"
    if get_origin(hint) in (Union, types.UnionType):
        members = [member for member in get_args(hint) if member is not type(None)]
        optional = len(members) < len(get_args(hint))
        return " or ".join(map(_type, members)) + (", or absent" if optional else "")
    if get_origin(hint) is dict:
        return "object of texts"
    if get_origin(hint) is list:
        return f"list of {_type(get_args(hint)[0])}s".replace("object of textss", "objects of texts")
    return _NAMES[hint]
