"""The commands on definitions and runs: save, run, list, show, cancel."""

import re
from pathlib import Path
from typing import Annotated, Any

import typer

from sayso.cli import absent, check, questions, show
from sayso.cli.check import Finding
from sayso.cli.commands import Cursor, Input, Limit, Name, RunId, Session, at_a_door, input_of
from sayso.cli.door import Door
from sayso.cli.refusals import Refused
from sayso.core.values import Json

_Type = Annotated[str, typer.Option("--type", metavar="TYPE", help="The type of the definition.")]
_OwnRunId = Annotated[
    str | None, typer.Option("--run-id", metavar="UUID", help="Your id for the run; the same again starts nothing new.")
]
_File = Annotated[
    Path, typer.Argument(metavar="FILE", help="The document.", exists=True, dir_okay=False, readable=True)
]
_AsName = Annotated[str | None, typer.Option("--name", metavar="NAME", help="Its name; without, that of the file.")]
_To = Annotated[str | None, typer.Option("--to", metavar="PARTY", help="Only requests to this party.")]
_Function = Annotated[str | None, typer.Option("--function", metavar="NAME", help="Only requests of this function.")]
_Reason = Annotated[str | None, typer.Option("--reason", metavar="WORDS", help="Why, for whoever reads the run.")]


_NewParty = Annotated[str | None, typer.Option("--to", metavar="PARTY", help="Whom it is put to from now on.")]
_NewAnswerer = Annotated[
    str | None, typer.Option("--from", metavar="ANSWERER", help="Whose answer counts from now on.")
]
_LINE = re.compile("Line ([0-9]+): ")


@at_a_door
def save(session: Session, file: _File, name: _AsName = None, type_: _Type = "interaction") -> None:
    """Save a document as a definition, new or the next version."""
    source, named = _text(file), name or file.stem
    before = _version(session.door, type_, named)
    try:
        saved = saved_definition(session.door, type_, named, source)
    except Refused as refused:
        if name is None and any(issue.get("pointer") == "/name" for issue in refused.issues):
            said = "The file's name is no name for a definition: give one with --name."
            raise Refused(refused.document, refused.advice, said) from None
        raise _at_lines(refused, file, session.screen.as_json) from None
    if session.screen.as_json:
        session.screen.json(saved)
        return
    for warning in saved.get("warnings", []):
        session.screen.note(check.line_of(_warning(file, warning)), "yellow")
    how = "unchanged:" if saved["version"] == before else "saved as"
    session.screen.line(f"{saved['name']} is {how} version {saved['version']}.")


def _version(door: Door, type_: str, name: str) -> int | None:
    """The version that a definition has, where there is one and the caller may read it."""
    try:
        return int(door.perform("get_definition", type=type_, name=name)["version"])
    except Refused as refused:
        if refused.document.get("reason") == "unavailable":
            raise
        return None


def _text(file: Path) -> str:
    try:
        return file.read_bytes().decode()
    except UnicodeDecodeError:
        raise typer.BadParameter(f"{file} is not text in UTF-8.") from None


def saved_definition(door: Door, type_: str, name: str, source: str) -> dict[str, Any]:
    """Create the definition, or where its name is taken update it."""
    try:
        return door.perform("create_definition", type=type_, name=name, source=source)
    except Refused as refused:
        if refused.document.get("kind") != "taken":
            raise
    return door.perform("update_definition", type=type_, name=name, source=source)


def _at_lines(refused: Refused, file: Path, as_json: bool) -> Refused:
    """For a person, each fault of a document where an editor can go to it; for a program, the problem as it is."""
    if as_json or not any("line" in issue or issue.get("pointer") == "/source" for issue in refused.issues):
        return refused
    faults = [_at_line(issue, file) for issue in refused.issues]
    said = f"The document is not saved: it has {check.counted(len(faults), 'problem')}."
    return Refused(refused.document | {"errors": faults}, refused.advice, said)


