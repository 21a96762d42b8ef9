"""Reply rules: which words of a reply become which property of the answer, as a document says or its schema implies.

A word means one value, or nothing.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from sayso.core.replies.faults import RuleFault, faults
from sayso.core.replies.properties import are_alike, is_text, property_of, texts
from sayso.core.replies.words import is_word, normalised
from sayso.core.values import Json


@dataclass(frozen=True, kw_only=True)
class Part:
    """Where a property comes from.

    Of ``word`` alone: ``values`` are the texts of the property's enum, and ``words`` those that mean a value beside
    the value itself.
    """

    source: Literal["word", "rest", "text"]
    values: tuple[str, ...] = ()
    words: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @cached_property
    def meanings(self) -> Mapping[str, str]:
        """The value of every word as it is compared, made once for all replies."""
        return {normalised(word): value for value, words in self.offers.items() for word in words}

    @cached_property
    def offers(self) -> Mapping[str, tuple[str, ...]]:
        """The values that a reply can give, each with the words that it can begin with, as they are written.

        A value of several words is given by the words listed for it alone, and by no reply if there are none.
        """
        listed = {value: (value, *self.words.get(value, ())) for value in self.values}
        usable = {value: tuple(filter(is_word, words)) for value, words in listed.items()}
        return {value: words for value, words in usable.items() if words}


@dataclass(frozen=True, kw_only=True)
class ReplyRule:
    """The parts of a reply by the property that each fills."""

    parts: Mapping[str, Part]

    def as_written(self) -> dict[str, Json]:
        """The rule in its long form, as a document may write it."""
        return {name: _written(part) for name, part in self.parts.items()}


def check_rule(reply: Json, schema: Mapping[str, Json]) -> ReplyRule | list[RuleFault]:
    """A written rule in its long form, or all that is wrong with it. # AUTO: Answering by reply"""
    return list(faults(reply, schema)) or ReplyRule(
        parts={name: _part(written, property_of(name, schema)) for name, written in reply.items()}
    )


def derived_rule(schema: Mapping[str, Json]) -> ReplyRule | None:
    """The rule of a schema whose answers have one required property, a text. None for any other schema."""
    required = schema.get("required")
    if schema.get("type") != "object" or not isinstance(required, list) or len(required) != 1:
        return None
    declared = property_of(required[0], schema)
    if not is_text(declared):
        return None
    if "enum" not in declared:
        return ReplyRule(parts={required[0]: Part(source="text")})
    part = Part(source="word", values=texts(declared))
    return None if are_alike(part.values) or not part.offers else ReplyRule(parts={required[0]: part})


def _part(written: Json, declared: Mapping[str, Json]) -> Part:
    if isinstance(written, str):
        written = {"from": written}
    if written["from"] != "word":
        return Part(source=written["from"])
    words = {value: tuple(listed) for value, listed in written.get("words", {}).items()}
    return Part(source="word", values=texts(declared), words=words)


def _written(part: Part) -> dict[str, Json]:
    words = {value: list(listed) for value, listed in part.words.items()}
    return {"from": part.source} | ({"words": words} if part.source == "word" else {})
