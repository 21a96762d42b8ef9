"""``sayso status``: how a store stands, for whoever runs it."""

from collections.abc import Iterator
from typing import Any

from sayso.cli import store
from sayso.cli.commands import AsJson, Data, Database, refusals_shown
from sayso.cli.screen import Screen
from sayso.core.values import Json

BEHIND_SECONDS = 10
_UNITS = ((1 << 30, "GB"), (1 << 20, "MB"), (1 << 10, "KB"))

FINE, LOOK, WRONG = "", "yellow", "bold red"


def status(data: Data = None, database: Database = None, as_json: AsJson = False) -> None:
    """Show how a store stands: what waits, is late or fails.

    It may be run beside the servers of the store. Looking costs the same however much waits: a count stops at 1,000 a
    shard.
    """
    screen = Screen(as_json=as_json)
    with refusals_shown(screen):
        settings = store.settings(data, database)
        from sayso.app.status import Status

        found = store.with_app(settings, lambda app: Status(app.store).read())
    if as_json:
        screen.json({"store": settings.store} | found)
        return
    rows = [("store", settings.store, FINE), *_rows(found)]
    width = max(len(name) for name, _, _ in rows) if screen.is_terminal else 0
    for name, value, style in rows:
        screen.row((name.ljust(width), value), style)


def _rows(found: dict[str, Json]) -> Iterator[tuple[str, str, str]]:
    """What is shown: its name, its value, and whether somebody should look at it."""
    yield "tables", f"version {found['schema_version']}, {_shards(found['shards'])}, {_size(found['bytes'])}", FINE
    yield "events", f"{found['events']:,} in {found['playbooks']:,} playbooks", FINE
    yield "open requests", f"{found['open_requests']:,}", FINE
    yield "expire within an hour", _count(found["expiring_in_an_hour"]), FINE
    yield "expire within a day", _count(found["expiring_in_a_day"]), FINE
    yield "next due", found["next_due_at"] or "nothing", FINE
    lag = found["due_lag_seconds"]
    yield "due lag", f"{lag:,.0f} s", WRONG if lag >= BEHIND_SECONDS else FINE
    yield "due for over a minute", *_alarming(found["overdue"], WRONG)
    yield "undelivered", *_alarming(found["undelivered"], LOOK)
    yield "failing conversations", *_alarming(found["failing_conversations"], LOOK)
    yield "failing streams", *_alarming(found["failing_streams"], WRONG)
    yield "failing notices", *_alarming(found["failing_notices"], LOOK)


def _alarming(count: dict[str, Any], style: str) -> tuple[str, str]:
    return _count(count), style if count["count"] else FINE


def _count(count: dict[str, Any]) -> str:
    return f"{count['count']:,}" + (" or more" if count["more"] else "")


def _shards(number: int) -> str:
    return "one shard" if number == 1 else f"{number} shards"


def _size(number: int) -> str:
    for unit, name in _UNITS:
        if number >= unit:
            return f"{number / unit:.1f} {name}"
    return f"{number} bytes"
