"""``sayso audit``: every event of a store as JSON Lines, for whoever has to know who did what, and when."""

from datetime import datetime
from typing import TYPE_CHECKING, Annotated

import typer

from sayso.cli import store
from sayso.cli.commands import Data, Database, refusals_shown
from sayso.cli.screen import Screen
from sayso.cli.values import written_json

if TYPE_CHECKING:
    from sayso.app.runtime import App


def moment(text: str) -> datetime:
    """A time of a command line, with its offset."""
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        at = None
    if at is None or at.tzinfo is None:
        raise typer.BadParameter("A time is written with its offset, as in 2027-01-31T09:00:00Z.")
    return at


_Org = Annotated[str | None, typer.Option("--org", metavar="ORG", help="Only of this org.")]
_Since = Annotated[
    datetime | None, typer.Option("--since", metavar="TIME", parser=moment, help="Only what happened since then.")
]


def audit(org: _Org = None, since: _Since = None, data: Data = None, database: Database = None) -> None:
    """Print every event of a store as JSON, one a line.

    What happened, when, and who did it: playbook after playbook, each in the order of its feed, then the keys that were
    made and revoked. It may run beside servers.
    """
    screen = Screen()
    at = 0 if since is None else int(since.timestamp() * 1_000_000)
    with refusals_shown(screen):
        count = store.with_app(store.settings(data, database), lambda app: _printed(app, org, at, screen))
    screen.note(f"{count:,} lines.")


async def _printed(app: "App", org: str | None, since: int, screen: Screen) -> int:
    from sayso.app.audit import Audit

    count = 0
    with screen.measured("Events") as progress:
        async for line in Audit(app.store, app.reference).lines(org, since):
            screen.stream.write(written_json(line) + "\n")
            count += 1
            progress(count, None)
    return count
