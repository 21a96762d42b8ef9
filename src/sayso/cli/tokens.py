"""``sayso tokens``: let somebody without a key answer one request."""

from typing import Annotated

import typer

from sayso.cli.commands import RunId, Session, at_a_door
from sayso.cli.usage import Command
from sayso.core.values import Json

app = typer.Typer(help="Tokens, each for the answer to one request.", no_args_is_help=True)

_Expires = Annotated[
    str | None,
    typer.Option("--expires", metavar="WHEN", help="Until when: PT8H from now, or an instant. Without: the request's."),
]


@app.command(cls=Command)
@at_a_door
def create(session: Session, run_id: RunId, expires: _Expires = None) -> None:
    """Make a token that answers the request of a run, and print it.

    It is sent as `Authorization: Request TOKEN`, and is good until the request has ended or expires. Nothing is stored.
    """
    given: dict[str, Json] = {} if expires is None else {"expires": expires}
    made = session.door.perform("create_answer_token", run_id=run_id, **given)
    if session.screen.as_json:
        session.screen.json(made)
        return
    session.screen.line(made["token"])
    session.screen.note(f"Whoever has it may answer this request, until {made['expires_at']}.")
