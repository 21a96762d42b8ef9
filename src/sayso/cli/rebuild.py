"""``sayso rebuild``: what a store's heads and counters repeat of its events, made what the events say."""

from collections.abc import Mapping, Sequence
from enum import IntEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sayso.cli import store
from sayso.cli.commands import AsJson, Data, Database, refusals_shown
from sayso.cli.screen import Screen
from sayso.core.heads import Head
from sayso.core.ids import uuid_text
from sayso.core.instants import iso
from sayso.core.values import Json

if TYPE_CHECKING:
    from sayso.app.rebuild import Found
    from sayso.app.runtime import App

_Check = Annotated[bool, typer.Option("--check", help="Change nothing; exit code 1 if anything differs.")]

LATEST = 253_402_300_799_999_999  # the last microsecond that a calendar has
SHOWN = 1_000
NOT_SHOWN = "(not shown)"


def rebuild(check: _Check = False, data: Data = None, database: Database = None, as_json: AsJson = False) -> None:
    """Put right what lists and counters repeat of the events.

    It says what changed, and may run beside servers. A run or definition whose events are damaged is named and left as
    it is; then the exit code is 1.
    """
    screen = Screen(as_json=as_json)
    with refusals_shown(screen):
        found, names = store.with_app(store.settings(data, database), lambda app: _rebuilt(app, screen, check))
    report = _report(found, names)
    if as_json:
        screen.json(report)
    else:
        _show(screen, report, check)
    differs = report["changed"] or report["recounted"]
    raise typer.Exit(1 if report["damaged"] or (check and differs) else 0)


async def _rebuilt(app: "App", screen: Screen, check: bool) -> tuple[list["Found"], dict[int, str]]:
    """All that was found, and what playbooks are called."""
    from sayso.app.rebuild import Rebuild
    from sayso.core.machines import MACHINES

    found: list[Found] = []
    looked = 0
    with screen.measured("Streams") as progress:
        async for page in Rebuild(app.store, app.writer, MACHINES, check=check).run():
            found.append(page)
            looked += page.looked
            progress(looked, None)
    orgs = {row["org"]: row["name"] for row in await app.store.query("orgs")}
    playbooks = await app.store.query("playbooks")
    return found, {row["playbook"]: f"{orgs[row['org']]}/{row['name']}" for row in playbooks}


def _report(found: Sequence["Found"], names: Mapping[int, str]) -> dict[str, Any]:
    return {
        "looked_at": sum(page.looked for page in found),
        "changed": [
            _named(one.before, names) | {"columns": {name: _pair(one, name) for name in one.columns}}
            for page in found
            for one in page.changed
        ],
        "recounted": [
            {"playbook": names[one.playbook], "was": one.before, "is": one.after}
            for page in found
            for one in page.recounted
        ],
        "damaged": [_named(one.head, names) | {"why": one.why} for page in found for one in page.damaged],
    }


def _named(head: Head, names: Mapping[int, str]) -> dict[str, Any]:
    return {
        "playbook": names.get(head.playbook, f"number {head.playbook}"),
        "kind": head.kind.name.lower(),
        "id": uuid_text(head.run_id or head.stream),
        "stream": uuid_text(head.stream),
    }


def _pair(changed: Any, column: str) -> dict[str, Json]:
    return {"was": _value(changed.before, column), "is": _value(changed.after, column)}


def _value(head: Head, column: str) -> Json:
    """A column as a report may hold it: of what a person wrote, only that there is something."""
    match getattr(head, column):
        case None:
            return None
        case str():
            return NOT_SHOWN
        case bytes() as found:
            return found.hex()
        case IntEnum() as named:
            return named.name.lower()
        case int() as number:
            return iso(number) if column.endswith("_at") and 0 <= number <= LATEST else number


def _show(screen: Screen, report: Mapping[str, Any], check: bool) -> None:
    rows = [
        (one["playbook"], one["kind"], one["id"], column, _cell(pair["was"]), _cell(pair["is"]))
        for one in report["changed"]
        for column, pair in one["columns"].items()
    ]
    rows += [(one["playbook"], "", "", "open requests", str(one["was"]), str(one["is"])) for one in report["recounted"]]
    if rows:
        screen.table(("PLAYBOOK", "KIND", "ID", "WHAT", "WAS", "SHALL BE" if check else "IS"), rows[:SHOWN])
    for one in report["damaged"][:SHOWN]:
        where = f"{one['kind']} {one['id']} of {one['playbook']}"
        screen.note(f"sayso: {where} is left as it is. {one['why']}.", "bold red")
    if len(rows) > SHOWN or len(report["damaged"]) > SHOWN:
        screen.note(f"The first {SHOWN:,} of each are shown: --json lists all.")
    did = "differ" if check else "put right"
    screen.note(
        f"{report['looked_at']:,} streams looked at: {len(report['changed']):,} {did}, {len(report['damaged']):,} "
        f"damaged; {len(report['recounted']):,} counters {did}."
    )


def _cell(value: Json) -> str:
    return "-" if value is None else str(value)
