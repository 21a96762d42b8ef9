"""JSON Schema 2020-12 as documents write it: checked when it is saved, never fetched, and cheap for every value."""

from collections.abc import Iterator
from functools import cached_property
from itertools import islice

from jsonschema_rs import Draft202012Validator, ValidationError

from sayso.core import bounds, pointers
from sayso.core.issues import shown
from sayso.core.schemas import checks, cost, keywords
from sayso.core.schemas.checks import SchemaFault
from sayso.core.schemas.engine import native, told_at
from sayso.core.schemas.extent import extent
from sayso.core.schemas.grammar import grammar_faults
from sayso.core.schemas.words import words_for
from sayso.core.values import Json, size
from sayso.errors import Issue

_TOO_MANY_NUMBERS = (
    "There are too many numbers in this, with fractions or very many digits, for all that the schema asks."
)
_MISMATCH = "The value does not match the schema."
_ONLY_THE_FIRST = "There may be more: of a value this large, the first problem is told."

# What a fault takes more, because it copies what it is about and spells its place: so many bytes in its own time.
_COPIED_BYTES = 500
_SHORTEST_NUMBER = 4  # such as 1.5, and a comma


class Schema:
    """A compiled schema. It never changes and may be used by any thread."""

    def __init__(self, source: dict[str, Json], validator: Draft202012Validator) -> None:
        self.source = source
        self._validator = validator
        self._first_level = None if source.get("additionalProperties") is not False else native(_closed(source))

    def issues(self, value: Json, base: str) -> tuple[Issue, ...]:
        """What of the value does not match: one issue a fault, each at its pointer below ``base``, none if it matches.

        A missing member and a forbidden one are named themselves. At most twenty, then one that counts the rest; and of
        a value so large that to find its faults would take long, the first.
        """
        try:
            if self._compares_too_much(value):
                return (Issue(detail=_TOO_MANY_NUMBERS, pointer=base),)
            if self._copies_too_much(value):
                return () if self._validator.is_valid(value) else (Issue(detail=_MISMATCH, pointer=base),)
            first = self._first_error(value)
            return self._told(first, value, base) if first else ()
        except ValueError:  # deeper than faults can be told of, a lone surrogate, or a number without end
            return (Issue(detail=_MISMATCH, pointer=base),)

    def _first_error(self, value: Json) -> ValidationError | None:
        try:
            self._validator.validate(value)
        except ValidationError as error:
            return error
        return None

    @cached_property
    def _load(self) -> cost.Load:
        return cost.load(self.source)

    def _compares_too_much(self, value: Json) -> bool:
        """Whether comparing the numbers of the value would take long: far more than any that is meant holds."""
        asked, most = self._load.comparisons, bounds.NUMBER_COMPARISONS
        if asked * bounds.INPUT_BYTES <= most * _SHORTEST_NUMBER:
            return False
        return asked * size(value) > most * _SHORTEST_NUMBER and asked * extent(value).numbers > most

    def _copies_too_much(self, value: Json) -> bool:
        """Whether to tell of one fault would copy the value for very many forms: then it is told of without any."""
        forms, most = self._load.forms, bounds.FORMS_BYTES
        return forms * bounds.INPUT_BYTES > most and forms * size(value) > most

    def _told(self, first: ValidationError, value: Json, base: str) -> tuple[Issue, ...]:
        if not self._can_tell_all(value):
            told = shown(list(_issues(first, value, base)), base)
            return (*told, Issue(detail=_ONLY_THE_FIRST, pointer=base))
        return shown(
            [issue for error in self._validator.iter_errors(value) for issue in _issues(error, value, base)], base
        )

    def _can_tell_all(self, value: Json) -> bool:
        """Whether all the faults that the value may have can be found: the engine finds all of them, or one."""
        asked, has, large = self._load, extent(value), size(value)
        copied = (has.levels * large + has.letters) // _COPIED_BYTES
        of_names = asked.name_faults * has.things * (1 + large // _COPIED_BYTES)
        if asked.faults * (has.things + copied) + of_names > bounds.FAULTS_FOUND:
            return False
        return asked.work * large * 2 <= bounds.SCHEMA_WORK * bounds.INPUT_BYTES

    def takes_member(self, name: str) -> bool:
        """Whether an object may have this member, by its first level: false only where the schema rules it out."""
        return self._first_level is None or self._first_level.is_valid({name: None})


def _closed(source: dict[str, Json]) -> dict[str, Json]:
    """A schema of the names alone that a closed schema takes on its first level."""
    named = {key: member is not False for key, member in source.get("properties", {}).items()}
    patterns = {key: member is not False for key, member in source.get("patternProperties", {}).items()}
    return {"properties": named, "patternProperties": patterns, "additionalProperties": False}


def compile_schema(source: Json) -> Schema | list[SchemaFault]:
    """A schema ready to check values, or what is wrong with it, each with its pointer into it: at most 200 faults."""
    for judge in (checks.size_faults, checks.place_faults, _written_faults, cost.cost_faults):
        if faults := list(islice(judge(source), bounds.SCHEMA_FAULTS)):
            return faults
    try:
        return Schema(source, native(source))
    except ValidationError as error:
        # Grammar and references are right by now: only an expression can be left that the linear engine does not take.
        detail = (
            "Look-around, back references and huge repetitions are not taken, since they need more than linear time."
        )
        return [SchemaFault(told_at(source, error.instance_path), f"{detail} Write the expression without them.")]


def _written_faults(source: Json) -> Iterator[SchemaFault]:
    yield from dict.fromkeys(grammar_faults(source))
    yield from checks.faults(source)
    yield from keywords.faults(source)


def saved_schema(source: dict[str, Json]) -> Schema:
    """A schema that `compile_schema` took when it was saved, be it by an earlier release: it is not judged again."""
    return Schema(source, native(source))


def _issues(error: ValidationError, value: Json, base: str) -> Iterator[Issue]:
    at = pointers.join(told_at(value, error.instance_path), base=base)
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
