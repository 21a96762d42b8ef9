"""``sayso transfer``: a store moves from a folder to PostgreSQL, once and for good."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sayso.cli import lock, store
from sayso.cli.commands import AsJson, refusals_shown
from sayso.cli.screen import Screen

if TYPE_CHECKING:
    from sayso.settings import Settings

_From = Annotated[
    Path, typer.Option("--data", metavar="DIR", envvar="SAYSO_DATA", help="The folder of the store to move.")
]
_To = Annotated[
    str, typer.Option("--database", metavar="URL", envvar="SAYSO_DATABASE", help="The empty database to move it to.")
]


def transfer(data: _From, database: _To, as_json: AsJson = False) -> None:
    """Move the store of a folder to an empty PostgreSQL database.

    All of it moves, and every row is compared at the end. Nobody may serve either meanwhile. If it is cut off, run it
    again: it goes on where it was. From the first row on the folder is served no more; nothing in it is deleted.
    """
    screen = Screen(as_json=as_json)
    with refusals_shown(screen):
        source, target = store.settings(data, None), store.settings(None, database)
        file = store.file(source)
        with lock.held(data), store.refusing(source):
            rows = asyncio.run(_moved(file, target, screen))
    if as_json:
        screen.json({"to": target.store, "rows": dict(rows)})
        return
    screen.table(("TABLE", "ROWS"), [(name, f"{count:,}") for name, count in rows.items() if count])
    screen.note(f"Every row of the store in {data} is in {target.store}, compared one by one. Serve that from now on:")
    screen.note("  sayso serve --database URL")


async def _moved(file: Path, target: "Settings", screen: Screen) -> dict[str, int]:
    from sayso.store import SystemClock
    from sayso.store.extra import for_postgres
    from sayso.store.transfer.source import SqliteSource

    with for_postgres():
        from sayso.store.postgres.connection import Address
        from sayso.store.transfer.target import PostgresTarget
        from sayso.store.transfer.transfer import Transfer

    now = SystemClock().now()
    # A pooler lends its connections for a transaction each, and this takes long ones: the way behind it is better.
    url = target.database_direct or target.database
    assert url is not None, "the command line names a database"
    address = Address(url, pooled=target.database_pooled and target.database_direct is None)
    to = PostgresTarget(address)
    try:
        with SqliteSource(file, now=now) as source, screen.measured("Rows") as progress:
            return await Transfer(folder=file.parent, source=source, target=to, now=now, progress=progress).run()
    finally:
        await to.close()
