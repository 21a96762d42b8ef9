"""``sayso erase``: what people and systems wrote in a run goes, for good."""

import asyncio
from datetime import UTC, datetime
from typing import Annotated
from uuid import UUID

import typer

from sayso.cli import store
from sayso.cli.commands import RunId, Session, at_a_door
from sayso.cli.refusals import not_possible

_Yes = Annotated[bool, typer.Option("--yes", help="It shall be erased, for good.")]
_Rewrite = Annotated[
    bool,
    typer.Option(
        "--rewrite/--no-rewrite", help="On PostgreSQL: write the tables anew, which nobody can use meanwhile."
    ),
]

ON_POSTGRES = "On PostgreSQL the bytes of before stay in the tables until they are written anew"
KEPT = "PostgreSQL's write-ahead log and every backup keep what was written until they are recycled."


@at_a_door
def erase(session: Session, run_id: RunId, yes: _Yes = False, rewrite: _Rewrite = True) -> None:
    """Erase what people and systems wrote in a run that has ended.

    Its input, message, party, answer and reasons go, out of the store's files too. That it ran, when and how it ended,
    and who did what stays. On PostgreSQL, name the --database: its tables are written anew then.
    """
    screen = session.screen
    if not yes:
        raise not_possible("This erases what was written in the run, for good.", "Say so with --yes.")
    found = session.door.perform("erase_run", run_id=run_id)
    rewritten = _rewritten(session, run_id, found["finished_at"]) if rewrite else []
    if screen.as_json:
        screen.json(found | {"rewritten": rewritten})
        return
    screen.line(f"What was written in the run {found['run_id']} is erased since {found['erased_at']}.")
    if rewritten:
        screen.note(f"Written anew: {', '.join(rewritten)}. {KEPT}")
    elif session.reach.data is None:
        screen.note(f"{ON_POSTGRES}: sayso erase {found['run_id']} --yes --database URL. {KEPT}")
    else:
        screen.note("Backups keep what was written.")


def _born(session: Session, run_id: str) -> datetime:
    """When the run's stream was made: its id says so, in its first 48 bits."""
    first = session.door.perform("get_run_history", run_id=run_id, limit=1)["events"][0]
    return datetime.fromtimestamp((UUID(first["metadata"]["stream"]).int >> 80) / 1000, UTC)


def _rewritten(session: Session, run_id: str, finished_at: str) -> list[str]:
    """The tables that were written anew: of a database that the command line names, those that may hold the run."""
    if session.reach.database is None:
        return []
    from sayso.store.extra import for_postgres

    with for_postgres():
        from sayso.store.postgres.connection import Address
        from sayso.store.postgres.rewriting import rewrite

    settings = store.settings(None, session.reach.database)
    url = settings.database_direct or settings.database
    assert url is not None, "the command line names a database"
    address = Address(url, pooled=settings.database_pooled and settings.database_direct is None)
    first, last = _born(session, run_id), datetime.fromisoformat(finished_at)
    with session.screen.measured("Tables") as progress, store.refusing(settings):
        return asyncio.run(rewrite(address, first, last, progress))
