"""Reading through a door: the open requests, the question of one run, its whole history."""

from collections.abc import Iterator
from typing import Any

from sayso.cli.door import Door
from sayso.cli.refusals import Refused
from sayso.core.values import Json

PAGE = 100
ENDINGS = frozenset({"run_succeeded", "run_rejected", "run_failed"})


def open_requests(door: Door, **filters: str | None) -> Iterator[dict[str, Any]]:
    """The open requests of the playbook, newest first; a page is read when the one before it is used up."""
    yield from every(door, "list_interactions", "interactions", **filters)


def history(door: Door, run_id: str) -> list[dict[str, Any]]:
    """Every event of a run, oldest first."""
    return list(every(door, "get_run_history", "events", run_id=run_id))


def every(door: Door, operation: str, items: str, **fields: Json) -> Iterator[dict[str, Any]]:
    """All that an operation lists, page by page."""
    given = {name: value for name, value in fields.items() if value is not None}
    cursor = None
    while True:
        page = door.perform(operation, **given, limit=PAGE, **({"cursor": cursor} if cursor else {}))
        yield from page[items]
        cursor = page["next_cursor"]
        if cursor is None:
            return


def listed(door: Door, run_id: str) -> dict[str, Any] | None:
    """The open request of a run as the list shows it, which may be read far to find it; None when it has none."""
    wanted = run_id.lower()
    return next((one for one in open_requests(door) if one["run_id"] == wanted), None)


def waiting(door: Door, run_id: str) -> dict[str, Any] | None:
    """The open request of a run; None when it has none. A key that may only answer reads it from the list."""
    events = _readable(door, run_id)
    if events is None:
        return listed(door, run_id)
    return None if events[-1]["type"] in ENDINGS else question(door, events)


def asked(door: Door, run_id: str) -> dict[str, Any] | None:
    """The request of a run, whether it is open or has ended; to a key that may only answer, an open one."""
    events = _readable(door, run_id)
    return listed(door, run_id) if events is None else question(door, events)


def _readable(door: Door, run_id: str) -> list[dict[str, Any]] | None:
    """The events of a run; None to a key that may not read them."""
    try:
        return history(door, run_id)
    except Refused as refused:
        if refused.document.get("reason") != "forbidden":
            raise
        return None


def question(door: Door, events: list[dict[str, Any]]) -> dict[str, Any] | None:
    """What a run asked, whether it still waits or has ended; None when it asked nothing."""
    asked = [event for event in events if event["type"] == "interaction_requested"]
    if not asked:
        return None
    record: dict[str, Any] = door.perform("get_event", event_id=asked[-1]["id"])["data"]["record"]
    given: list[dict[str, Any]] = [event["data"] for event in events if event["type"] == "request_reassigned"]
    if given:  # it says both: without an answerer the party answers
        record.pop("answerer", None)
        record |= given[-1]
    return record
