"""Warnings: what is accepted of a document, and will hardly do what its author meant."""

from collections.abc import Iterator

from sayso.core.bounds import MESSAGE_BYTES
from sayso.core.document.function import RequestFunction
from sayso.core.replies.rule import Part
from sayso.core.templates.template import never_fits


def warnings(function: RequestFunction) -> Iterator[str]:
    """What the author should hear of a function that asks a person, when it is saved."""
    if never_fits(function.message):
        yield f"The message is longer than {MESSAGE_BYTES:,} bytes whatever the input is: no run can ask it."
    if function.replies is not None:
        if function.replies.wait_ms >= function.expires_ms:
            yield "replies.wait is as long as expires: every request expires before its replies are read."
        yield from _of_rule(function)


def _of_rule(function: RequestFunction) -> Iterator[str]:
    rule, schema = function.reply_rule, function.output_schema
    assert rule is not None and schema is not None, "replies are read by a rule, for an answer"
    for name, part in rule.parts.items():
        if lost := _lost(part):
            which = f"{lost[0]!r}" if len(lost) == 1 else f"{lost[0]!r} and {len(lost) - 1} more of its values"
            yield f"No reply can give {name} {which}, which is not one word: list words for it under words."
    unfilled = [name for name in schema.source.get("required", []) if name not in rule.parts]
    if unfilled:
        yield f"No reply can answer: output.schema requires {', '.join(unfilled)}, which the reply rule does not fill."


def _lost(part: Part) -> list[str]:
    """The values that no reply can give."""
    return [value for value in part.values if value not in part.offers]
