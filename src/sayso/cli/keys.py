"""``sayso keys``: make, list and revoke the API keys of a store; also beside a server that serves it."""

from typing import Annotated

import typer

from sayso.cli import store
from sayso.cli.commands import AsJson, Data, Database, refusals_shown
from sayso.cli.screen import Screen
from sayso.cli.usage import Command

app = typer.Typer(help="The API keys of a store.", no_args_is_help=True)

_Org = Annotated[str, typer.Option("--org", metavar="ORG", help="The org that the key belongs to.")]
_OneOrg = Annotated[str | None, typer.Option("--org", metavar="ORG", help="Only the keys of this org.")]
_Playbooks = Annotated[
    list[str] | None, typer.Option("--playbooks", metavar="A,B", help="Limit the key to these playbooks.")
]
_Permissions = Annotated[
    list[str] | None, typer.Option("--permissions", metavar="P,Q", help="What it may do, such as interaction:answer.")
]
_Id = Annotated[str | None, typer.Option("--id", metavar="ID", help="The key's public id, shown as who did what.")]
_KeyId = Annotated[str, typer.Argument(metavar="ID", help="The key's id.")]


@app.command(cls=Command)
def create(  # noqa: PLR0917  each is an option
    org: _Org,
    playbooks: _Playbooks = None,
    permissions: _Permissions = None,
    id: _Id = None,  # noqa: A002  the option's name
    data: Data = None,
    database: Database = None,
    as_json: AsJson = False,
) -> None:
    """Make a key and print it: the only time it is shown. Without limits it may do everything in its org."""
    screen = Screen(as_json=as_json)
    with refusals_shown(screen):
        settings = store.settings(data, database)
        store.make(settings)
        made = store.with_app(settings, lambda app: app.keys.create(org, _words(permissions), _words(playbooks), id))
    screen.json(made)
    if not as_json:
        screen.note("Keep the key now: it is not stored and not shown again.")


@app.command("list", cls=Command)
def list_keys(org: _OneOrg = None, data: Data = None, database: Database = None, as_json: AsJson = False) -> None:
    """List the keys by id, without the keys themselves."""
    screen = Screen(as_json=as_json)
    with refusals_shown(screen):
        found = store.with_app(store.settings(data, database), lambda app: app.keys.list(org))
    if as_json:
        screen.json({"keys": list(found)})
        return
    rows = [
        (
            one["id"],
            one["org"],
            "*" if one["playbooks"] is None else ",".join(one["playbooks"]),
            ",".join(one["permissions"]),
            one["created_at"],
            f"revoked {one['revoked_at']}" if "revoked_at" in one else "active",
        )
        for one in found
    ]
    screen.table(("ID", "ORG", "PLAYBOOKS", "PERMISSIONS", "CREATED", "STANDING"), rows)


@app.command(cls=Command)
def revoke(key_id: _KeyId, data: Data = None, database: Database = None, as_json: AsJson = False) -> None:
    """Revoke a key, for good: a running server refuses it within a second."""
    screen = Screen(as_json=as_json)
    with refusals_shown(screen):
        revoked = store.with_app(store.settings(data, database), lambda app: app.keys.revoke(key_id))
    if as_json:
        screen.json(revoked)
    else:
        screen.line(f"{key_id} is revoked since {revoked['revoked_at']}.")


def _words(lists: list[str] | None) -> list[str] | None:
    """The words of an option that takes lists with commas, and may be given more than once."""
    return None if lists is None else [word.strip() for one in lists for word in one.split(",") if word.strip()]
