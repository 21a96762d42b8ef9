"""How a trial looks: at a terminal as those would meet it who are asked, and as one JSON document."""

from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any, Union

from sayso.cli import prompts
from sayso.cli.fields import Field, fields_of
from sayso.cli.screen import Screen
from sayso.cli.values import written_json
from sayso.core.durations import in_words
from sayso.core.values import Json

if TYPE_CHECKING:
    from sayso.core.document.function import RequestFunction
    from sayso.core.document.trial import CallTrial, Reading, RequestTrial, ToolCall
    from sayso.core.replies.reading import Answered, ReplyRefused

    Read = Answered | ReplyRefused

Trial = Union["RequestTrial", "CallTrial"]


def show(screen: Screen, trial: Trial, read: "Read | None") -> None:
    """The trial for a person."""
    from sayso.core.document.trial import CallTrial

    if isinstance(trial, CallTrial):
        screen.pairs([("function", trial.function.name), ("calls", _tool(trial.call)), ("returns", _returned(trial))])
        _call(screen, "with these arguments", trial.call)
    else:
        _request(screen, trial)
        if read is not None:
            _reply(screen, trial, read)
    screen.note("Nothing was sent, and nothing was saved.")


def _tool(call: "ToolCall") -> str:
    return f"the tool {call.tool} of the server {call.server}"


def _returned(trial: "CallTrial") -> str:
    return "the whole answer" if trial.function.read is None else f"what stands at {trial.function.read} of the answer"


def _call(screen: Screen, words: str, call: "ToolCall") -> None:
    screen.line(f"\n{words}", "bold")
    screen.quote(written_json(call.arguments, indent=2))


def _request(screen: Screen, trial: "RequestTrial") -> None:
    screen.pairs(list(_facts(trial)))
    screen.line("\nthe message", "bold")
    screen.quote(trial.question.message)
    _form(screen, trial.function)
    if trial.delivery:
        _call(screen, "the tool is called with", trial.delivery)
    if trial.reading:
        _replies(screen, trial.function, trial.reading)
    if trial.delivery:
        screen.note("\n" + "; ".join(f"{name} {value}" for name, value in _samples().items()))
        screen.note("These are samples of what only a run knows.")


def _facts(trial: "RequestTrial") -> Iterator[tuple[str, str]]:
    function, question = trial.function, trial.question
    yield "function", function.name
    yield "to", question.to
    if question.answerer is not None:
        yield "answerer", question.answerer
    yield ("sent through", _tool(trial.delivery)) if trial.delivery else ("waits in", "the inbox")
    if trial.reading:
        yield "conversation", trial.reading.conversation
    yield "expires", f"after {in_words(function.expires_ms)}, at {trial.expires_at}"


def _form(screen: Screen, function: "RequestFunction") -> None:
    if function.output_schema is None:
        screen.line("\na notification: it takes no answer", "bold")
        return
    screen.line("\nthe answer is asked for with", "bold")
    for field in fields_of(function.output_schema.source):
        for line in (*prompts.explained(field), prompts.prompt(field)):
            screen.line(f"  {line}".rstrip())


def _replies(screen: Screen, function: "RequestFunction", reading: "Reading") -> None:
    from sayso.core.replies.telling import in_words as rule_in_words

    assert function.replies is not None and function.reply_rule is not None, "a reading is of replies, by a rule"
    wait = in_words(function.replies.wait_ms)
    _call(screen, f"replies are read through {_tool(reading.call)}, {wait} apart at least, with", reading.call)
    screen.line("\na reply is read so", "bold")
    for sentence in rule_in_words(function.reply_rule):
        screen.quote(sentence)
    if reading.telling:
        _call(screen, f"who replies something else is told through {_tool(reading.telling)}, with", reading.telling)


def _reply(screen: Screen, trial: "RequestTrial", read: "Read") -> None:
    shown = _read(trial, read)
    if "answer" in shown:
        screen.line("\nthis reply is the answer", "bold")
        screen.quote(written_json(shown["answer"]))
    elif shown["telling"] is None:
        screen.line(f"\nthis reply is refused ({shown['because']}), and nobody is told", "bold")
    else:
        screen.line(f"\nthis reply is refused ({shown['because']}), and the party is told", "bold")
        screen.quote(shown["telling"])


def as_json(trial: Trial, read: "Read | None") -> dict[str, Json]:
    """The trial for a program."""
    from sayso.core.document.trial import CallTrial

    if isinstance(trial, CallTrial):
        return {"function": trial.function.name, "call": _shown(trial.call), "read": trial.function.read}
    function, reading = trial.function, trial.reading
    return {
        "function": function.name,
        **_shown(trial.question),
        "expires_at": trial.expires_at,
        "answer_schema": function.output_schema.source if function.output_schema else None,
        "form": [_field(one) for one in fields_of(function.output_schema.source)] if function.output_schema else [],
        "deliver": _shown(trial.delivery) if trial.delivery else None,
        "replies": _reading(reading) if reading else None,
        "reply_rule": function.reply_rule.as_written() if reading and function.reply_rule else None,
        "reply": _read(trial, read) if read else None,
        "samples": _samples() if trial.delivery else {},
    }


def _shown(part: Any) -> dict[str, Json]:
    """A part of a trial by its fields. Not `asdict`: that follows a value as deep as it is nested."""
    return {field.name: getattr(part, field.name) for field in fields(part)}


def _reading(reading: "Reading") -> Json:
    telling = _shown(reading.telling) if reading.telling else None
    return {"conversation": reading.conversation, "call": _shown(reading.call), "telling": telling}


def _field(field: Field) -> Json:
    choices = list(field.choices.values()) or None
    return {"name": field.name, "kind": field.kind, "required": field.required, "choices": choices}


def _read(trial: "RequestTrial", read: "Read") -> Mapping[str, Json]:
    from sayso.core.replies import telling
    from sayso.core.replies.reading import Answered

    if isinstance(read, Answered):
        return {"answer": read.answer}
    function = trial.function
    assert function.reply_rule is not None and function.output_schema is not None, "who reads replies has both"
    told = telling.refusal(read, function.reply_rule, function.output_schema)
    is_told = function.replies is not None and function.replies.tell is not None
    issues = [{"pointer": issue.pointer, "detail": issue.detail} for issue in read.issues]
    return {"because": read.because, "issues": issues, "telling": told if is_told else None}


def _samples() -> dict[str, Json]:
    from sayso.core.document.trial import RUN_ID, SENT

    return {"run_id": RUN_ID, **{f"sent.{name}": value for name, value in SENT.items()}}
