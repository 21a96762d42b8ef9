"""Questions at a terminal, one a field: what its schema says of it, and what is typed until that can be its value.

Nothing is prefilled: a default is shown as a proposal, and an empty line only skips what is optional. What is typed and
still refused by the request's own check is asked for again.
"""

from collections.abc import Callable, Sequence
from enum import Enum

from sayso.cli.fields import Field, text_of, value_of
from sayso.cli.text import one_line, visible
from sayso.core.schemas.formats import EXAMPLES
from sayso.core.values import Json

# Shows a prompt and returns the line that was typed.
Ask = Callable[[str], str]
Say = Callable[[str], None]

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
_SUFFIXES = {"boolean": " (y/n)", "choices": " (commas between)", "json": " (JSON)"}


class Nothing(Enum):
    """No value: an optional field that was skipped."""

    GIVEN = "given"


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
    name = one_line(field.name or "answer", _LINE)
    about = [part for part in _about(field, name) if part]
    heading = f"{name}: {'; '.join(about)}" if about else name
    told = [heading] if len(heading) <= _LINE else [name, *(f"  {part}" for part in about)]
    return [*told, *_offered(field)]


def _about(field: Field, name: str) -> list[str]:
    schema = field.schema
    title = one_line(str(schema.get("title", "")), _LINE)
    about = ["" if title.casefold() == name.casefold() else title]
    about.append(one_line(str(schema.get("description", "")), _LINE))
    about += [_bound(words, schema[keyword]) for keyword, words in _BOUNDS.items() if keyword in schema]
    if "default" in schema:
        about.append(one_line(f"proposed: {text_of(field, schema['default'])}", _LINE))
    if not field.required:
        about.append("optional: Enter skips it")
    return about


def _bound(words: str, most: Json) -> str:
    said = words.format(visible(str(most)))
    if said in EXAMPLES:
        return f"{said}, such as {EXAMPLES[said]}"
    return said.removesuffix("s") if most == 1 else said


def _offered(field: Field) -> list[str]:
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
    return f"{visible(field.name or 'answer')}{_SUFFIXES.get(field.kind, '')}> "


def _value(field: Field, ask: Ask, say: Say) -> Json | Nothing:
    while True:
        line = ask(prompt(field))
        try:
            return _typed(field, line)
        except ValueError as fault:
            say(f"  {visible(str(fault))}")


def _typed(field: Field, line: str) -> Json | Nothing:
    if line.strip():
        return value_of(field, _by_name(field, line))
    if not field.required:
        return Nothing.GIVEN
    raise ValueError("A value is needed here" + (": [] for none." if field.kind == "choices" else "."))


def _by_name(field: Field, line: str) -> str:
    """What was typed, with choices by their names that were given by their numbers."""
    if not field.choices or not _numbered(field) or line.lstrip().startswith("["):
        return line
    parts = line.split(",") if field.kind == "choices" else [line]
    return ",".join(_nth(list(field.choices), part) for part in parts)


def _nth(names: Sequence[str], part: str) -> str:
    number = part.strip()
    if not number.isdecimal():
        return part
    if not 1 <= int(number) <= len(names):
        raise ValueError(f"Choose 1 to {len(names)}.")
    return names[int(number) - 1]
