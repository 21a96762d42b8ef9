"""The function that asks a person, through the inbox or through a tool. # AUTO: Fields"""

import bisect
import re

from sayso.core import durations
from sayso.core.document import schemas
from sayso.core.document.checks import Checks
from sayso.core.document.deliver import delivery
from sayso.core.document.format import MESSAGE
from sayso.core.document.function import RequestFunction
from sayso.core.document.replies import replies
from sayso.core.pointers import NOTHING
from sayso.core.replies.faults import no_rule
from sayso.core.replies.rule import ReplyRule, check_rule, derived_rule
from sayso.core.schemas.schema import Schema
from sayso.core.templates.place import PLACES
from sayso.core.templates.template import Template, compile_template

_CURLY = re.compile("[\u2018-\u201f].*[\u2018-\u201f]", re.DOTALL)


def request_function(checks: Checks, name: str) -> RequestFunction | None:
    """The function of a document without ``call``; None if anything that it is made of has a fault."""
    description = checks.description()
    expires_ms = checks.duration_ms(("expires",), durations.expires_ms)
    input_schema, output_schema = schemas.schema(checks, "input"), schemas.schema(checks, "output")
    to, from_ = _party(checks, "to", input_schema), _party(checks, "from", input_schema)
    message = _message(checks, input_schema)
    delivered, read = delivery(checks, input_schema), replies(checks)
    rule = _rule(checks, output_schema)
    if to is None or message is None or expires_ms is None:
        return None
    return RequestFunction(
        name=name,
        description=description,
        to=to,
        from_=from_,
        message=message,
        expires_ms=expires_ms,
        delivery=delivered,
        replies=read,
        input_schema=input_schema,
        output_schema=output_schema,
        reply_rule=rule,
        warnings=(),
    )


def _party(checks: Checks, field: str, input_schema: Schema | None) -> Template | None:
    template = checks.template((field,), input_schema)
    if template is not None and _CURLY.fullmatch(template.source.strip()):
        checks.fault((field,), f"{field} has curly quotes around it, which are part of the name: write ' for them.")
    return template


def _message(checks: Checks, input_schema: Schema | None) -> Template | None:
    body, first_line = checks.front.body, checks.front.body_line
    if not body.strip():
        if (MESSAGE.name,) not in checks.told:
            checks.body_fault(first_line, "The message is missing: write it here, below the front matter.")
        return None
    compiled = compile_template(body, PLACES["message"], input_schema)
    is_taken = isinstance(compiled, Template)
    breaks = [found.start() for found in re.finditer("\n", body)]
    for slip in compiled.doubts if isinstance(compiled, Template) else compiled:
        tell = checks.body_doubt if is_taken else checks.body_fault
        tell(first_line + bisect.bisect_left(breaks, slip.offset), slip.detail)
    return compiled if isinstance(compiled, Template) else None


def _rule(checks: Checks, output_schema: Schema | None) -> ReplyRule | None:
    """The reply rule as it is written, or the one that the schema of the answer implies."""
    if output_schema is None:
        return None
    if not checks.has(("reply",)):
        return _derived(checks, output_schema)
    written = checks.written(("reply",))
    rule = [] if written is NOTHING else check_rule(written, output_schema.source)
    if isinstance(rule, ReplyRule):
        return rule
    for fault in rule:
        checks.fault(("reply", *fault.path), fault.detail)
    return None


def _derived(checks: Checks, output_schema: Schema) -> ReplyRule | None:
    rule = derived_rule(output_schema.source)
    if rule is None and checks.has(("replies",)):
        words = "replies needs a reply rule, and output.schema implies none."
        checks.fault(("replies",), f"{words} {no_rule(output_schema.source)}")
    return rule
