"""Pages of a listing: the items, whether there are more, and where to go on."""

from collections.abc import Sequence

from sayso.core.rows import Row
from sayso.core.values import Json


def cut(rows: Sequence[Row], limit: int) -> tuple[Sequence[Row], Row | None]:
    """The rows of a page out of a query for one more than it holds, and its last row where there was that one more."""
    if len(rows) <= limit:
        return rows, None
    return rows[:limit], rows[limit - 1]


def page(items_name: str, items: Sequence[Json], next_cursor: str | None) -> dict[str, Json]:
    """A page as every door shows it. Read on until ``next_cursor`` is null."""
    return {items_name: list(items), "has_more": next_cursor is not None, "next_cursor": next_cursor}
