"""``sayso notices``: who is told of new requests, how far that is, and telling them again."""

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sayso.cli import store
from sayso.cli.audit import moment
from sayso.cli.commands import AsJson, Data, Database, refusals_shown
from sayso.cli.refusals import not_possible
from sayso.cli.screen import Screen
from sayso.cli.usage import Command
from sayso.core.instants import iso
from sayso.core.rows import Row

if TYPE_CHECKING:
    from sayso.app.runtime import App
    from sayso.settings import Settings

app = typer.Typer(help="Who is told of new requests.", no_args_is_help=True)


_Since = Annotated[
    int, typer.Option("--since", metavar="TIME", parser=moment, help="Tell again of all requests since then.")
]
_Playbook = Annotated[str | None, typer.Option("--playbook", metavar="ORG/PLAYBOOK", help="Only of this playbook.")]


@app.command("list", cls=Command)
def list_notices(data: Data = None, database: Database = None, as_json: AsJson = False) -> None:
    """List who is told of which playbook, and how that goes."""
    screen = Screen(as_json=as_json)
    with refusals_shown(screen):
        found = store.with_app(store.settings(data, database), _listed)
    if as_json:
        screen.json({"notices": found})
        return
    rows = [
        (
            one["playbook"],
            one["to"],
            str(one["behind"]),
            one.get("failing_since", "-"),
            one.get("next_try_at", "-"),
            one.get("last_error", "-"),
        )
        for one in found
    ]
    screen.table(("PLAYBOOK", "TOLD", "BEHIND", "FAILING SINCE", "NEXT TRY", "LAST ERROR"), rows)


async def _listed(app: "App") -> list[dict[str, Any]]:
    return [_shown(row, playbook) async for _, row, playbook in _subscriptions(app)]


async def _subscriptions(app: "App") -> AsyncIterator[tuple[int, Row, str]]:
    """Who follows which playbook: the shard, the row, and the playbook as ``ORG/PLAYBOOK``."""
    orgs = {row["org"]: row["name"] for row in await app.store.query("orgs")}
    playbooks = {row["playbook"]: f"{orgs[row['org']]}/{row['name']}" for row in await app.store.query("playbooks")}
    for shard in range(app.store.shards):
        for row in await app.store.query("subscriptions", shard=shard):
            yield shard, row, playbooks[row["playbook"]]


def _shown(row: Row, playbook: str) -> dict[str, Any]:
    shown = {"playbook": playbook, "to": row["url"], "behind": row["fed"] - row["position"]}
    if row["failed_since"] is not None:
        shown |= {
            "failing_since": iso(row["failed_since"]),
            "fails": row["fails"],
            "next_try_at": iso(row["due_at"]),
            "last_error": row["last_error"],
        }
    return shown


@app.command(cls=Command)
def secret(data: Data = None, database: Database = None) -> None:
    """Print the secret that a webhook checks signatures with."""
    from sayso.notify.webhook import secret_of, written
    from sayso.target import WebhookTarget

    screen = Screen()
    with refusals_shown(screen):
        settings = store.settings(data, database)
        target = settings.notify
        if not isinstance(target, WebhookTarget):
            raise not_possible("NOTIFY names no webhook: set it to its URL, as the server has it.")

        async def made(app: "App") -> str:
            return written(secret_of(app.store.secret, target))

        screen.line(store.with_app(settings, made))


@app.command(cls=Command)
def replay(
    since: _Since, playbook: _Playbook = None, data: Data = None, database: Database = None, as_json: AsJson = False
) -> None:
    """Tell again of all requests since a time.

    They are told to wherever NOTIFY says now. A notice keeps its id, so that a receiver may know what it has had.
    """
    screen = Screen(as_json=as_json)
    with refusals_shown(screen):
        settings = store.settings(data, database)
        if settings.notify is None:
            raise not_possible("NOTIFY is not set: nobody is told of new requests.")
        again = store.with_app(settings, lambda app: _replayed(app, settings, since, playbook))
        if not again:
            raise not_possible("Nobody is told of that playbook yet. `sayso notices list` shows who is told of which.")
    if as_json:
        screen.json({"playbooks": again})
    else:
        screen.line(f"Of {', '.join(again)} all requests since {iso(since)} are told again.")


async def _replayed(app: "App", settings: "Settings", since: int, playbook: str | None) -> list[str]:
    target = settings.notify
    assert target is not None, "looked at before"
    again = []
    async for shard, row, name in _subscriptions(app):
        if row["url"] == target.shown and playbook in {None, name}:
            await _go_back(app, shard, row, since)
            again.append(name)
    return sorted(again)


async def _go_back(app: "App", shard: int, row: Row, at: int) -> None:
    await app.writer.change(
        lambda transaction: transaction.query(
            "replay_subscription", shard=shard, id=row["id"], playbook=row["playbook"], since=at
        ),
        shard=shard,
    )
