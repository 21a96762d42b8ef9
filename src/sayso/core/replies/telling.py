"""What a party is told: how to answer after a reply that was none, and that a question is closed. # AUTO: replies.tell

The words are of the document alone: the rule, the schema, and never the reply. However large those are, a telling
stays below 6 KiB.
"""

from collections.abc import Iterable, Iterator
from typing import Literal, assert_never

from sayso.core.bounds import REPLY_BYTES, TELLING_LIST_BYTES
from sayso.core.pointers import split
from sayso.core.replies.properties import property_of, texts
from sayso.core.replies.reading import ReplyRefused
from sayso.core.replies.rule import Part, ReplyRule
from sayso.core.schemas.schema import Schema
from sayso.errors import Issue

_NAME_CHARACTERS = 64
_DETAIL_CHARACTERS = 240

_STILL_OPEN = "The question is still open: please reply again."

Closed = Literal["answered", "expired", "cancelled"]


def refusal(refused: ReplyRefused, rule: ReplyRule, schema: Schema) -> str:
    """What the party is told after a reply that was refused so."""
    match refused.because:
        case "not_an_answer":
            return "\n".join(
                [f"Your reply could not be read as an answer. {_STILL_OPEN}", *_how_to_answer(rule, schema)]
            )
        case "invalid":
            problems = _as_many_as_fit(_problem(issue) for issue in refused.issues)
            first = "Your reply cannot be taken as an answer, because of this:"
            return "\n".join([first, *problems, _STILL_OPEN, *_how_to_answer(rule, schema)])
        case "too_long":
            return f"Your reply is longer than {REPLY_BYTES:,} bytes and was not read. Send a shorter one."
        case "ambiguous":
            return (
                "More than one question is open here, and your reply does not say which one it answers. "
                "Reply to the message of the question that you mean, in its thread."
            )
        case _:
            assert_never(refused.because)


def closed(how: Closed) -> str:
    """What the party is told when its question takes no reply any more, since it ended in another way."""
    match how:
        case "answered":
            return "This question has been answered elsewhere, so there is nothing left to reply to. Thank you."
        case "expired":
            return "This question has expired: no answer came in time. A reply to it no longer counts."
        case "cancelled":
            return "This question has been withdrawn. No answer is needed, and a reply to it no longer counts."
        case _:
            assert_never(how)


def _how_to_answer(rule: ReplyRule, schema: Schema) -> list[str]:
    """Lines that tell a party how to reply: the words that count, and what becomes of the others."""
    return _as_many_as_fit(line for name, part in rule.parts.items() for line in _how(name, part, rule, schema))


def in_words(rule: ReplyRule) -> list[str]:
    """The rule for the reader of an overview: a sentence a property, saying where in a reply it comes from.

    The words that mean a value stand behind it. Plain text: what has a meaning in Markdown is not escaped.
    """
    return [_comes_from(name, part) for name, part in rule.parts.items()]


def _how(name: str, part: Part, rule: ReplyRule, schema: Schema) -> Iterator[str]:
    called = _cut(name, _NAME_CHARACTERS)
    match part.source:
        case "word":
            yield f"The first word of your reply is the {called}. It is one of:"
            yield from (f"- {_choice(value, words)}" for value, words in part.offers.items())
        case "rest" if name in schema.source.get("required", ()):
            yield f"What you write after the first word is kept as the {called}, which is required."
        case "rest":
            yield f"What you write after the first word is kept as the {called}."
        case "text":
            yield from _whole(called, texts(property_of(name, schema.source)), len(rule.parts))
        case _:
            assert_never(part.source)


def _whole(called: str, values: tuple[str, ...], parts: int) -> Iterator[str]:
    if values:
        yield f"Your whole reply is the {called}, spelled as one of:"
        yield from (f"- {_cut(value, _NAME_CHARACTERS)}" for value in values)
    elif parts == 1:
        yield f"Answer in your own words: your whole reply is kept as the {called}."
    else:
        yield f"Your whole reply is kept as the {called}."


def _comes_from(name: str, part: Part) -> str:
    match part.source:
        case "word":
            choices = _as_many_as_fit(_choice(value, words) for value, words in part.offers.items())
            return f"{name} is the reply's first word, one of: {'; '.join(choices)}."
        case "rest":
            return f"{name} is what follows the first word."
        case "text":
            return f"{name} is the whole reply."
        case _:
            assert_never(part.source)


def _choice(value: str, words: tuple[str, ...]) -> str:
    """One value with the words that give it: "approve (or yes, ok)", "later (means Not Yet)"."""
    first, *others = (_cut(word, _NAME_CHARACTERS) for word in words)
    if words[0] != value:
        return f"{', '.join([first, *others])} (means {_cut(value, _NAME_CHARACTERS)})"
    return f"{first} (or {', '.join(others)})" if others else first


def _problem(issue: Issue) -> str:
    """An issue for somebody who knows of no pointers: the property's name, and what is wrong with it."""
    detail = _cut(issue.detail, _DETAIL_CHARACTERS)
    names = split(issue.pointer)[1:]
    return f"- {_cut(names[0], _NAME_CHARACTERS)}: {detail}" if names else f"- {detail}"


def _as_many_as_fit(lines: Iterable[str]) -> list[str]:
    """The lines that a message has room for, and then how many more there are."""
    every, room = list(lines), TELLING_LIST_BYTES
    taken: list[str] = []
    for line in every:
        room -= len(line.encode()) + 2
        if room < 0:
            return [*taken, f"and {len(every) - len(taken)} more"]
        taken.append(line)
    return taken


def _cut(text: str, characters: int) -> str:
    return text if len(text) <= characters else f"{text[:characters]}…"
