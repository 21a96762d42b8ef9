"""Fields of an answer, made of its schema: what is asked for one by one, and which value a text writes for each.

Nothing is guessed: a choice is named, yes and no have no default, a number keeps every digit. What a schema says beyond
this (bounds, patterns, other fields) the request's own check decides.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from sayso.cli.values import read_json, written_json
from sayso.core.values import Json

_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_INTEGER = re.compile(r"-?(0|[1-9][0-9]*)")
_YES_NO = {"y": True, "yes": True, "true": True, "n": False, "no": False, "false": False}

# A value that a schema lists, with the title that it gives it.
Form = tuple[Json, str]


@dataclass(frozen=True, kw_only=True)
class Field:
    """One thing to ask for: a property of the answer, or with ``name`` None the answer itself."""

    name: str | None
    schema: dict[str, Any]
    required: bool

    @property
    def kinds(self) -> frozenset[str]:
        """The JSON types that its schema names."""
        named = self.schema.get("type", [])
        return frozenset([named] if isinstance(named, str) else named)

    @property
    def kind(self) -> str:
        """How it is asked for: ``choice``, ``choices`` (a list of them), the one JSON type it takes, else ``json``."""
        if self.forms:
            return "choice" if _forms(self.schema) else "choices"
        plain = self.kinds - {"null"}
        kind = next(iter(plain)) if len(plain) == 1 else "json"
        return kind if kind in {"string", "boolean", "integer", "number"} else "json"

    @property
    def forms(self) -> list[Form]:
        """The values that its schema lists for it, or for the items of a list; none where it lists none."""
        return _forms(self.schema) or self._items()

    def _items(self) -> list[Form]:
        """What the items of a list may be, where each can be named between commas."""
        listed = _forms(self.schema.get("items")) if self.kinds == {"array"} else []
        return listed if all(name.strip() and not re.search(r"^\[|,", name) for name in _named(listed)) else []

    @property
    def choices(self) -> dict[str, Json]:
        """Its possible values, or those of its items, by what is typed for each."""
        return _named(self.forms)


def _forms(schema: Json) -> list[Form]:
    if not isinstance(schema, dict):
        return []
    if isinstance(schema.get("enum"), list):
        return [(value, "") for value in schema["enum"]]
    if "const" in schema:
        return [(schema["const"], "")]
    listed = schema.get("oneOf", schema.get("anyOf"))
    if not isinstance(listed, list) or not all(isinstance(form, dict) and "const" in form for form in listed):
        return []
    return [(form["const"], str(form.get("title", ""))) for form in listed]


def _named(forms: Sequence[Form]) -> dict[str, Json]:
    """Values by what is typed for each: a text as it is, where that can mean nothing else."""
    values = [value for value, _ in forms]
    plain = {value if isinstance(value, str) else written_json(value): value for value in values}
    return plain if len(plain) == len(values) else {written_json(value): value for value in values}


def fields_of(schema: Json) -> list[Field]:
    """What to ask for: each property of an object in the order of the schema, else the whole answer at once."""
    root = _resolved(schema, schema)
    properties = root.get("properties")
    if not isinstance(properties, dict) or not properties or root.get("type", "object") != "object":
        return [Field(name=None, schema=_with_items(root, schema), required=True)]
    required = root.get("required", [])
    return [
        Field(name=name, schema=_with_items(_resolved(property_, schema), schema), required=name in required)
        for name, property_ in properties.items()
    ]


def _with_items(schema: dict[str, Any], root: Json) -> dict[str, Any]:
    return {**schema, "items": _resolved(schema["items"], root)} if "items" in schema else schema


def _resolved(schema: Json, root: Json) -> dict[str, Any]:
    """The schema that a reference within the document leads to, where it says no more than that."""
    for _ in range(8):
        if not isinstance(schema, dict):
            return {}
        reference = schema.get("$ref")
        if not isinstance(reference, str) or not reference.startswith("#/"):
            return schema
        told = {name: value for name, value in schema.items() if name != "$ref"}
        found = root
        for part in reference[2:].split("/"):
            found = found.get(part.replace("~1", "/").replace("~0", "~")) if isinstance(found, dict) else None
        schema = {**found, **told} if isinstance(found, dict) else {}
    return {}


def value_of(field: Field, text: str) -> Json:
    """The value that a text writes for a field: itself where that takes texts, yes or no, a number, else JSON.

    Raises ValueError, in words.
    """
    match field.kind:
        case "string":
            return text
        case "choice":
            return _choice(field, text.strip(), "one")
        case "choices" if not text.lstrip().startswith("["):
            return [_choice(field, part.strip(), "any") for part in text.split(",")]
        case "boolean":
            return _yes_or_no(text)
        case "integer":
            return _integer(text.strip())
        case "number":
            return _number(text.strip())
        case _:
            return _json(text)


def text_of(field: Field, value: Json) -> str:
    """How the value is typed for the field where it can be one of it, else as JSON."""
    names = {written_json(value): name for name, value in field.choices.items()}
    match field.kind:
        case "choices" if isinstance(value, list) and value:
            return ", ".join(names.get(written_json(one), written_json(one)) for one in value)
        case "string" if isinstance(value, str):
            return value
        case "boolean" if isinstance(value, bool):
            return "yes" if value else "no"
        case _:
            return names.get(written_json(value), written_json(value))


def _choice(field: Field, text: str, how_many: str) -> Json:
    if text not in field.choices:
        raise ValueError(f"Choose {how_many} of: {', '.join(field.choices)}.")
    return field.choices[text]


def _yes_or_no(text: str) -> bool:
    said = _YES_NO.get(text.strip().lower())
    if said is None:
        raise ValueError("Say yes or no.")
    return said


def _integer(text: str) -> int:
    if not _INTEGER.fullmatch(text):
        raise ValueError("A whole number is needed, such as 12.")
    return int(text)


def _number(text: str) -> int | float:
    if _INTEGER.fullmatch(text):
        return int(text)
    if not _NUMBER.fullmatch(text):
        raise ValueError("A number is needed, such as 12 or 1.5.")
    value = float(text)
    if Decimal(repr(value)) != Decimal(text):
        raise ValueError("That has more digits than can be kept exactly.")
    return value


def _json(text: str) -> Json:
    try:
        return read_json(text)
    except ValueError as fault:
        raise ValueError(f'JSON is needed, such as [1, 2] or "words" ({fault}).') from None
