"""Warnings: what is accepted of a function as a whole, and will hardly do what its author meant."""

from sayso.core.bounds import MESSAGE_BYTES
from sayso.core.document.checks import Checks
from sayso.core.document.function import Function, RequestFunction
from sayso.core.document.members import warn_of_members
from sayso.core.document.question import party
from sayso.core.replies.properties import is_text
from sayso.core.replies.rule import Part
from sayso.core.templates.arguments import Arguments
from sayso.core.templates.rendering import RenderRefused, brief
from sayso.core.templates.template import Template, never_fits

# Keywords of a text that may keep it from being empty.
_FILLED = frozenset({"const", "enum", "format", "minLength", "pattern"})


def warn(checks: Checks, function: Function) -> None:
    """Tell of what only the function as a whole shows. What one value alone shows was told of where it was checked."""
    warn_of_members(checks, function)
    if isinstance(function, RequestFunction):
        _warn_of_request(checks, function)


def _warn_of_request(checks: Checks, function: RequestFunction) -> None:
    _warn_of_party(checks, "to", function.to)
    _warn_of_party(checks, "from", function.from_)
    if never_fits(function.message):
        words = f"The message is longer than {MESSAGE_BYTES:,} bytes whatever the input is: no run can ask it."
        checks.body_doubt(checks.front.body_line, words)
    _warn_of_emptiness(checks, function)
    if function.delivery is not None:
        _warn_of_unsent(checks, ("deliver", "with"), "The message", function.delivery.arguments)
    if function.replies is not None:
        if function.replies.tell is not None:
            _warn_of_unsent(checks, ("replies", "tell", "with"), "What is told", function.replies.tell.arguments)
        if function.replies.wait_ms >= function.expires_ms:
            words = "replies.wait is as long as expires: every request expires before its replies are read."
            checks.doubt(("replies", "wait"), words)
        _warn_of_rule(checks, function)


def _warn_of_party(checks: Checks, field: str, template: Template | None) -> None:
    """A party that is written out, and that no run can ask."""
    if template is not None and not template.reads:
        try:
            party(field, template, {})
        except RenderRefused as refusal:
            checks.doubt((field,), f"{refusal.detail} No run can ask it.")


def _warn_of_emptiness(checks: Checks, function: RequestFunction) -> None:
    """A message that is one text of the input and nothing else, where that text may be empty."""
    parts = [part for part in function.message.parts or () if isinstance(part, tuple) or part.strip()]
    declared = function.input_schema.source.get("properties", {}) if function.input_schema else {}
    match parts:
        case [("input", str(name))] if is_text(declared.get(name)) and _FILLED.isdisjoint(declared[name]):
            words = f"The message is input.{brief(name)} alone, and empty where that is"
            line = checks.front.body_line + function.message.source.partition("{{")[0].count("\n")
            checks.body_doubt(line, f"{words}: write some words beside it, or give it minLength: 1 in the schema.")


def _warn_of_unsent(checks: Checks, path: tuple[str, ...], what: str, arguments: Arguments) -> None:
    """Arguments that do not hold what is to be sent by them."""
    if not any("message" in template.reads for _, template in arguments.templates()):
        words = "is never sent: no argument reads message. Give it to the one that takes the text"
        checks.doubt(path, f"{what} {words}, as in text: '{{{{ message }}}}'.")


def _warn_of_rule(checks: Checks, function: RequestFunction) -> None:
    rule, schema = function.reply_rule, function.output_schema
    assert rule is not None and schema is not None, "replies are read by a rule, for an answer"
    for name, part in rule.parts.items():
        if lost := _lost(part):
            which = repr(brief(lost[0])) + (f" and {len(lost) - 1} more of its values" if len(lost) > 1 else "")
            words = f"No reply can give {brief(name)} {which}, which is not one word: list words for it under words."
            checks.doubt(("output", "schema", "properties", name, "enum"), words)
    unfilled = [name for name in schema.source.get("required", []) if name not in rule.parts]
    if unfilled:
        words = f"No reply can answer: this requires {brief(', '.join(unfilled))}, which the reply rule does not fill."
        checks.doubt(("output", "schema", "required"), words)


def _lost(part: Part) -> list[str]:
    """The values that no reply can give."""
    return [value for value in part.values if value not in part.offers]
