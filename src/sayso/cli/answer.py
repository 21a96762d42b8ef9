"""``sayso answer``: an answer from the command line, or asked for field by field."""

import sys
from collections.abc import Sequence
from typing import Annotated, Any, TextIO

import typer

from sayso.cli import endings, keyboard, prompts, questions, show
from sayso.cli.commands import RunId, Session, at_a_door
from sayso.cli.fields import Field, fields_of, value_of
from sayso.cli.prompts import Ask
from sayso.cli.refusals import Refused, not_possible
from sayso.cli.screen import Screen
from sayso.cli.values import given_json
from sayso.core.values import Json

_Answer = Annotated[
    str | None, typer.Option("--answer", metavar="JSON", help="The whole answer: JSON, @FILE, or - for standard input.")
]
_ClaimedFor = Annotated[
    str | None, typer.Option("--claimed-for", metavar="WHOM", help="On whose behalf you answer, in your words.")
]
_Fields = Annotated[
    list[str] | None, typer.Argument(metavar="FIELD=VALUE", help="Fields of the answer, such as verdict=approve.")
]


@at_a_door
def answer(
    session: Session, run_id: RunId, fields: _Fields = None, answer: _Answer = None, claimed_for: _ClaimedFor = None
) -> None:
    """Answer the request of a run.

    Without an answer, each field of the request's schema is asked for, at a terminal.
    """
    if answer is not None and fields:
        raise typer.BadParameter("Give --answer or fields, not both.")
    if answer is not None:
        fact = _sent(session, run_id, _whole(answer), claimed_for)
    elif fields:
        fact = _sent(session, run_id, _of_fields(session, run_id, fields), claimed_for)
    else:
        fact = _asked_for(session, run_id, claimed_for)
    if session.screen.as_json:
        session.screen.json(fact)
    else:
        show.answer(session.screen, fact)


def _whole(written: str) -> Json:
    try:
        return given_json("--answer", written, " A text needs its quotes: '\"yes\"'.")
    except ValueError as fault:
        raise typer.BadParameter(str(fault)) from None


def _of_fields(session: Session, run_id: str, written: Sequence[str]) -> Json:
    """The object that ``FIELD=VALUE`` texts write; a text for a field that takes one, JSON for any other."""
    wanted = {field.name: field for field in fields_of(_schema(session, run_id))}
    values: dict[str, Json] = {}
    for pair in written:
        name, is_pair, text = pair.partition("=")
        if not is_pair:
            raise typer.BadParameter(f"{pair!r} is not FIELD=VALUE.")
        if name in values:
            raise typer.BadParameter(f"{name} is given twice.")
        if name not in wanted:
            known = ", ".join(str(known) for known in wanted if known is not None) or "none: give --answer JSON"
            raise typer.BadParameter(f"The answer has no field {name!r}. Its fields: {known}.")
        values[name] = _read(wanted[name], text)
    return values


def _read(field: Field, text: str) -> Json:
    if field.kind == "choice" and text.strip() not in field.choices:
        return text  # which the server refuses, as it would from everybody
    try:
        return value_of(field, text)
    except ValueError as fault:
        raise typer.BadParameter(f"{field.name}: {fault}") from None


def _asked_for(session: Session, run_id: str, claimed_for: str | None) -> dict[str, Any]:
    if not sys.stdin.isatty():
        raise typer.BadParameter("Give FIELD=VALUE or --answer JSON: fields are asked for only at a terminal.")
    question = _question(session, run_id)
    notes = Notes(session.screen)
    show.message(notes, question)
    return in_dialogue(session, run_id, question["answer_schema"], keyboard.line, claimed_for)


class Notes(Screen):
    """A screen whose every line goes to standard error, so that results stay alone on standard output."""

    def __init__(self, screen: Screen) -> None:
        super().__init__(as_json=screen.as_json)

    @property
    def stream(self) -> TextIO:
        """Beside the results."""
        return sys.stderr


def in_dialogue(
    session: Session, run_id: str, schema: Json, ask: Ask, claimed_for: str | None = None
) -> dict[str, Any]:
    """Ask for each field, send the answer, and where it is refused ask again for what was at fault."""
    wanted = fields_of(schema)
    given: dict[str | None, Json] = {}
    again: Sequence[Field] = wanted
    while True:
        given = {name: value for name, value in given.items() if name not in {field.name for field in again}}
        given |= prompts.asked(again, ask, lambda line: session.screen.note(line, ""))
        try:
            return _sent(session, run_id, given.get(None, given), claimed_for)
        except Refused as refused:
            if refused.document.get("reason") != "invalid_input":
                raise
            session.screen.refused(refused)
            again = _at_fault(wanted, refused)


def _at_fault(wanted: Sequence[Field], refused: Refused) -> Sequence[Field]:
    """The fields that the refusal points at; all of them where it points elsewhere too."""
    pointers = [str(issue.get("pointer", "")) for issue in refused.issues]
    named = {str(field.name).replace("~", "~0").replace("/", "~1"): field for field in wanted}
    parts = [pointer.split("/")[2] if pointer.count("/") >= 2 else "" for pointer in pointers]
    if not parts or not all(part in named for part in parts):
        return wanted
    return [field for name, field in named.items() if name in parts]


def _sent(session: Session, run_id: str, answer: Json, claimed_for: str | None) -> dict[str, Any]:
    fields: dict[str, Json] = {"run_id": run_id, "answer": answer}
    if claimed_for is not None:
        fields["claimed_for"] = claimed_for
    return session.door.perform("answer_interaction", **fields)


def _schema(session: Session, run_id: str) -> Json:
    """What the fields of an answer are read by, also where the request has ended: then the server says what it says to
    any answer, and to the same one again that it was taken."""
    question = questions.asked(session.door, run_id)
    if question is None:
        raise _not_waiting(session, run_id)
    return _taking_answer(question)["answer_schema"]


def _question(session: Session, run_id: str) -> dict[str, Any]:
    """The open question of a run, which takes an answer; refused in words where there is none."""
    question = questions.waiting(session.door, run_id)
    if question is None:
        raise _not_waiting(session, run_id)
    return _taking_answer(question)


def _taking_answer(question: dict[str, Any]) -> dict[str, Any]:
    if not question["takes_answer"]:
        raise not_possible("This is a notification: it takes no answer.")
    return question


def _not_waiting(session: Session, run_id: str) -> Refused:
    """Why nothing can be answered, as far as the caller may know: a key that may only answer reads no runs."""
    try:
        run = session.door.perform("get_run", run_id=run_id)
    except Refused as refused:
        if refused.document.get("reason") != "forbidden":
            return refused
        return not_possible(
            "No request of this run is open: it was answered, has expired or was cancelled, or there is no such run.",
            "This key may not read which. With --answer JSON, the same answer again gets what was recorded.",
        )
    return not_possible(endings.sentence(run), f"See `sayso show {run_id}`.")
