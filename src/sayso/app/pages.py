"""Pages of a listing: the items, whether there are more, and where to go on."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sayso.core.rows import Row
from sayso.core.values import Json


def cut(rows: Sequence[Row], limit: int) -> tuple[Sequence[Row], Row | None]:
    """The rows of a page out of a query for one more than it holds, and its last row where there was that one more."""
    if len(rows) <= limit:
        return rows, None
    return rows[:limit], rows[limit - 1]


@dataclass(frozen=True, kw_only=True)
class Walked:
    """What a walk found for a page, and at what it stopped, where the next one goes on; None at the end."""

    rows: Sequence[Row]
    next: Any


def walked(rows: Sequence[Row], limit: int, by: str) -> Walked:
    """What a query of a walk tells: rows that are empty where nothing was found, each with how far it looked.

    ``by`` is the column that a walk goes along. A page may have been cut at the limit, or at its bytes, where the rows
    say how many ``matched``.
    """
    found = [row for row in rows if row["stream"] is not None]
    shown, last = cut(found, limit)
    if last is None and found and len(found) < found[0].get("matched", 0):
        last = found[-1]
    if last is not None:
        return Walked(rows=shown, next=last[by])
    return Walked(rows=shown, next=rows[0]["examined"] if rows[0]["more"] else None)


def page(items_name: str, items: Sequence[Json], next_cursor: str | None) -> dict[str, Json]:
    """A page as every door shows it. Read on until ``next_cursor`` is null."""
    return {items_name: list(items), "has_more": next_cursor is not None, "next_cursor": next_cursor}
