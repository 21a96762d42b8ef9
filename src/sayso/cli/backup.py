"""``sayso backup``: a copy of a store that goes on being served."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sayso import address
from sayso.cli import store
from sayso.cli.commands import AsJson, Data, Database, refusals_shown
from sayso.cli.refusals import Refused, not_possible
from sayso.cli.screen import Screen

if TYPE_CHECKING:
    from sayso.settings import Settings

_File = Annotated[Path, typer.Argument(metavar="FILE", help="The copy to make. It must not be there yet.")]


def backup(file: _File, data: Data = None, database: Database = None, as_json: AsJson = False) -> None:
    """Copy the store of a folder, also while it is served.

    The copy is the store as it stood at one moment, checked before it gets its name. To restore it, put it into a new
    folder as `sayso.db` and serve that. PostgreSQL has tools of its own; for a database the command says which.
    """
    screen = Screen(as_json=as_json)
    with refusals_shown(screen):
        settings = store.settings(data, database)
        if settings.database is not None:
            raise _by_its_own_tools(settings.database, file)
        size, began_at = _backed_up(settings, file, screen)
    if as_json:
        screen.json({"file": str(file), "bytes": size, "as_of": began_at})
        return
    screen.line(f"{file} holds the store of {settings.store} as it stood at {began_at}, and was checked.")


def _backed_up(settings: "Settings", file: Path, screen: Screen) -> tuple[int, str]:
    """The copy's size, and a moment of which all that was answered before is in it."""
    from sayso.core.instants import iso
    from sayso.ports import StoreError
    from sayso.store import SystemClock
    from sayso.store.sqlite.backup import back_up

    source, began_at = store.file(settings), iso(SystemClock().now())
    try:
        with screen.measured("Copying") as progress:
            return back_up(source, file, progress), began_at
    except StoreError as fault:
        raise not_possible(str(fault)) from None


def _by_its_own_tools(url: str, file: Path) -> Refused:
    return not_possible(
        "A PostgreSQL store is backed up with PostgreSQL's own tools, while it is served as well.",
        f"Such as: pg_dump --format=custom --file={file} {address.bare(url)}\n"
        "  (it asks for the password, or takes it from ~/.pgpass). Restore it into an empty database with pg_restore.\n"
        "  For large stores, and to lose nothing since the last copy: pg_basebackup with archived WAL.",
    )
