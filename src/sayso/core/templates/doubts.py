"""Doubts: what a template may be, and hardly is on purpose. Nothing of it is refused; its author hears of it."""

import re
from collections.abc import Iterator

from sayso.core.schemas.schema import Schema
from sayso.core.templates.source import Slip, statements

_ONE_BRACE = re.compile(r"(?<!\{)\$?\{ ?input\.[\w.-]{1,64} ?\}(?!\})")
_COMMENT = re.compile(r"\{#[^{}]{0,200}#\}")
_MEMBER = re.compile(r"-?\s*input\.([\w-]+)\s*-?")

_STRUCTURES = {"array": ("a list", "join: ', '"), "object": ("an object", "json")}


def of_text(source: str, input_schema: Schema | None) -> Iterator[Slip]:
    """What looks like a template and is none; and with a schema, its lists and objects that stand among text."""
    for found in _ONE_BRACE.finditer(source):
        yield Slip(found.start(), "A name in single braces is sent as it stands: write {{ before it and }} after it.")
    for found in _COMMENT.finditer(source):
        words = "{# is no comment here, and is sent as it stands: write {% comment %}…{% endcomment %}."
        yield Slip(found.start(), words)
    declared = input_schema.source.get("properties", {}) if input_schema else {}
    for statement in statements(source) if declared else ():
        member = _MEMBER.fullmatch(statement.code) if not statement.tag else None
        if member and (structure := _structure(declared.get(member[1]))):
            is_a, turned = structure
            words = f"input.{member[1]} is {is_a}, which does not render among text: write | {turned} after it."
            yield Slip(statement.start, words)


def _structure(schema: object) -> tuple[str, str] | None:
    """What the schema of a member makes of it, and the filter that makes text of that; None if it may be text."""
    return _STRUCTURES.get(str(schema.get("type"))) if isinstance(schema, dict) else None
