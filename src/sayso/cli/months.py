"""``sayso months``: the months of events that a PostgreSQL store has, and dropping one that is over."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from sayso.cli import store
from sayso.cli.commands import AsJson, Data, Database, refusals_shown
from sayso.cli.refusals import not_possible
from sayso.cli.screen import Screen

if TYPE_CHECKING:
    from sayso.settings import Settings
    from sayso.store.postgres.dropping import Dropped
    from sayso.store.postgres.months import Month


def _month(text: str) -> datetime:
    try:
        return datetime.strptime(text, "%Y-%m").replace(tzinfo=UTC)
    except ValueError:
        raise typer.BadParameter("A month is written as in 2027-01.") from None


_Drop = Annotated[
    datetime | None, typer.Option("--drop", metavar="MONTH", parser=_month, help="Drop this month, such as 2027-01.")
]
_Yes = Annotated[bool, typer.Option("--yes", help="It shall be dropped, for good.")]


def months(
    drop: _Drop = None, yes: _Yes = False, data: Data = None, database: Database = None, as_json: AsJson = False
) -> None:
    """List the months of a store on PostgreSQL, or drop one.

    Its servers go on meanwhile. Of a dropped month stays what is open or ended in the last 30 days, with definitions
    and conversations. A drop that was cut off goes on when it is begun again.
    """
    screen = Screen(as_json=as_json)
    with refusals_shown(screen):
        settings = store.settings(data, database)
        if settings.database is None:
            raise not_possible("The events of a store in a folder are not in months: only those on PostgreSQL are.")
        if drop and not yes:
            raise not_possible(
                f"This drops all runs of {drop:%Y-%m} that have ended, but for the last 30 days, for good.",
                "Make a backup, and say so with --yes.",
            )
        with store.refusing(settings):
            if drop is None:
                _show(screen, asyncio.run(_listed(settings)))
            else:
                _show_dropped(screen, drop, asyncio.run(_dropped(settings, drop)))


async def _listed(settings: "Settings") -> "Sequence[Month]":
    from sayso.store.extra import for_postgres

    with for_postgres():
        from sayso.store.postgres.months import list_months

    return await list_months(*_address(settings))


async def _dropped(settings: "Settings", month: datetime) -> "Dropped":
    from sayso.store.extra import for_postgres

    with for_postgres():
        from sayso.store.postgres.dropping import NotDroppable
        from sayso.store.postgres.months import drop_month

    try:
        return await drop_month(*_address(settings), month)
    except NotDroppable as refusal:
        raise not_possible(str(refusal)) from None


def _address(settings: "Settings") -> tuple[str, bool]:
    """The database's, past a pooler where that is known, and whether it still is a pooler's."""
    assert settings.database is not None, "looked at before"
    return settings.database_direct or settings.database, settings.database_pooled and not settings.database_direct


def _show(screen: Screen, found: "Sequence[Month]") -> None:
    if screen.as_json:
        screen.json({"months": [{"month": one.name, "events": one.events, "bytes": one.size} for one in found]})
        return
    rows = [(one.name, _number(one.events), _number(one.size)) for one in found]
    screen.table(("MONTH", "EVENTS, ABOUT", "BYTES"), rows)


def _number(number: int | None) -> str:
    return "-" if number is None else f"{number:,}"


def _show_dropped(screen: Screen, month: datetime, dropped: "Dropped") -> None:
    if screen.as_json:
        screen.json({"month": f"{month:%Y-%m}", "gone": dropped.gone, "kept": dropped.kept})
        return
    screen.line(f"{month:%Y-%m} is dropped: {dropped.gone:,} streams are gone, {dropped.kept:,} stay.")
