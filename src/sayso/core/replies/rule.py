"""Reply rules: which words of a reply become which property of the answer, as a document says or its schema implies.

Words are compared without case, without invisible characters and without punctuation around them. Nothing is guessed:
a word means one value, or nothing.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from sayso.core.bounds import RULE_VALUES, RULE_WORDS, WORD_BYTES
from sayso.core.values import Json

_PARTS = ("word", "rest", "text")
_INVISIBLE = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]")  # variation selectors; format characters are a category


@dataclass(frozen=True, kw_only=True)
class Part:
    """Where a property comes from. ``words``, of ``word`` alone, are those that mean a value beside the value."""

    source: Literal["word", "rest", "text"]
    words: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class ReplyRule:
    """The parts of a reply by the property that each fills."""

    parts: Mapping[str, Part]

    def as_written(self) -> dict[str, Json]:
        """The rule in its long form, as a document may write it."""
        return {name: _written(part) for name, part in self.parts.items()}


class RuleFault(NamedTuple):
    """What is wrong with a rule, and the path to it below ``reply``."""

    path: tuple[str, ...]
    detail: str


def normalised(word: str) -> str:
    """What of a word is compared. Empty: the word matches nothing."""
    folded = unicodedata.normalize("NFKC", word).casefold()
    visible = [c for c in _INVISIBLE.sub("", folded) if unicodedata.category(c) != "Cf"]
    start, end = 0, len(visible)
    while start < end and _is_around(visible[start]) and not _is_sign(visible[start : start + 2]):
        start += 1
    while start < end and _is_around(visible[end - 1]):
        end -= 1
    return "".join(visible[start:end])


def _is_around(character: str) -> bool:
    return character in "`~" or unicodedata.category(character).startswith("P")


def _is_sign(pair: list[str]) -> bool:
    return pair[0] in "+-" and pair[-1].isdigit()


def check_rule(reply: Json, schema: Mapping[str, Json]) -> ReplyRule | list[RuleFault]:
    """A written rule in its long form, or all that is wrong with it. # AUTO: Answering by reply"""
    if not isinstance(reply, dict) or not reply:
        return [RuleFault((), "reply says of at least one property of the answer where it comes from.")]
    faults = [fault for name, part in reply.items() for fault in _part_faults(name, part, schema)]
    if faults:
        return faults
    return ReplyRule(parts={name: _part(written) for name, written in reply.items()})


def derived_rule(schema: Mapping[str, Json]) -> ReplyRule | None:
    """The rule of a schema whose answers have one required property, a text. None for any other schema."""
    required = schema.get("required")
    if schema.get("type") != "object" or not isinstance(required, list) or len(required) != 1:
        return None
    property_ = _text_property(required[0], schema)
    if property_ is None or _alike(_values(property_)):
        return None
    return ReplyRule(parts={required[0]: Part(source="word" if "enum" in property_ else "text")})


def _text_property(name: str, schema: Mapping[str, Json]) -> Mapping[str, Json] | None:
    found = (schema.get("properties") or {}).get(name)
    return found if isinstance(found, dict) and found.get("type") == "string" else None


def _values(property_: Mapping[str, Json]) -> list[str]:
    return [value for value in property_.get("enum") or () if isinstance(value, str)]


def _alike(values: list[str]) -> bool:
    return len({normalised(value) for value in values}) < len(set(values))


def _part(written: Json) -> Part:
    if isinstance(written, str):
        written = {"from": written}
    words = {value: tuple(words) for value, words in written.get("words", {}).items()}
    return Part(source=written["from"], words=words)


def _written(part: Part) -> dict[str, Json]:
    words = {value: list(words) for value, words in part.words.items()}
    return {"from": part.source} | ({"words": words} if part.source == "word" else {})


def _part_faults(name: str, part: Json, schema: Mapping[str, Json]) -> Iterator[RuleFault]:
    property_ = _text_property(name, schema)
    if property_ is None:
        yield RuleFault(
            (name,), "A rule fills top-level properties of output.schema whose type is string; this is none."
        )
        return
    written = part if isinstance(part, dict) else {"from": part}
    for key in written.keys() - {"from", "words"}:
        yield RuleFault((name, key), "A part takes from and words.")
    if written.get("from") not in _PARTS:
        yield RuleFault((name,), f"A part is one of {', '.join(_PARTS)}, or an object with one of them as its from.")
    elif written["from"] == "word":
        yield from _word_faults(name, written.get("words", {}), _values(property_))
    elif "words" in written:
        yield RuleFault((name, "words"), f"Only word takes words; {written['from']} keeps what is written.")


def _word_faults(name: str, words: Json, values: list[str]) -> Iterator[RuleFault]:
    if not values:
        yield RuleFault((name,), "A word is one of the enum of its property, and this property has no enum.")
    elif _alike(values):
        yield RuleFault((name,), "Two values of the enum differ only in case or punctuation: a word would mean both.")
    elif not isinstance(words, dict):
        yield RuleFault((name, "words"), "words lists for a value the words that also mean it.")
    elif len(words) > RULE_VALUES:
        yield RuleFault((name, "words"), f"At most {RULE_VALUES} values have words.")
    else:
        meanings = {normalised(value): value for value in values}
        for value, listed in words.items():
            detail = _listed_fault(value, listed, values, meanings)
            if detail:
                yield RuleFault((name, "words", value), detail)


def _listed_fault(value: str, listed: Json, values: list[str], meanings: dict[str, str]) -> str | None:
    if value not in values:
        return "This is no value of the property's enum."
    if not isinstance(listed, list) or not all(isinstance(word, str) for word in listed):
        return "The words of a value are a list of texts; put quotes around a number."
    if len(listed) > RULE_WORDS:
        return f"A value takes at most {RULE_WORDS} words."
    if any(len(word.encode()) > WORD_BYTES for word in listed):
        return f"A word takes at most {WORD_BYTES} bytes."
    if any(meanings.setdefault(normalised(word), value) != value for word in listed if normalised(word)):
        return "One of these words already means another value."
    return None