def _at_line(issue: dict[str, Any], file: Path) -> dict[str, Any]:
    detail, line = str(issue.get("detail", "")), issue.get("line")
    if line is None:
        return {"pointer": str(file), "detail": detail}
    return {"pointer": f"{file}:{line}", "detail": detail.removeprefix(f"Line {line}: ")}


def _warning(file: Path, words: str) -> Finding:
    """A warning of a server, which writes its line before it."""
    found = _LINE.match(words)
    line, detail = (int(found[1]), words[found.end() :]) if found else (1, words)
    return Finding(file=str(file), line=line, detail=detail, level="warning")


@at_a_door
def run(
    session: Session, name: Name, type_: _Type = "interaction", input_: Input = None, run_id: _OwnRunId = None
) -> None:
    """Run a definition. One that asks a person is then `started`, and waits for the answer."""
    fields: dict[str, Json] = {"type": type_, "name": name}
    if input_ is not None:
        fields["input"] = input_of(input_)
    if run_id is not None:
        fields["run_id"] = run_id
    with absent.told(session, type_, name):
        started = session.door.perform("run_definition", **fields)
    if session.screen.as_json:
        session.screen.json(started)
        return
    session.screen.line(started["run_id"])
    show.status(session.screen, started["status"])
    if started["status"] == "started" and session.screen.is_terminal:
        session.screen.note(f"Answer it: sayso answer {started['run_id']}")


@at_a_door
def list_requests(
    session: Session,
    to: _To = None,
    function: _Function = None,
    limit: Limit = questions.PAGE,
    cursor: Cursor = None,
) -> None:
    """List the requests that wait, newest first."""
    given: dict[str, str | None] = {"to": to, "function": function, "cursor": cursor}
    filters: dict[str, Json] = {name: text for name, text in given.items() if text is not None}
    page = session.door.perform("list_interactions", limit=limit, **filters)
    if session.screen.as_json:
        session.screen.json(page)
        return
    found = page["interactions"]
    show.requests(session.screen, found)
    if not found:
        session.screen.note(f"No request{' of these' if filters else ''} waits in {session.reach.place}.")
    if page["next_cursor"] is not None:
        session.screen.note(f"There are more than these {len(found)}: --cursor {page['next_cursor']}")


@at_a_door
def show_run(session: Session, run_id: RunId) -> None:
    """Show a run: its standing, question, answer and history."""
    found = session.door.perform("get_run", run_id=run_id)
    events = questions.history(session.door, run_id)
    question = questions.question(session.door, events)
    if session.screen.as_json:
        session.screen.json({"run": found, "request": question, "history": events})
        return
    show.run(session.screen, found, question)
    session.screen.line()
    show.timeline(session.screen, events)


@at_a_door
def cancel(session: Session, run_id: RunId, reason: _Reason = None) -> None:
    """Cancel a run that waits. Its request leaves the list, unanswered."""
    given: dict[str, Json] = {} if reason is None else {"reason": reason}
    found = session.door.perform("cancel_run", run_id=run_id, **given)
    if session.screen.as_json:
        session.screen.json(found)
    else:
        show.status(session.screen, "cancelled")


@at_a_door
def reassign(session: Session, run_id: RunId, to: _NewParty = None, from_: _NewAnswerer = None) -> None:
    """Give the request of a run that waits to another party.

    What is not named stays as it is; who is named as answerer and is the party itself answers as the party.
    """
    if to is None and from_ is None:
        raise typer.BadParameter("Say to whom: --to PARTY, --from ANSWERER, or both.")
    given: dict[str, Json] = {name: name_of for name, name_of in (("to", to), ("from", from_)) if name_of is not None}
    found = session.door.perform("reassign_interaction", run_id=run_id, **given)
    if session.screen.as_json:
        session.screen.json(found)
        return
    answers = f", for {found['answerer']} to answer" if found["answerer"] else ""
    session.screen.line(f"The request is put to {found['to']}{answers}.")
