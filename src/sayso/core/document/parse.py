"""From a document to a function: reads it, checks every field, and reports all that is wrong at once."""

from sayso.core.bounds import MESSAGE_BYTES
from sayso.core.document import front_matter
from sayso.core.document.checks import Checks
from sayso.core.document.faults import Fault, Faulty, problem_of
from sayso.core.document.front_matter import FrontMatter
from sayso.core.document.function import Function, RequestFunction
from sayso.core.templates.template import Template, never_fits

__all__ = ["Function", "RequestFunction", "parse"]

# AUTO: Fields
_FIELDS = ("description", "to", "from", "expires", "input", "output", "reply")
_OF_OTHER_SHAPES = ("call", "deliver", "replies")


def parse(source: str, *, name: str = "") -> RequestFunction:
    """The function that a document is. Raises Problem, ``invalid_input``, with every fault by its line.

    Pure and bounded: at most a second for any text, and nothing of it is run. ``name`` is the definition's.
    """
    try:
        front = front_matter.read(source)
        _refuse_other_shapes(front)
    except Faulty as refusal:
        raise problem_of(refusal.faults) from None
    return _function(front, name)


def _refuse_other_shapes(front: FrontMatter) -> None:
    written = [field for field in _OF_OTHER_SHAPES if field in front.fields]
    if written:
        first = min(written, key=lambda field: front.line((field,)))
        detail = f"This release runs functions that ask through the inbox; {first} is not run yet. Leave it out."
        raise Faulty([Fault(line=front.line((first,)), at=f"/{first}", detail=detail)])


def _function(front: FrontMatter, name: str) -> RequestFunction:
    checks = Checks(front)
    checks.keys((), _FIELDS, required=("to", "expires"))
    description, expires_ms = checks.description(), checks.expires()
    input_schema, output_schema = checks.schema("input"), checks.schema("output")
    to, from_ = checks.template("to", input_schema), checks.template("from", input_schema)
    message = checks.message(input_schema)
    reply_rule = checks.reply(output_schema)
    if checks.faults or to is None or message is None or expires_ms is None:
        raise problem_of(checks.faults)
    return RequestFunction(
        name=name,
        description=description,
        to=to,
        from_=from_,
        message=message,
        expires_ms=expires_ms,
        delivery=None,
        replies=None,
        input_schema=input_schema,
        output_schema=output_schema,
        reply_rule=reply_rule,
        warnings=tuple(_warnings(message)),
    )


def _warnings(message: Template) -> list[str]:
    if never_fits(message):
        return [f"The message is longer than {MESSAGE_BYTES:,} bytes whatever the input is: no run can ask it."]
    return []
