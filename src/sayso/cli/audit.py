"""``sayso audit``: every event of a store as JSON Lines, for whoever has to know who did what, and when."""

from typing import TYPE_CHECKING, Annotated

import typer

from sayso.cli import store
from sayso.cli.commands import Data, Database, refusals_shown
from sayso.cli.screen import Screen
from sayso.cli.values import written_json
from sayso.core.instants import NotAnInstant, microseconds

if TYPE_CHECKING:
    from sayso.app.runtime import App


def moment(text: str) -> int:
    """A time of a command line, with its offset, in microseconds."""
    try:
        return microseconds(text)
    except NotAnInstant as fault:
        raise typer.BadParameter(f"It {fault}.") from None


_Org = Annotated[str | None, typer.Option("--org", metavar="ORG", help="Only of this org.")]
_Since = Annotated[
    int | None, typer.Option("--since", metavar="TIME", parser=moment, help="Only what happened since then.")
]


def audit(org: _Org = None, since: _Since = None, data: Data = None, database: Database = None) -> None:
    """Print every event of a store as JSON, one a line.

    What happened, when, and who did it: playbook after playbook, each in the order of its feed, then the keys that were
    made and revoked. It may run beside servers.
    """
    screen = Screen()
    with refusals_shown(screen):
        count = store.with_app(store.settings(data, database), lambda app: _printed(app, org, since or 0, screen))
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
