"""``sayso playbooks``: list, make and retire what owns definitions and runs."""

import sys
from typing import Annotated

import typer

from sayso.cli import keyboard
from sayso.cli.commands import Session, at_a_door
from sayso.cli.refusals import not_possible
from sayso.cli.usage import Command

app = typer.Typer(help="The playbooks of an org.", no_args_is_help=True)

_Id = Annotated[str, typer.Argument(metavar="PLAYBOOK", help="The playbook, by its id.")]
_Title = Annotated[str | None, typer.Option("--name", metavar="TEXT", help="Its name for people; without, its id.")]
_Description = Annotated[str, typer.Option("--description", metavar="TEXT", help="What it is for.")]
_Retired = Annotated[bool, typer.Option("--retired", help="The retired ones too.")]
_Yes = Annotated[bool, typer.Option("--yes", help="Retire without asking.")]


@app.command("list", cls=Command)
@at_a_door
def list_playbooks(session: Session, retired: _Retired = False) -> None:
    """List the playbooks by their ids."""
    found = session.door.perform("list_playbooks", include_retired=retired)
    if session.screen.as_json:
        session.screen.json(found)
        return
    rows = [(one["id"], one["status"], one["created_at"], one["name"]) for one in found["playbooks"]]
    session.screen.table(("PLAYBOOK", "STATUS", "CREATED", "NAME"), rows)
    if not rows:
        session.screen.note("There is no playbook. `default` is made by the first document that is saved.")


@app.command(cls=Command)
@at_a_door
def create(session: Session, id_: _Id, title: _Title = None, description: _Description = "") -> None:
    """Make a playbook. Nothing else ever has its id."""
    made = session.door.perform("create_playbook", playbook=id_, name=title or id_, description=description)
    if session.screen.as_json:
        session.screen.json(made)
    else:
        session.screen.line(f"{made['id']} is made.")


@app.command(cls=Command)
@at_a_door
def retire(session: Session, id_: _Id, yes: _Yes = False) -> None:
    """Retire a playbook, for good.

    It can still be read, and takes nothing any more, not even answers: what waits in it ends when it expires.
    """
    if not yes and not sys.stdin.isatty():
        raise typer.BadParameter("Retiring is for good: say --yes where nobody can be asked.")
    if not yes and not keyboard.is_sure(f"Retire {id_} for good? What waits in it takes no answer any more."):
        raise not_possible("Nothing was retired.")
    retired = session.door.perform("retire_playbook", playbook=id_)
    if session.screen.as_json:
        session.screen.json(retired)
    else:
        session.screen.line(f"{retired['id']} is retired since {retired['retired_at']}.")
