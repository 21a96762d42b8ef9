"""Where everything stands: tables, named queries, and the stores that run them."""

from sayso.store.clock import SystemClock
from sayso.store.sqlite.store import FILE_NAME, SqliteStore, open_store

__all__ = ["FILE_NAME", "SqliteStore", "SystemClock", "open_store"]
