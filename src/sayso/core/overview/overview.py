"""Overviews: a function in plain words, written from its document alone. # AUTO: The overview"""

from collections.abc import Iterator, Sequence

from sayso.core import durations
from sayso.core.document.function import CallFunction, Function, RequestFunction
from sayso.core.overview.fields import fields
from sayso.core.overview.markdown import calm, code, harmless, inline, line_of, plain, quote, within
from sayso.core.overview.templates import template_in_words
from sayso.core.replies.telling import in_words
from sayso.core.schemas.schema import Schema
from sayso.core.templates.template import Template

_PARTY_BYTES = 1_024
_MESSAGE_BYTES = 10_240
_RULE_BYTES = 4_096
_RULE_CHARACTERS = 2_048
_USERS_BYTES = 4_096
_NAME_CHARACTERS = 80


def overview(function: Function, used_by: Sequence[str] = ()) -> str:
    """The function for a person who reads neither Liquid nor YAML: Markdown that reads well as it is, too.

    At most 64 KiB, however large the document is. Nothing that it says is a heading but what is written here: a
    message stands in a block quote, and what names, values and descriptions would mean in Markdown is undone.
    ``used_by`` are the active definitions that call it; a saved overview gets them by `used_by_section`, too.
    """
    sections = _call(function) if isinstance(function, CallFunction) else _request(function)
    return "\n\n".join([_description(function), *sections]) + "\n" + used_by_section(used_by)


def used_by_section(names: Sequence[str]) -> str:
    """The end of an overview: the definitions that use the function; empty if there are none."""
    if not names:
        return ""
    listed = within((f"- {line_of(plain(name, _NAME_CHARACTERS))}" for name in names), _USERS_BYTES)
    return "\n" + _section("Used by", "\n".join(listed)) + "\n"


def _description(function: Function) -> str:
    return calm(function.description or "") or "This function has no description yet."


def _section(title: str, words: str) -> str:
    return f"## {title}\n\n{words}"


def _call(function: CallFunction) -> Iterator[str]:
    yield _section("Who it asks", f"It calls {_tool(function.tool, function.server)}.")
    yield _section("What it sends", _input(function.input_schema))
    part = f"The part at {code(function.read)} of" if function.read is not None else "The whole of"
    yield _section("What it reads", f"{part} the tool's answer.\n\n{fields(function.output_schema, 'What is read')}")


def _request(function: RequestFunction) -> Iterator[str]:
    yield _section("What it needs", _input(function.input_schema))
    yield _section("Who it asks", "\n".join(_parties(function)))
    yield _section("What it sends", _message(function.message))
    yield _section("Where", _where(function))
    yield _section("How long it waits", _wait(function))
    yield _section("What answer it expects", _answer(function.output_schema))
    if function.replies and function.delivery and function.reply_rule:
        rule = (f"- {line_of(plain(line, _RULE_CHARACTERS))}" for line in in_words(function.reply_rule))
        with_tool = f"With {_tool(function.replies.tool, function.delivery.server)}."
        yield _section("How replies are read", "\n".join([with_tool, "", *within(rule, _RULE_BYTES)]))


def _tool(tool: str, server: str) -> str:
    return f"the tool {code(tool)} of the server {code(server)}"


def _input(schema: Schema | None) -> str:
    return fields(schema, "The input") if schema else "No input is described: any input is taken, and none is needed."


def _parties(function: RequestFunction) -> Iterator[str]:
    yield f"- To: {_party(function.to)}"
    if function.from_:
        yield f"- The reply of this one counts: {_party(function.from_)}"


def _party(template: Template) -> str:
    return " ".join(template_in_words(template, inline, _PARTY_BYTES).split())


def _message(template: Template) -> str:
    lead = "The message, with the names in bold filled in when it runs:" if template.reads else "The message:"
    return f"{lead}\n\n{quote(template_in_words(template, harmless, _MESSAGE_BYTES))}"


def _where(function: RequestFunction) -> str:
    if function.delivery is None:
        return "In the playbook's inbox."
    return f"Through {_tool(function.delivery.tool, function.delivery.server)}."


def _wait(function: RequestFunction) -> str:
    expires = durations.in_words(function.expires_ms)
    if not function.notification:
        return f"{expires}, and the question ends then."
    if function.delivery:
        return f"{expires}, and what was not delivered by then is given up."
    return f"At most {expires}: a notification that waits in the inbox is done at once."  # AUTO: How a run ends


def _answer(schema: Schema | None) -> str:
    return fields(schema, "The answer") if schema else "None: it is a notification, which needs no answer."
