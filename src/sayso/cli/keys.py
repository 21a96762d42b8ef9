"""``sayso keys``: make, list, rotate and revoke the API keys of a store; also beside a server that serves it."""

from typing import Annotated

import typer

from sayso.cli import store
from sayso.cli.commands import AsJson, Data, Database, refusals_shown
from sayso.cli.screen import Screen
from sayso.cli.usage import Command
from sayso.cli.values import read_json
from sayso.core.values import Json

app = typer.Typer(help="The API keys of a store.", no_args_is_help=True)

_Org = Annotated[str, typer.Option("--org", metavar="ORG", help="The org that the key belongs to.")]
_OneOrg = Annotated[str | None, typer.Option("--org", metavar="ORG", help="Only the keys of this org.")]
_Playbooks = Annotated[
    list[str] | None, typer.Option("--playbooks", metavar="A,B", help="Limit the key to these playbooks.")
]
_Permissions = Annotated[
    list[str] | None, typer.Option("--permissions", metavar="P,Q", help="What it may do, such as interaction:answer.")
]
_Parties = Annotated[
    list[str] | None,
    typer.Option("--parties", metavar="A,B", help="Limit the key to what these parties are asked, or are to answer."),
]
_Expires = Annotated[
    str | None, typer.Option("--expires", metavar="WHEN", help="Until when it is good: P90D from now, or an instant.")
]
_Overlap = Annotated[
    str | None,
    typer.Option("--overlap", metavar="DURATION", help="For how long the old secret is good too, such as P1D."),
]
_Id = Annotated[str | None, typer.Option("--id", metavar="ID", help="The key's public id, shown as who did what.")]
_KeyId = Annotated[str, typer.Argument(metavar="ID", help="The key's id.")]


@app.command(cls=Command)
def create(  # noqa: PLR0917  each is an option
    org: _Org,
    playbooks: _Playbooks = None,
    permissions: _Permissions = None,
    parties: _Parties = None,
    expires: _Expires = None,
    id: _Id = None,  # noqa: A002  the option's name
    data: Data = None,
    database: Database = None,
    as_json: AsJson = False,
) -> None:
    """Make a key and print it: the only time it is shown. Without limits it may do everything in its org."""
    screen = Screen(as_json=as_json)
    limits = {"permissions": _words(permissions), "playbooks": _words(playbooks), "parties": _names(parties)}
    with refusals_shown(screen):
        settings = store.settings(data, database)
        store.make(settings)
        made = store.with_app(settings, lambda app: app.keys.create(org, key_id=id, expires=expires, **limits))
    _show_once(screen, made)


def _show_once(screen: Screen, made: dict[str, Json]) -> None:
    screen.json(made)
    if not screen.as_json:
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
            "*" if one["parties"] is None else ",".join(one["parties"]),
            ",".join(one["permissions"]),
            one.get("last_used_at", "never"),
            _standing(one),
        )
        for one in found
    ]
    screen.table(("ID", "ORG", "PLAYBOOKS", "PARTIES", "PERMISSIONS", "USED", "STANDING"), rows)


def _standing(key: dict[str, Json]) -> str:
    """How a key stands, and since or until when."""
    match key["status"]:
        case "revoked":
            return f"revoked {key['revoked_at']}"
        case "expired":
            return f"expired {key['expires_at']}"
        case _:
            return f"until {key['expires_at']}" if "expires_at" in key else "active"


@app.command(cls=Command)
def rotate(
    key_id: _KeyId, overlap: _Overlap = None, data: Data = None, database: Database = None, as_json: AsJson = False
) -> None:
    """Give a key another secret and print it: the only time it is shown. Without --overlap the old one ends at once."""
    screen = Screen(as_json=as_json)
    with refusals_shown(screen):
        made = store.with_app(store.settings(data, database), lambda app: app.keys.rotate(key_id, overlap))
    _show_once(screen, made)


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


def _names(lists: list[str] | None) -> list[str] | None:
    """The same of names that may hold a comma: a list of them may be written as JSON."""
    if lists is None:
        return None
    names: list[str] = []
    for one in lists:
        names += _read(one) if one.lstrip().startswith("[") else _words([one]) or []
    return names


def _read(written: str) -> list[str]:
    try:
        names = read_json(written)
    except ValueError as fault:
        raise typer.BadParameter(f"--parties is not JSON: {fault}.") from None
    if not all(isinstance(name, str) for name in names):
        raise typer.BadParameter("--parties takes names: as JSON, a list of texts.")
    return list(names)
