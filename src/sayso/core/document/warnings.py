"""Warnings: what is accepted of a function that asks a person, and will hardly do what its author meant."""

from sayso.core.bounds import MESSAGE_BYTES
from sayso.core.document.checks import Checks
from sayso.core.document.function import RequestFunction
from sayso.core.replies.rule import Part
from sayso.core.templates.template import never_fits


def warn(checks: Checks, function: RequestFunction) -> None:
    """Tell of what only the function as a whole shows. What one value alone shows was told of where it was checked."""
    if never_fits(function.message):
        words = f"The message is longer than {MESSAGE_BYTES:,} bytes whatever the input is: no run can ask it."
        checks.body_doubt(checks.front.body_line, words)
    if function.replies is not None:
        if function.replies.wait_ms >= function.expires_ms:
            words = "replies.wait is as long as expires: every request expires before its replies are read."
            checks.doubt(("replies", "wait"), words)
        _warn_of_rule(checks, function)


def _warn_of_rule(checks: Checks, function: RequestFunction) -> None:
    rule, schema = function.reply_rule, function.output_schema
    assert rule is not None and schema is not None, "replies are read by a rule, for an answer"
    for name, part in rule.parts.items():
        if lost := _lost(part):
            which = f"{lost[0]!r}" if len(lost) == 1 else f"{lost[0]!r} and {len(lost) - 1} more of its values"
            words = f"No reply can give {name} {which}, which is not one word: list words for it under words."
            checks.doubt(("output", "schema", "properties", name, "enum"), words)
    unfilled = [name for name in schema.source.get("required", []) if name not in rule.parts]
    if unfilled:
        words = f"No reply can answer: this requires {', '.join(unfilled)}, which the reply rule does not fill."
        checks.doubt(("output", "schema", "required"), words)


def _lost(part: Part) -> list[str]:
    """The values that no reply can give."""
    return [value for value in part.values if value not in part.offers]
