"""The question of a run, to a person or to a system: a function's templates over the run's input, with what makes it
one that cannot be asked."""

from collections.abc import Mapping
from dataclasses import dataclass

from sayso.core import party as parties
from sayso.core.bounds import MESSAGE_BYTES
from sayso.core.commands import Question
from sayso.core.document.function import CallFunction, Function, RequestFunction
from sayso.core.instants import iso
from sayso.core.templates.rendering import RenderRefused
from sayso.core.templates.template import Template
from sayso.core.values import Json
from sayso.errors import Issue, Kind, Reason


@dataclass(frozen=True, kw_only=True)
class Refused:
    """Why a run cannot ask: ``invalid_input`` with its pointer, or ``conflict`` of the kind ``unworkable``."""

    reason: Reason
    kind: Kind | None
    detail: str
    pointer: str | None


def check_input(function: Function, input_value: Json) -> tuple[Issue, ...]:
    """What of an input the function's schema does not take, each at its pointer below ``/input``."""
    return function.input_schema.issues(input_value, "/input") if function.input_schema else ()


def ask(function: RequestFunction, input_value: Json, moment_ms: int) -> Question | Refused:
    """The question of a run that starts at this moment, over an input that `check_input` took.

    Party, answerer and message are rendered in this order, and the first that will not do is told of.
    """
    names = _names(input_value, moment_ms)
    try:
        to = party("to", function.to, names)
        answerer = party("from", function.from_, names) if function.from_ else to
        message = _message(function.message, names)
    except RenderRefused as refusal:
        return _refused(refusal)
    return Question(
        to=to,
        answerer=None if answerer == to else answerer,
        message=message,
        message_bytes=len(message.encode()),
        takes_answer=not function.notification,
        expires_ms=function.expires_ms,
    )


def arguments(function: CallFunction, input_value: Json, moment_ms: int) -> dict[str, Json] | Refused:
    """The arguments of the call of a run that starts at this moment, over an input that `check_input` took."""
    try:
        return function.arguments.render(_names(input_value, moment_ms))
    except RenderRefused as refusal:
        return _refused(refusal)


def _names(input_value: Json, moment_ms: int) -> dict[str, Json]:
    now = iso(moment_ms * 1_000)
    return {"input": input_value, "today": now[:10], "now": now}


def _message(template: Template, names: Mapping[str, Json]) -> str:
    """The message: any text, but for NUL, which filters can make and not every store and terminal can hold."""
    message = _render("The message", template, names)
    if "\0" in message:
        raise RenderRefused("unworkable", "The message renders a text with a NUL.")
    return message


def party(field: str, template: Template, names: Mapping[str, Json]) -> str:
    """The party or the answerer that a template renders. Raises RenderRefused for what can be neither."""
    name = _render(field, template, names).strip()
    fault = parties.fault(name)
    if fault is not None:
        raise RenderRefused("unworkable", f"{field} renders {fault}.")
    return name


def _render(subject: str, template: Template, names: Mapping[str, Json]) -> str:
    try:
        return template.render(names, MESSAGE_BYTES)
    except RenderRefused as refusal:
        raise RenderRefused(refusal.reason, f"{subject}: {refusal.detail}", refusal.pointer) from refusal


def _refused(refusal: RenderRefused) -> Refused:
    if refusal.reason == "invalid_input":
        return Refused(
            reason=Reason.INVALID_INPUT, kind=None, detail=refusal.detail, pointer=refusal.pointer or "/input"
        )
    return Refused(reason=Reason.CONFLICT, kind=Kind.UNWORKABLE, detail=refusal.detail, pointer=None)
