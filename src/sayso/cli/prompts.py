"""Questions at a terminal, made of an answer schema: one a field, and what is typed becomes the field's value.

Nothing is guessed: a choice is named or numbered, yes and no have no default, a number keeps every digit. What a schema
says beyond this (bounds, patterns, other fields) the request's own check decides, and its refusal is asked again.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from typing import Any

from sayso.cli.text import one_line, visible
from sayso.cli.values import read_json, written_json
from sayso.core.values import Json

# Shows a prompt and returns the line that was typed.
Ask = Callable[[str], str]
Say = Callable[[str], None]

_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_INTEGER = re.compile(r"-?(0|[1-9][0-9]*)")
_BOUNDS = {
    "minLength": "at least {} characters",
    "maxLength": "at most {} characters",
    "minimum": "from {}",
    "maximum": "up to {}",
    "exclusiveMinimum": "above {}",
    "exclusiveMaximum": "below {}",
    "minItems": "at least {} items",
    "maxItems": "at most {} items",
    "pattern": "pattern {}",
    "format": "{}",
}
_YES_NO = {"y": True, "yes": True, "true": True, "n": False, "no": False, "false": False}


class Nothing(Enum):
    """No value: an optional field that was skipped."""

    GIVEN = "given"


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
        """How it is asked for: ``choice``, or the one JSON type it takes, else ``json``."""
        if self.forms:
            return "choice"
        plain = self.kinds - {"null"}
        kind = next(iter(plain)) if len(plain) == 1 else "json"
        return kind if kind in {"string", "boolean", "integer", "number"} else "json"

    @property
    def forms(self) -> list[tuple[Json, str]]:
        """The values that its schema lists, each with the title that it gives it; none where it lists none."""
        if "enum" in self.schema:
            return [(value, "") for value in self.schema["enum"]]
        listed = [self.schema] if "const" in self.schema else self.schema.get("oneOf", self.schema.get("anyOf", []))
        if not all(isinstance(form, dict) and "const" in form for form in listed):
            return []
        return [(form["const"], "" if form is self.schema else str(form.get("title", ""))) for form in listed]

    @property
    def choices(self) -> dict[str, Json]:
        """Its possible values by what is typed for each: a text as it is, where that can mean nothing else."""
        values = [value for value, _ in self.forms]
        plain = {value if isinstance(value, str) else written_json(value): value for value in values}
        return plain if len(plain) == len(values) else {written_json(value): value for value in values}


def fields(schema: Json) -> list[Field]:
    """What to ask for: each property of an object in the order of the schema, else the whole answer at once."""
    root = _resolved(schema, schema)
    properties = root.get("properties")
    if not isinstance(properties, dict) or not properties or root.get("type", "object") != "object":
        return [Field(name=None, schema=root, required=True)]
    required = root.get("required", [])
    return [
        Field(name=name, schema=_resolved(property_, schema), required=name in required)
        for name, property_ in properties.items()
    ]


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


def asked(wanted: Sequence[Field], ask: Ask, say: Say) -> dict[str | None, Json]:
    """The values of the fields that were given, each asked for until what is typed can be one."""
    given: dict[str | None, Json] = {}
    for field in wanted:
        for line in explained(field):
            say(line)
        value = _value(field, ask, say)
        if value is not Nothing.GIVEN:
            given[field.name] = value
    return given


# An author's words end before a terminal's edge: what ran over it could pass for words of ours.
_LINE = 74


def explained(field: Field) -> list[str]:
    """What the schema says of a field, and how to skip one."""
    title = one_line(field.name or "answer", _LINE)
    about = [one_line(str(field.schema.get("description", "")), _LINE)]
    about += [_bound(words, field.schema[name]) for name, words in _BOUNDS.items() if name in field.schema]
    if not field.required:
        about.append("optional: Enter skips it")
    said = "; ".join(part for part in about if part)
    heading = f"{title}: {said}" if said else title
    told = [heading] if len(heading) <= _LINE else [title, *(f"  {part}" for part in about if part)]
    return [*told, *_offered(field)]


def _bound(words: str, most: Json) -> str:
    said = words.format(visible(str(most)))
    return said.removesuffix("s") if most == 1 else said


def _offered(field: Field) -> list[str]:
    if field.kind != "choice":
        return []
    titled = zip(field.choices, field.forms, strict=True)
    labels = [one_line(f"{label} ({title})" if title else label, _LINE) for label, (_, title) in titled]
    if _numbered(field):
        return [f"  {number}) {label}" for number, label in enumerate(labels, 1)]
    return [f"  {label}" for label in labels]


def _numbered(field: Field) -> bool:
    """Whether a choice may be named by its number: not where a number could be meant as a value."""
    return not any(label.strip().isdigit() for label in field.choices)


def prompt(field: Field) -> str:
    """What stands before the value that is typed."""
    suffix = {"boolean": " (y/n)", "json": " (JSON)"}.get(field.kind, "")
    return f"{visible(field.name or 'answer')}{suffix}> "


def _value(field: Field, ask: Ask, say: Say) -> Json | Nothing:
    while True:
        line = ask(prompt(field))
        try:
            return _typed(field, line)
        except ValueError as fault:
            say(f"  {visible(str(fault))}")


def _typed(field: Field, line: str) -> Json | Nothing:
    if not line.strip():
        if not field.required:
            return Nothing.GIVEN
        raise ValueError("A value is needed here.")
    if field.kind == "choice" and _numbered(field) and line.strip().isdecimal():
        return _nth(field, int(line.strip()))
    return value_of(field, line)


def _nth(field: Field, number: int) -> Json:
    values = list(field.choices.values())
    if not 1 <= number <= len(values):
        raise ValueError(f"Choose 1 to {len(values)}.")
    return values[number - 1]


def _yes_or_no(line: str) -> bool:
    said = _YES_NO.get(line.strip().lower())
    if said is None:
        raise ValueError("Say yes or no.")
    return said


def value_of(field: Field, text: str) -> Json:
    """The value that a text writes for a field: itself where that takes texts, yes or no, a number, else JSON.

    Raises ValueError, in words.
    """
    match field.kind:
        case "string":
            return text
        case "choice":
            return _choice(field, text.strip())
        case "boolean":
            return _yes_or_no(text)
        case "integer":
            return _integer(text.strip())
        case "number":
            return _number(text.strip())
        case _:
            return _json(text)


def _choice(field: Field, text: str) -> Json:
    if text not in field.choices:
        raise ValueError(f"Choose one of: {', '.join(field.choices)}.")
    return field.choices[text]


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
