"""The schemas of a document: compiled, with every fault at the line of the key or the item that it is about."""

from collections.abc import Sequence
from typing import Literal

from sayso.core.document.checks import Checks
from sayso.core.document.faults import Path
from sayso.core.pointers import NOTHING
from sayso.core.schemas import keywords
from sayso.core.schemas.schema import Schema, compile_schema
from sayso.core.templates.rendering import brief
from sayso.core.values import Json

_SHOWN_CHARACTERS = 100


def schema(checks: Checks, block: Literal["input", "output"]) -> Schema | None:
    """The schema of ``input`` or of ``output``."""
    path = (block, "schema")
    written = checks.written(path)
    if written is NOTHING:
        return None
    compiled = compile_schema(written)
    if not isinstance(compiled, Schema):
        for fault in compiled:
            checks.fault((*path, *_path(fault.path, written)), fault.detail)
        return None
    for doubt in keywords.doubts(written):
        checks.doubt((*path, *_path(doubt.path, written)), doubt.detail)
    return None if _requires_too_much(checks, path, compiled) else compiled


def _requires_too_much(checks: Checks, path: Path, compiled: Schema) -> bool:
    """Whether a closed schema requires what it does not take: it would match no object at all."""
    required = compiled.source.get("required", [])
    if compiled.source.get("type") != "object":
        return False
    refused = [index for index, name in enumerate(required) if not compiled.takes_member(name)]
    if refused:
        shown = brief(", ".join(required[index] for index in refused), _SHOWN_CHARACTERS)
        words = f"{shown}: required, and neither one of the properties nor allowed beside them."
        checks.fault((*path, "required", refused[0]), f"{words} Add it to properties, or take it out of required.")
    return bool(refused)


def _path(names: Sequence[str], value: Json) -> Path:
    """A path of names as the path that the reading knows: with numbers where there is a list."""
    path: list[str | int] = []
    for name in names:
        step = int(name) if isinstance(value, list) else name
        value = value[step]
        path.append(step)
    return tuple(path)
