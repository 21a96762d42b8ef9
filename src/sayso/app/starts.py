"""Starts: from a function and an input to the command that starts a run, or starts it and says why it ends at once."""

from dataclasses import dataclass

from sayso.app.offers import not_offered
from sayso.core import pointers
from sayso.core.commands import Ask, StartCall
from sayso.core.document.function import CallFunction, Function, RequestFunction
from sayso.core.document.question import Refused, arguments, ask, check_input
from sayso.core.events import RunRejected, RunStarted
from sayso.core.heads import StreamKind
from sayso.errors import Issue, Kind, Reason

_MISMATCH = "The input does not match the input schema of the function."


@dataclass(frozen=True, kw_only=True)
class Start:
    """How a run starts: its command, the kind of stream that it is born as, and about how many bytes it writes."""

    command: Ask | StartCall
    kind: StreamKind
    size: int


def start(function: Function, started: RunStarted, moment_ms: int, open_limit: int) -> Start:
    """The start of a run at this moment. What it may meet is looked at in the seed's order (AUTO: How a run ends)."""
    issues = check_input(function, started.input)
    refused = _refused_input(issues, _MISMATCH) if issues else None
    if isinstance(function, CallFunction):
        call = StartCall(started=started, refused=refused or _refused_call(function, started, moment_ms))
        return Start(command=call, kind=StreamKind.CALL, size=started.input_bytes)
    asking = _ask(function, started, moment_ms, refused or not_offered(function), open_limit)
    size = started.input_bytes + (asking.question.message_bytes if asking.question else 0)
    return Start(command=asking, kind=StreamKind.REQUEST, size=size)


def _refused_call(function: CallFunction, started: RunStarted, moment_ms: int) -> RunRejected:
    rendered = arguments(function, started.input, moment_ms)
    if isinstance(rendered, Refused):
        return _refused(rendered)
    refused = not_offered(function)
    assert refused is not None, "a call names a tool, and none is offered"
    return refused


def _ask(
    function: RequestFunction, started: RunStarted, moment_ms: int, refused_early: RunRejected | None, open_limit: int
) -> Ask:
    if refused_early:
        return Ask(started=started, refused_early=refused_early, open_limit=open_limit)
    asked = ask(function, started.input, moment_ms)
    if isinstance(asked, Refused):
        return Ask(started=started, refused_question=_refused(asked), open_limit=open_limit)
    return Ask(started=started, question=asked, open_limit=open_limit)


def _refused_input(issues: tuple[Issue, ...], detail: str) -> RunRejected:
    return RunRejected(
        reason=Reason.INVALID_INPUT,
        issue_count=len(issues),
        detail=detail,
        # What is stored of a refused input stays small, however long the names in it are.
        issues=[{"detail": issue.detail, "pointer": pointers.shortened(issue.pointer)} for issue in issues],
    )


def _refused(refused: Refused) -> RunRejected:
    if refused.reason == Reason.INVALID_INPUT:
        issue = Issue(detail=refused.detail, pointer=refused.pointer or "/input")
        return _refused_input((issue,), refused.detail)
    return RunRejected(reason=Reason.CONFLICT, kind=Kind.UNWORKABLE, detail=refused.detail)
