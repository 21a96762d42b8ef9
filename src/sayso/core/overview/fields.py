"""Fields: what a schema asks for, as a list of its fields with what each has to be, and what its author says of it."""

from collections.abc import Iterator

from sayso.core.overview.definitions import Definitions, Facts
from sayso.core.overview.kinds import GROUP, LISTS, forms, kind
from sayso.core.overview.markdown import bold, plain, within
from sayso.core.schemas.schema import Schema
from sayso.core.values import Json

# How much of a schema is said: levels, the fields of each, and bytes in all; and of each field the words.
_FIELDS = (100, 20, 20)
_BYTES = 12_288
_TITLE_CHARACTERS = 100
_DESCRIPTION_CHARACTERS = 500


# A part of a value that has a schema of its own: its name, that schema, and for a field whether it is required.
_Part = tuple[str, Json, str]


def fields(schema: Schema, subject: str) -> str:
    """The schema in words. ``subject`` is what a schema that is not simply a group of named fields is said of."""
    definitions = Definitions(schema.source)
    facts = definitions.facts(schema.source)
    what, said = kind(facts, definitions), _said(facts)
    listed = "\n".join(within(_List(definitions).lines(facts), _BYTES))
    if not listed and what == GROUP:
        what = "any fields, which the document does not name"
    lead = f"{subject}: {what}.{said}" if said or what != GROUP else ""
    return "\n\n".join(filter(None, (lead, listed)))


class _List:
    """The fields of one schema. What is said of a subschema is made once, however often it is referred to."""

    def __init__(self, definitions: Definitions) -> None:
        self._definitions = definitions
        self._words: dict[int, str] = {}
        self._parts: dict[int, list[_Part]] = {}

    def lines(self, facts: Facts, level: int = 0) -> Iterator[str]:
        """A line a field, each with those of its own fields behind it."""
        every, indent = self.parts(facts), "  " * level
        for name, schema, need in every[: _FIELDS[level]]:
            its = self._definitions.facts(schema)
            yield f"{indent}- {bold(name) if need else name}: {self.words(its)}{need}.{_said(its)}"
            if level + 1 < len(_FIELDS):
                yield from self.lines(its, level + 1)
            elif self.parts(its):
                yield f"{indent}  - and more inside"
        if len(every) > _FIELDS[level]:
            yield f"{indent}- and {len(every) - _FIELDS[level]:,} more"

    def words(self, facts: Facts) -> str:
        """What a value has to be."""
        if id(facts) not in self._words:
            self._words[id(facts)] = kind(facts, self._definitions)
        return self._words[id(facts)]

    def parts(self, facts: Facts) -> list[_Part]:
        """The parts of a value: its fields, its items, and those that it has in one of its forms."""
        if id(facts) not in self._parts:
            self._parts[id(facts)] = [part for one in self._lists(facts) for part in self._own(one)]
        return self._parts[id(facts)]

    def _lists(self, facts: Facts) -> Iterator[Facts]:
        """The value, the items of a list, and those of lists within lists as far as these are said."""
        yield facts
        for _ in range(LISTS):
            if "items" not in facts:
                return
            facts = self._definitions.facts(facts["items"])
            yield facts

    def _own(self, facts: Facts) -> Iterator[_Part]:
        properties, required = facts.get("properties", {}), facts.get("required", ())
        needed = frozenset(required)
        for name in dict.fromkeys([*properties, *required]):
            yield name, properties.get(name, True), "; required" if name in needed else "; optional"
        if isinstance(facts.get("additionalProperties"), dict):
            yield "any other field", facts["additionalProperties"], ""
        for number, item in enumerate(facts.get("prefixItems", ()), start=1):
            yield f"item {number}", item, ""
        for number, form in enumerate(forms(facts), start=1):
            if self.parts(self._definitions.facts(form)):
                yield f"form {number}", form, ""


def _said(facts: Facts) -> str:
    """The title and the description, as sentences behind another."""
    title = plain(facts.get("title", ""), _TITLE_CHARACTERS)
    description = plain(facts.get("description", ""), _DESCRIPTION_CHARACTERS)
    return "".join(f" {said}" if said[-1] in ".!?…" else f" {said}." for said in (title, description) if said)
