"""All named queries, prepared for one database."""

from functools import cache
from importlib import resources

from sayso.store.rows import HEAD_PART
from sayso.store.sql import Query, read_queries


@cache
def queries(dialect: str) -> dict[str, Query]:
    """The queries by name, as ``sqlite`` or ``postgres`` runs them."""
    text = resources.files("sayso.store").joinpath("queries.sql").read_text(encoding="utf-8")
    return read_queries(text, dialect=dialect, parts={"head": HEAD_PART})
