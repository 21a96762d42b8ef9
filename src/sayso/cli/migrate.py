"""``sayso migrate``: make the tables of a store, or bring them up to date."""

import asyncio
from typing import TYPE_CHECKING, Annotated

import typer

from sayso.cli import store
from sayso.cli.commands import AsJson, Data, Database, refusals_shown
from sayso.cli.screen import Screen
from sayso.cli.usage import whole

if TYPE_CHECKING:
    from sayso.settings import Settings
    from sayso.store.migration import MigrationReport

_Shards = Annotated[
    int | None,
    typer.Option(
        "--shards", metavar="N", parser=whole(1, 256), help="So many shards, for good, in a new store: 1 without it."
    ),
]
_Check = Annotated[bool, typer.Option("--check", help="Change nothing; exit code 1 where a step is due.")]


def migrate(
    data: Data = None, database: Database = None, shards: _Shards = None, check: _Check = False, as_json: AsJson = False
) -> None:
    """Make the tables of a store, or bring them up to date.

    Servers of this release and of the one before may go on while it runs. Done again, it does nothing. A store in a
    folder is brought up to date by whatever opens it.
    """
    screen = Screen(as_json=as_json)
    with refusals_shown(screen):
        settings = store.settings(data, database, shards=shards)
        if not check:
            store.make(settings)
        store.check(settings)
        with store.refusing(settings):
            report = asyncio.run(_report(settings, check))
    is_due = report.from_version < report.to_version
    if as_json:
        screen.json({"from_version": report.from_version, "to_version": report.to_version, "is_due": check and is_due})
    else:
        screen.line(f"{settings.store}: {_said(report, check)}.")
    raise typer.Exit(1 if check and is_due else 0)


async def _report(settings: "Settings", check: bool) -> "MigrationReport":
    """What was done, or with ``check`` would be."""
    if settings.database is not None:
        return await _report_of_database(settings, settings.database, check)
    from sayso.store.sqlite.store import migrate_sqlite, migration_due

    assert settings.data is not None, "outside local mode there is a store"
    return migration_due(settings.data) if check else await migrate_sqlite(settings.data, shards=settings.shards)


async def _report_of_database(settings: "Settings", database: str, check: bool) -> "MigrationReport":
    from sayso.store.extra import for_postgres

    with for_postgres():
        from sayso.store.postgres.store import migrate_postgres, postgres_migration_due
    url, pooled = settings.database_direct or database, settings.database_pooled and not settings.database_direct
    if check:
        return await postgres_migration_due(url, pooled=pooled)
    return await migrate_postgres(url, shards=settings.shards, pooled=pooled)


def _said(report: "MigrationReport", check: bool) -> str:
    before, after = report.from_version, report.to_version
    if before >= after:
        return f"the tables are of version {before}, and nothing is to be done"
    if check:
        return (
            f"the tables are of version {before}, and a step to version {after} is due" if before else "no tables yet"
        )
    return f"the tables went from version {before} to {after}" if before else f"new tables, of version {after}"
