"""``sayso definitions``: list, show and compare what is saved, and retire what is not to be run any more."""

import sys
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from sayso.cli import absent, keyboard, questions
from sayso.cli.commands import Cursor, Limit, Name, Session, at_a_door
from sayso.cli.plan import TYPE
from sayso.cli.refusals import not_possible
from sayso.cli.screen import Screen
from sayso.cli.usage import Command, whole
from sayso.core.values import Json

app = typer.Typer(help="The definitions of a playbook.", no_args_is_help=True)

_Retired = Annotated[bool, typer.Option("--retired", help="The retired ones too.")]
_Version = Annotated[
    int | None, typer.Option("--version", metavar="N", parser=whole(1), help="This version; without, the newest.")
]
_Source = Annotated[bool, typer.Option("--source", help="The document alone, as it was saved.")]
_From = Annotated[
    int | None, typer.Argument(metavar="FROM", parser=whole(1), help="The version before; without, the last but one.")
]
_To = Annotated[
    int | None, typer.Argument(metavar="TO", parser=whole(1), help="The version after; without, the newest.")
]
_Yes = Annotated[bool, typer.Option("--yes", help="Retire without asking.")]


@app.command("list", cls=Command)
@at_a_door
def list_definitions(
    session: Session, retired: _Retired = False, limit: Limit = questions.PAGE, cursor: Cursor = None
) -> None:
    """List the definitions by name."""
    page = _read(session, "list_definitions", include_retired=retired, limit=limit, cursor=cursor)
    rows = [
        (one["name"], str(one["version"]), one["status"], one["updated_at"], one.get("description", ""))
        for one in page["definitions"]
    ]
    _show(session, page, ("NAME", "VERSION", "STATUS", "SAVED", "DESCRIPTION"), rows)
    if not rows and not session.screen.as_json:
        session.screen.note(f"No definition is in {session.reach.place}.")


@app.command(cls=Command)
@at_a_door
def versions(session: Session, name: Name, limit: Limit = questions.PAGE, cursor: Cursor = None) -> None:
    """List what was saved of a definition, newest first."""
    page = _read(session, "list_definition_versions", name=name, limit=limit, cursor=cursor)
    rows = [
        (str(one["version"]), one["saved_at"], one["saved_by"], str(one["source_bytes"]), one.get("description", ""))
        for one in page["versions"]
    ]
    _show(session, page, ("VERSION", "SAVED", "BY", "BYTES", "DESCRIPTION"), rows)


def _read(session: Session, operation: str, **fields: Json) -> dict[str, Any]:
    with absent.told(session, TYPE, str(fields.get("name"))):
        return session.door.perform(operation, type=TYPE, **_given(**fields))


def _given(**fields: Json) -> dict[str, Json]:
    return {name: value for name, value in fields.items() if value is not None}


def _show(session: Session, page: dict[str, Any], names: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    if session.screen.as_json:
        session.screen.json(page)
        return
    session.screen.table(names, rows)
    if page["next_cursor"] is not None:
        session.screen.note(f"There are more than these {len(rows)}: --cursor {page['next_cursor']}")


@app.command(cls=Command)
@at_a_door
def show(session: Session, name: Name, version: _Version = None, source: _Source = False) -> None:
    """Show a definition in plain words, and then its document."""
    found = _read(session, "get_definition", name=name, version=version)
    screen = session.screen
    if screen.as_json:
        screen.json(found)
    elif source:
        screen.text(found["source"])
    else:
        _explain(screen, found)


def _explain(screen: Screen, found: dict[str, Any]) -> None:
    facts = [("definition", found["name"]), ("version", str(found["version"])), ("status", found["status"])]
    facts += [("saved", found["updated_at"]), ("made by", found["created_by"])]
    screen.pairs([*facts, *([("retired", found["retired_at"])] if "retired_at" in found else [])])
    screen.line()
    # A document that this release cannot read any more has no overview.
    screen.markdown(found.get("overview", "This release cannot read the document. Save it anew."))
    screen.line()
    screen.quote(found["source"])
    for warning in found.get("warnings", []):
        screen.note(f"{found['name']}: {warning}", "yellow")


@app.command(cls=Command)
@at_a_door
def diff(session: Session, name: Name, from_: _From = None, to: _To = None) -> None:
    """Show what changed between versions, by field and by line."""
    found = _read(session, "compare_definition", name=name, from_version=from_, to_version=to)
    if session.screen.as_json:
        session.screen.json(found)
        return
    session.screen.diff(found["diff"])
    for change in found["changed"]:
        session.screen.note(change)
    if not found["diff"]:
        session.screen.note(_same(found["from_version"], found["to_version"], is_named=from_ is not None))


def _same(old: int, new: int, *, is_named: bool) -> str:
    if old != new:
        return f"Versions {old} and {new} are the same."
    return f"Version {old} is compared with itself." if is_named else f"Nothing comes before version {old}."


@app.command(cls=Command)
@at_a_door
def retire(session: Session, name: Name, yes: _Yes = False) -> None:
    """Retire a definition, for good.

    It is not run any more, and nothing else ever has its name. Its runs go on, and it can still be shown.
    """
    if not yes and not sys.stdin.isatty():
        raise typer.BadParameter("Retiring is for good: say --yes where nobody can be asked.")
    if not yes and not keyboard.is_sure(f"Retire {name} for good? A retired name is never used again."):
        raise not_possible("Nothing was retired.")
    retired = _read(session, "retire_definition", name=name)
    if session.screen.as_json:
        session.screen.json(retired)
    else:
        session.screen.line(f"{retired['name']} is retired since {retired['retired_at']}.")
