"""What may be wrong with a written reply rule, in words that say what to write instead. # AUTO: Answering by reply

One mistake is told of once: of a value whose list is wrong as a whole, its words are not looked at.
"""

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import NamedTuple

from sayso.core.bounds import RULE_VALUES, RULE_WORDS, WORD_BYTES
from sayso.core.replies.properties import are_alike, is_text, property_of, texts
from sayso.core.replies.words import is_sound, normalised
from sayso.core.values import Json

_READ_CHARACTERS = 32
_SAY_WHICH = "Say which text a reply fills, as in reply: { verdict: word }."
_A_PART = "Write word, rest or text, or { from: word, words: {...} } with the words that mean each value."


class RuleFault(NamedTuple):
    """What is wrong with a rule, and the path to it below ``reply``."""

    path: tuple[str, ...]
    detail: str


def no_rule(schema: Mapping[str, Json]) -> str:
    """Why no rule can be made of a schema, and what to write. # AUTO: Answering by reply"""
    required = schema.get("required", [])
    if schema.get("type") != "object" or len(required) != 1:
        return f"It is no object that requires one property. {_SAY_WHICH}"
    name, declared = _shown(required[0]), property_of(required[0], schema)
    if not is_text(declared):
        return f"It requires {name}, which has no type: string. {_SAY_WHICH}"
    if are_alike(texts(declared)):
        return f"Two values of {name} differ only in case or punctuation. Name one of them otherwise."
    words = f"No value of {name} is one word, and only the first word of a reply is compared"
    return f"{words}: list words that mean each, as in words: {{ approve: [yes] }}."


def faults(reply: Json, schema: Mapping[str, Json]) -> Iterator[RuleFault]:
    """All that is wrong with a rule for answers of this schema, in the order in which it stands there."""
    if not isinstance(reply, dict) or not reply:
        yield RuleFault(
            (), "reply says of at least one property of the answer where it comes from, as in verdict: word."
        )
        return
    for name, part in reply.items():
        declared = property_of(name, schema)
        if declared is None:
            detail = "output.schema has no property of this name on its first level."
            yield RuleFault((name,), f"{detail}{_fillable(schema)}")
        elif not is_text(declared):
            yield RuleFault((name,), "A reply fills texts alone: this property needs type: string in output.schema.")
        else:
            yield from _part_faults(name, part, texts(declared))


def _fillable(schema: Mapping[str, Json]) -> str:
    """The properties that a rule may name, as a sentence to add: some of those that somebody can read."""
    texts_of = (name for name, declared in (schema.get("properties") or {}).items() if is_text(declared))
    names = [name for name in islice(texts_of, RULE_VALUES) if len(name) <= _READ_CHARACTERS and name.isprintable()]
    return f" A reply can fill {', '.join(names)}." if names else ""


def _part_faults(name: str, part: Json, values: tuple[str, ...]) -> Iterator[RuleFault]:
    written = part if isinstance(part, dict) else {"from": part}
    source = written.get("from")
    for key in written:
        if key not in ("from", "words"):
            yield RuleFault((name, key), "There is no such key: a part takes from and words.")
    if source not in ("word", "rest", "text"):
        yield RuleFault((name,), _A_PART)
    elif source == "word":
        yield from _word_faults(name, written.get("words", {}), values)
    elif "words" in written:
        yield RuleFault((name, "words"), f"Only word takes words: {source} keeps what was written. Leave them out.")


def _word_faults(name: str, words: Json, values: tuple[str, ...]) -> Iterator[RuleFault]:
    if not values:
        detail = "A word is one of a property's enum, and this property has none: give it one, or write rest or text."
        yield RuleFault((name,), detail)
    elif are_alike(values):
        detail = "Two values of the enum differ only in case or punctuation, so that a word would mean both."
        yield RuleFault((name,), f"{detail} Name one of them otherwise.")
    elif not isinstance(words, dict):
        yield RuleFault((name, "words"), "words gives for a value the list of words that mean it too: approve: [yes].")
    elif len(words) > RULE_VALUES:
        yield RuleFault((name, "words"), f"At most {RULE_VALUES} values have words of their own.")
    elif _are_turned(words, values):
        detail = "The value comes first, and then the list of words that mean it, as in approve: [yes]."
        yield RuleFault((name, "words"), detail)
    else:
        meanings = {normalised(value): value for value in values}
        for value, listed in words.items():
            wrong = _list_fault(value, listed, values) or _word_fault(value, listed, meanings)
            if wrong is not None:
                yield RuleFault((name, "words", value), wrong)


def _are_turned(words: Mapping[str, Json], values: tuple[str, ...]) -> bool:
    """Whether words stand where values should, and values where words should."""
    listed = [value for one in words.values() for value in (one if isinstance(one, list) else [one])]
    return bool(listed) and words.keys().isdisjoint(values) and all(value in values for value in listed)


def _list_fault(value: str, listed: Json, values: tuple[str, ...]) -> str | None:
    if value not in values:
        return f"{_shown(value)} is no value of the property's enum. Write the value as the enum spells it."
    if not isinstance(listed, list) or not all(isinstance(word, str) for word in listed):
        return f'The words of {_shown(value)} are a list of texts, such as [yes, "1"]; a number needs its quotes.'
    if len(listed) > RULE_WORDS:
        return f"{_shown(value)} takes at most {RULE_WORDS} words."
    return None


def _shown(text: str) -> str:
    return repr(text if len(text) <= _READ_CHARACTERS else f"{text[:_READ_CHARACTERS]}…")


def _word_fault(value: str, listed: list[str], meanings: dict[str, str]) -> str | None:
    """The first word that will not do, by its number. ``meanings`` is what every word so far means; it is added to."""
    for number, word in enumerate(listed, start=1):
        if detail := _fault_of(word):
            return f"Word {number} of {_shown(value)} {detail}"
        meant = meanings.setdefault(normalised(word), value)
        if meant != value:
            return f"Word {number} of {_shown(value)} already means {_shown(meant)}: list it for one of the two."
    return None


def _fault_of(word: str) -> str | None:
    if not is_sound(word):
        return "holds a character that no message holds."
    if len(word.encode()) > WORD_BYTES:
        return f"is longer than {WORD_BYTES} bytes."
    if len(word.split()) > 1 or word != word.strip():
        return "has blanks in it, and only the first word of a reply is compared: write one word."
    if not normalised(word):
        return "leaves nothing to compare without its punctuation: write letters, digits or a symbol."
    return None
