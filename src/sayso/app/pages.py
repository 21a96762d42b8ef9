"""Pages of a listing: the items, whether there are more, and where to go on."""

from collections.abc import Sequence

from sayso.core.values import Json


def page(items_name: str, items: Sequence[Json], next_cursor: str | None) -> dict[str, Json]:
    """A page as every door shows it. Read on until ``next_cursor`` is null."""
    return {items_name: list(items), "has_more": next_cursor is not None, "next_cursor": next_cursor}
