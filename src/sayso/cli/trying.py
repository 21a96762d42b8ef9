"""``sayso try``: what a run of a document over an input would put to a person or to a tool, with nothing sent."""

import time
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Annotated

import typer

from sayso.cli import check, documents, trial_view
from sayso.cli.commands import AsJson, Input, input_of, refusals_shown
from sayso.cli.documents import STDIN, Unreadable
from sayso.cli.refusals import refusal
from sayso.cli.screen import Screen
from sayso.core.values import Json
from sayso.errors import Problem

if TYPE_CHECKING:
    from sayso.cli.trial_view import Read
    from sayso.core.document.function import Function
    from sayso.core.document.trial import CallTrial, RequestTrial

_File = Annotated[str, typer.Argument(metavar="FILE", help="The document, or - for standard input.")]
_At = Annotated[
    str | None, typer.Option("--at", metavar="INSTANT", help="When the run would start, in UTC; without, now.")
]
_Reply = Annotated[str | None, typer.Option("--reply", metavar="WORDS", help="Show how this reply would be read.")]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_TOO_FAR = datetime(9000, 1, 1, tzinfo=UTC)


def try_(file: _File, input_: Input = None, at: _At = None, reply: _Reply = None, as_json: AsJson = False) -> None:
    """Show what a run would ask or call, with nothing sent.

    Neither a server nor a store is needed, and nothing is saved. Shown are the party, the message, the form that an
    answer is asked for with, and the arguments of each tool.
    """
    screen = Screen(as_json=as_json)
    if file == input_ == STDIN:
        raise typer.BadParameter("Standard input is either the document or the --input.")
    moment_ms = int(time.time() * 1_000) if at is None else _moment_ms(at)
    given: Json = {} if input_ is None else input_of(input_)
    with refusals_shown(screen):
        function = _function(screen, file)
        trial = _trial(function, given, moment_ms)
        read = None if reply is None else _read(screen, function, reply)
    if as_json:
        screen.json(trial_view.as_json(trial, read))
    else:
        trial_view.show(screen, trial, read)


def _moment_ms(written: str) -> int:
    try:
        at = datetime.fromisoformat(written)
    except ValueError:
        raise typer.BadParameter("--at is an instant such as 2026-10-01T09:00:00Z.") from None
    at = at if at.tzinfo else at.replace(tzinfo=UTC)
    if not _EPOCH <= at < _TOO_FAR:
        raise typer.BadParameter("--at lies between the years 1970 and 9000.")
    return (at - _EPOCH) // timedelta(milliseconds=1)


def _function(screen: Screen, file: str) -> "Function":
    try:
        checked = check.checked(documents.one(file))
    except Unreadable as fault:
        raise typer.BadParameter(str(fault)) from None
    if checked.function is None:
        count = check.counted(len(checked.findings), "problem")
        check.refuse(screen, checked.findings, f"The document has {count}, and no run.")
    for warning in checked.findings:
        screen.note(check.line_of(warning), "yellow")
    return checked.function


def _trial(function: "Function", given: Json, moment_ms: int) -> "RequestTrial | CallTrial":
    from sayso.app import inputs
    from sayso.core.bounds import INPUT_BYTES
    from sayso.core.document.trial import try_function
    from sayso.settings import Settings

    try:
        inputs.bound("input", given, INPUT_BYTES)
        return try_function(function, given, moment_ms)
    except Problem as problem:
        raise refusal(problem, Settings.problem_base) from None


def _read(screen: Screen, function: "Function", reply: str) -> "Read | None":
    """What the reply means, or that none is read here."""
    from sayso.core.document.function import RequestFunction
    from sayso.core.replies import reading

    if not isinstance(function, RequestFunction) or not function.replies:
        screen.note(
            "No replies are read here, so --reply shows nothing: a document with deliver and replies reads them."
        )
        return None
    assert function.output_schema is not None and function.reply_rule is not None, "who reads replies has both"
    return reading.read_reply(function.output_schema, function.reply_rule, reply)
