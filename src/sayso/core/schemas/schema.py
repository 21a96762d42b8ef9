"""JSON Schema 2020-12 as documents write it: checked when it is saved, never fetched, and cheap for every value."""

from collections.abc import Iterator
from typing import NoReturn

from jsonschema_rs import Draft202012Validator, RegexOptions, ValidationError

from sayso.core import bounds, pointers
from sayso.core.issues import shown
from sayso.core.schemas import advice, checks, keywords
from sayso.core.schemas.checks import SchemaFault
from sayso.core.schemas.words import words_for
from sayso.core.values import Json
from sayso.errors import Issue


class Schema:
    """A compiled schema. It never changes and may be used by any thread."""

    def __init__(self, source: dict[str, Json], validator: Draft202012Validator) -> None:
        self.source = source
        self._validator = validator
        self._first_level = None if source.get("additionalProperties") is not False else native(_closed(source))

    def issues(self, value: Json, base: str) -> tuple[Issue, ...]:
        """What of the value does not match: one issue a fault, each at its pointer below ``base``, none if it matches.

        A missing member and a forbidden one are named themselves. At most twenty, then one that counts the rest.
        """
        try:
            if self._validator.is_valid(value):
                return ()
            return shown(list(self._told(value, base)), base)
        except ValueError:  # deeper than faults can be told of, a lone surrogate, or a number without end
            return (Issue(detail="The value does not match the schema.", pointer=base),)

    def _told(self, value: Json, base: str) -> Iterator[Issue]:
        faults = self._validator.evaluate(value).errors()
        if len(faults) <= bounds.FAULTS_TOLD_APART:
            yield from (issue for error in self._validator.iter_errors(value) for issue in _issues(error, base))
            return
        # Each error brings a copy of its enum: too many are told of by their place alone.
        for fault in faults:
            yield Issue(detail="This does not match the schema.", pointer=base + fault["instanceLocation"])

    def takes_member(self, name: str) -> bool:
        """Whether an object may have this member, by its first level: false only where the schema rules it out."""
        return self._first_level is None or self._first_level.is_valid({name: None})


def _closed(source: dict[str, Json]) -> dict[str, Json]:
    """A schema of the names alone that a closed schema takes on its first level."""
    named = {key: member is not False for key, member in source.get("properties", {}).items()}
    patterns = {key: member is not False for key, member in source.get("patternProperties", {}).items()}
    return {"properties": named, "patternProperties": patterns, "additionalProperties": False}


def compile_schema(source: Json) -> Schema | list[SchemaFault]:
    """A schema ready to check values, or all that is wrong with it, each with its pointer into it."""
    faults = checks.size_faults(source) or checks.place_faults(source)
    faults = faults or [*dict.fromkeys(_grammar_faults(source)), *checks.faults(source), *keywords.faults(source)]
    faults = faults or checks.cost_faults(source)
    if faults:
        return faults
    try:
        return Schema(source, native(source))
    except ValidationError as error:
        # Grammar and references are right by now: only an expression can be left that the linear engine does not take.
        detail = (
            "Look-around, back references and huge repetitions are not taken, since they need more than linear time."
        )
        return [SchemaFault(pointers.join(error.instance_path), f"{detail} Write the expression without them.")]


def saved_schema(source: dict[str, Json]) -> Schema:
    """A schema that `compile_schema` took when it was saved, be it by an earlier release: it is not judged again."""
    return Schema(source, native(source))


def _refuse(uri: str) -> NoReturn:
    raise ValueError(f"schemas are never fetched: {uri}")


def native(source: dict[str, Json]) -> Draft202012Validator:
    """The native validator of a schema, whose expressions take linear time. It follows no reference out of it."""
    # Without a retriever of ours it would read files and fetch over HTTP. RegexOptions is the linear engine.
    patterns = RegexOptions(size_limit=bounds.PATTERN_MEMORY_BYTES, dfa_size_limit=bounds.PATTERN_MEMORY_BYTES)
    return Draft202012Validator(source, validate_formats=True, retriever=_refuse, pattern_options=patterns)


_GRAMMAR = Draft202012Validator({"$ref": checks.DIALECT}, validate_formats=True, retriever=_refuse)


def _grammar_faults(source: Json) -> Iterator[SchemaFault]:
    if _GRAMMAR.is_valid(source):
        return
    errors = _GRAMMAR.evaluate(source).errors()
    if len(errors) > bounds.FAULTS_TOLD_APART:  # each that is told apart brings a copy of what it is about
        yield from (SchemaFault(error["instanceLocation"], "This is not as JSON Schema writes it.") for error in errors)
        return
    for error in _GRAMMAR.iter_errors(source):
        at = pointers.join(error.instance_path)
        yield SchemaFault(at, _words(error, at.rpartition("/")[2], pointers.find(source, at)))


def _words(error: ValidationError, keyword: str, written: Json) -> str:
    if error.kind.name == "anyOf" and keyword == "type":
        return advice.of_type(written)
    return advice.of_keyword(keyword, written) or f"This is not as JSON Schema writes it: it {words_for(error)}."


def _issues(error: ValidationError, base: str) -> Iterator[Issue]:
    at = pointers.join(error.instance_path, base=base)
    facts = error.kind.as_dict()
    match error.kind.name:
        case "required":
            yield Issue(detail="This is required and missing.", pointer=pointers.join((facts["property"],), base=at))
        case "additionalProperties":
            for name in facts["unexpected"]:
                yield Issue(
                    detail="There is no such member: it is not allowed here.", pointer=pointers.join((name,), base=at)
                )
        case _:
            yield Issue(detail=f"This {words_for(error)}.", pointer=at)
