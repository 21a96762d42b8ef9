"""Trials: what a run of a function over an input would put to a person or to a tool. Nothing is sent, nothing kept.

What only a run can know is stood in for by samples: ``RUN_ID``, and ``SENT`` for what the sending tool would answer.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from sayso.core.commands import Question
from sayso.core.document.function import CallFunction, Delivery, Function, Replies, RequestFunction
from sayso.core.document.question import Refused, arguments, ask, check_input
from sayso.core.instants import iso
from sayso.core.replies import telling
from sayso.core.replies.reading import ReplyRefused
from sayso.core.templates.arguments import Arguments
from sayso.core.templates.rendering import RenderRefused
from sayso.core.templates.template import Template
from sayso.core.values import Json
from sayso.errors import Kind, Problem, Reason, conflict, invalid_input

RUN_ID = "00000000-0000-7000-8000-000000000000"
# Digits: some tools name a conversation by a number, and templates make one of the text.
SENT: Mapping[str, Json] = {"conversation": "1111111111", "id": "2222222222"}

Names = Mapping[str, Json]


@dataclass(frozen=True, kw_only=True)
class ToolCall:
    """One call of a tool, with its arguments rendered."""

    server: str
    tool: str
    arguments: dict[str, Json]


@dataclass(frozen=True, kw_only=True)
class Reading:
    """How replies would be read: by which key, the first call, and the call that tells of a reply without words."""

    conversation: str
    call: ToolCall
    telling: ToolCall | None


@dataclass(frozen=True, kw_only=True)
class CallTrial:
    """What a call would be."""

    function: CallFunction
    call: ToolCall


@dataclass(frozen=True, kw_only=True)
class RequestTrial:
    """What a request would be. ``delivery`` is None where it waits in the inbox."""

    function: RequestFunction
    question: Question
    expires_at: str
    delivery: ToolCall | None
    reading: Reading | None


def try_function(function: Function, input_value: Json, moment_ms: int) -> RequestTrial | CallTrial:
    """What a run that starts at this moment would do. Raises the Problem that it would end with."""
    issues = check_input(function, input_value)
    if issues:
        detail = "The input does not match the input schema of the function."
        raise Problem(Reason.INVALID_INPUT, detail, issues=issues)
    if isinstance(function, RequestFunction):
        return _request(function, input_value, moment_ms)
    rendered = arguments(function, input_value, moment_ms)
    if isinstance(rendered, Refused):
        raise _problem(rendered)
    call = ToolCall(server=function.server, tool=function.tool, arguments=rendered)
    return CallTrial(function=function, call=call)


def _request(function: RequestFunction, input_value: Json, moment_ms: int) -> RequestTrial:
    question = ask(function, input_value, moment_ms)
    if isinstance(question, Refused):
        raise _problem(question)
    now, expires_at = iso(moment_ms * 1_000), iso((moment_ms + function.expires_ms) * 1_000)
    # AUTO: Templates and pointers, deliver.with
    names: Names = {
        "input": input_value,
        "today": now[:10],
        "now": now,
        "to": question.to,
        "message": question.message,
        "run_id": RUN_ID,
        "function": function.name,
        "expires_at": expires_at,
        "answer_schema": function.output_schema.source if function.output_schema else None,
    }
    delivery = function.delivery
    return RequestTrial(
        function=function,
        question=question,
        expires_at=expires_at,
        delivery=_call(delivery, None, "deliver.with", delivery.arguments, names) if delivery else None,
        reading=_reading(function, delivery, function.replies, question.to) if delivery and function.replies else None,
    )


def _reading(function: RequestFunction, delivery: Delivery, replies: Replies, party: str) -> Reading:
    names: Names = {"to": party, "sent": SENT}
    conversation = _text("replies.conversation", replies.conversation, names)
    reading: Names = {**names, "conversation": conversation, "since": ""}
    tell = replies.tell
    words: Names = {**names, "message": _telling(function)}
    return Reading(
        conversation=conversation,
        call=_call(delivery, replies.tool, "replies.with", replies.arguments, reading),
        telling=_call(delivery, tell.tool, "tell.with", tell.arguments, words) if tell else None,
    )


def _telling(function: RequestFunction) -> str:
    assert function.reply_rule is not None and function.output_schema is not None, "who reads replies has a rule"
    return telling.refusal(ReplyRefused(because="not_an_answer"), function.reply_rule, function.output_schema)


def _call(delivery: Delivery, tool: str | None, place: str, written: Arguments, names: Names) -> ToolCall:
    """A call of a tool of the server that sends; without a name of its own, of the sending one."""
    try:
        return ToolCall(server=delivery.server, tool=tool or delivery.tool, arguments=written.render(names))
    except RenderRefused as refusal:
        raise _problem(refusal, place) from refusal


def _text(place: str, template: Template, names: Names) -> str:
    try:
        return template.render(names)
    except RenderRefused as refusal:
        raise _problem(refusal, place) from refusal


def _problem(refusal: Refused | RenderRefused, place: str = "") -> Problem:
    detail = f"{place}: {refusal.detail}" if place else refusal.detail
    if refusal.reason != Reason.INVALID_INPUT:
        return conflict(detail, Kind.UNWORKABLE)
    return invalid_input(detail, refusal.pointer or "/input")
