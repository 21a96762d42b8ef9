"""Whether a schema is written as JSON Schema writes it."""

from collections.abc import Iterator

from jsonschema_rs import ValidationError

from sayso.core import pointers, values
from sayso.core.schemas import advice
from sayso.core.schemas.checks import DIALECT, SchemaFault
from sayso.core.schemas.engine import native, told_at
from sayso.core.schemas.subschemas import every, without_subschemas
from sayso.core.schemas.words import words_for
from sayso.core.values import Json

_GRAMMAR = native({"$ref": DIALECT})

# Of a subschema that is larger than this by itself, one fault is told: each brings a copy of what it is about.
_TOLD_WHOLE_BYTES = 4_096


def grammar_faults(schema: Json) -> Iterator[SchemaFault]:
    """Where it is not. Each subschema is judged without those in it, so that no fault carries them along."""
    if _GRAMMAR.is_valid(schema):
        return
    for path, one in every(schema):
        for error in _errors(without_subschemas(one)):
            at = told_at(one, error.instance_path)
            yield SchemaFault((*path, *at), _words(error, at[-1], pointers.find(one, pointers.join(at))))


def _errors(alone: dict[str, Json]) -> Iterator[ValidationError]:
    if _GRAMMAR.is_valid(alone):
        return
    if values.size(alone) <= _TOLD_WHOLE_BYTES:
        yield from _GRAMMAR.iter_errors(alone)
        return
    try:
        _GRAMMAR.validate(alone)
    except ValidationError as error:
        yield error


def _words(error: ValidationError, keyword: str, written: Json) -> str:
    if error.kind.name == "anyOf" and keyword == "type":
        return advice.of_type(written)
    return advice.of_keyword(keyword, written) or f"This is not as JSON Schema writes it: it {words_for(error)}."
