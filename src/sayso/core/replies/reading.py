"""Reading a reply: the answer that its words give by a rule, or why they give none. # AUTO: Answering by reply

Nothing is guessed: a first word that is neither a value nor listed for one gives no answer, whatever follows it.
"""

from dataclasses import dataclass
from typing import Literal

from sayso.core.bounds import ANSWER_BYTES, REPLY_BYTES
from sayso.core.replies.rule import ReplyRule
from sayso.core.replies.words import is_sound, normalised, says_nothing
from sayso.core.schemas.schema import Schema
from sayso.core.values import Json, size
from sayso.errors import Issue

# ``ambiguous`` is not for a rule to say: the conversation says it of a reply that names none of several requests.
Because = Literal["not_an_answer", "invalid", "too_long", "ambiguous"]


@dataclass(frozen=True, kw_only=True)
class Answered:
    """The answer that a reply gives. The schema takes it."""

    answer: dict[str, Json]


@dataclass(frozen=True, kw_only=True)
class ReplyRefused:
    """Why a reply is no answer. ``issues``, of ``invalid`` alone, point below ``/answer``; none repeats the words."""

    because: Because
    issues: tuple[Issue, ...] = ()


def read_reply(schema: Schema, rule: ReplyRule, text: str | None) -> Answered | ReplyRefused:
    """What a reply of these words means; None where the message has none. Takes any text, and never raises."""
    words = (text or "").strip()
    if _is_too_long(text or ""):
        return ReplyRefused(because="too_long")
    if says_nothing(words) or not is_sound(words):
        return ReplyRefused(because="not_an_answer")
    answer = _answer(rule, words)
    if answer is None:
        return ReplyRefused(because="not_an_answer")
    issues = _issues(schema, answer)
    return ReplyRefused(because="invalid", issues=issues) if issues else Answered(answer=answer)


def _is_too_long(text: str) -> bool:
    return len(text) > REPLY_BYTES or len(text.encode(errors="surrogatepass")) > REPLY_BYTES


def _answer(rule: ReplyRule, words: str) -> dict[str, Json] | None:
    """The answer in the enum's own spelling, not yet checked; None if the first word means nothing."""
    first, *following = words.split(maxsplit=1)
    rest, word = "".join(following), normalised(first)
    answer: dict[str, Json] = {}
    for name, part in rule.parts.items():
        match part.source:
            case "text":
                answer[name] = words
            case "rest" if not says_nothing(rest):
                answer[name] = rest
            case "word":
                if word not in part.meanings:
                    return None
                answer[name] = part.meanings[word]
    return answer


def _issues(schema: Schema, answer: dict[str, Json]) -> tuple[Issue, ...]:
    if size(answer) > ANSWER_BYTES:  # a rule may keep one reply as several properties
        return (Issue(detail=f"The answer would take more than {ANSWER_BYTES} bytes.", pointer="/answer"),)
    return schema.issues(answer, "/answer")
