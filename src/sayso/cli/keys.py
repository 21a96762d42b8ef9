"""``sayso keys``: make, list and revoke the API keys of a store; also beside a server that serves it."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from sayso.cli import store
from sayso.cli.commands import AsJson, Data, refusals_shown
from sayso.cli.refusals import not_possible
from sayso.cli.screen import Screen
from sayso.cli.usage import Command

if TYPE_CHECKING:
    from sayso.app.keys import Keys

T = TypeVar("T")

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
    as_json: AsJson = False,
) -> None:
    """Make a key and print it: the only time it is shown. Without limits it may do everything in its org."""
    screen = Screen(as_json=as_json)
    with refusals_shown(screen):
        folder = _folder(data, make=True)
        made = _with_keys(folder, lambda keys: keys.create(org, _words(permissions), _words(playbooks), id))
    screen.json(made)
    if not as_json:
        screen.note("Keep the key now: it is not stored and not shown again.")


@app.command("list", cls=Command)
def list_keys(org: _OneOrg = None, data: Data = None, as_json: AsJson = False) -> None:
    """List the keys by id, without the keys themselves."""
    screen = Screen(as_json=as_json)
    with refusals_shown(screen):
        found = _with_keys(_folder(data), lambda keys: keys.list(org))
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
def revoke(key_id: _KeyId, data: Data = None, as_json: AsJson = False) -> None:
    """Revoke a key, for good: a running server refuses it within a second."""
    screen = Screen(as_json=as_json)
    with refusals_shown(screen):
        revoked = _with_keys(_folder(data), lambda keys: keys.revoke(key_id))
    if as_json:
        screen.json(revoked)
    else:
        screen.line(f"{key_id} is revoked since {revoked['revoked_at']}.")


def _words(lists: list[str] | None) -> list[str] | None:
    """The words of an option that takes lists with commas, and may be given more than once."""
    return None if lists is None else [word.strip() for one in lists for word in one.split(",") if word.strip()]


def _folder(data: Path | None, *, make: bool = False) -> Path:
    if data is None:
        raise not_possible("Keys live in a store: say which.", "Name its folder with --data DIR (or SAYSO_DATA).")
    if make:
        store.make(data)
    store.check(data)
    return data


def _with_keys(folder: Path, work: Callable[["Keys"], Awaitable[T]]) -> T:
    from sayso import compose

    settings = store.settings(folder)

    async def at_the_store() -> T:
        async with compose.running(settings, work=False) as app:
            return await work(app.keys)

    with store.refusing(settings):
        return asyncio.run(at_the_store())
