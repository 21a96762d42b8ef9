"""All named queries, prepared for one database."""

from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Final

from sayso.store.rows import HEAD_PART
from sayso.store.sql import Query, read_queries

# What stands for a part of a text in one database and in the other.
_PARTS: Final[Mapping[str, Mapping[str, str]]] = {
    "sqlite": {"last_stream": f"x'{'f' * 32}'"},
    "postgres": {
        "last_stream": f"'{'f' * 32}'::uuid",
        "clock": "(extract(epoch from clock_timestamp()) * 1000000)::bigint",
        "statement_clock": "(extract(epoch from statement_timestamp()) * 1000000)::bigint",  # an index may use it
    },
}


@cache
def queries(dialect: str) -> dict[str, Query]:
    """The queries by name, as ``sqlite`` or ``postgres`` runs them."""
    text = resources.files("sayso.store").joinpath("queries.sql").read_text(encoding="utf-8")
    return read_queries(text, dialect=dialect, parts={"head": HEAD_PART, **_PARTS[dialect]})
