"""How things look at a terminal: requests as a table, a run with its question, a history as a timeline."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from sayso.cli import endings
from sayso.cli.screen import Screen
from sayso.cli.text import one_line
from sayso.cli.values import written_json
from sayso.core.values import Json

_STYLES = {"started": "yellow", "succeeded": "green", "rejected": "red", "cancelled": "red", "failed": "red"}
_UNITS = (("d", 86_400), ("h", 3_600), ("min", 60), ("s", 1))


def requests(screen: Screen, interactions: Sequence[dict[str, Any]]) -> None:
    """Open requests, one a line."""
    now = datetime.now(UTC)
    names = ("RUN", "FUNCTION", "TO", "EXPIRES", "MESSAGE")
    rows = [
        (
            one["run_id"],
            one["function"],
            one_line(one["to"], 32),
            _until(one["expires_at"], now) if screen.is_terminal else one["expires_at"],
            one_line(one["message"]),
        )
        for one in interactions
    ]
    screen.table(names, rows)


def run(screen: Screen, shown: dict[str, Any], question: dict[str, Any] | None) -> None:
    """A run as it stands, with the question it put."""
    screen.pairs([(name, value) for name, value in _facts(shown, question) if value is not None])
    if question is not None:
        screen.line()
        message(screen, question)


def _facts(shown: dict[str, Any], question: dict[str, Any] | None) -> list[tuple[str, str | None]]:
    asked, record = question or {}, shown.get("record", {})
    facts: list[tuple[str, str | None]] = [
        ("run", shown["run_id"]),
        ("status", shown["status"]),
        ("function", f"{shown['name']} (version {shown['definition_version']})"),
        ("started", f"{shown['started_at']} by {shown['started_by']}"),
        ("to", _line(asked.get("to"))),
        ("answerer", _line(asked.get("answerer"))),
        ("expires", asked.get("expires_at") if shown["status"] == "started" else None),
        ("ended", shown.get("finished_at")),
        ("why", endings.why(shown["rejection"]) if "rejection" in shown else None),
        ("answer", written_json(shown["output"]) if "output" in shown else None),
        ("answered by", record.get("answered_by")),
        ("claimed for", _line(record.get("claimed_for"))),
    ]
    schema = asked.get("answer_schema")
    return facts if schema is None else [*facts, ("answer schema", written_json(schema))]


def _line(text: Any) -> str | None:
    return None if text is None else one_line(str(text), 256)


def message(screen: Screen, question: dict[str, Any]) -> None:
    """A request's message as it was written, each line marked as somebody's words."""
    screen.quote(str(question["message"]))


def timeline(screen: Screen, events: Sequence[dict[str, Any]]) -> None:
    """What happened, oldest first: when, how long after the start, what, by whom."""
    if not events:
        return
    start = _instant(events[0]["metadata"]["at"])
    names = ("AT", "AFTER", "EVENT", "BY", "WHAT")
    rows = [
        (
            event["metadata"]["at"],
            _span((_instant(event["metadata"]["at"]) - start).total_seconds()),
            event["type"],
            str(event["metadata"].get("by") or ""),
            one_line(str(event.get("summary", "")), 100),
        )
        for event in events
    ]
    screen.table(names, rows)


def status(screen: Screen, word: str) -> None:
    """The status of a run, as the last word."""
    screen.line(word, _STYLES.get(word, ""))


def answer(screen: Screen, fact: dict[str, Json]) -> None:
    """That an answer was taken, and which."""
    screen.line(f"answered by {fact['answered_by']}: {written_json(fact['answer'])}", "green")


def _until(at: str, now: datetime) -> str:
    seconds = (_instant(at) - now).total_seconds()
    return f"in {_span(seconds)}" if seconds > 0 else "now"


def _span(seconds: float) -> str:
    """A length of time in its two largest units."""
    if seconds < 60:
        return f"{seconds:.3f} s" if seconds < 10 else f"{seconds:.0f} s"
    parts: list[str] = []
    rest = int(seconds)
    for unit, size in _UNITS:
        count, rest = divmod(rest, size)
        if count or parts:
            parts.append(f"{count} {unit}")
    return " ".join(parts[:2])


def _instant(text: str) -> datetime:
    return datetime.fromisoformat(text)
