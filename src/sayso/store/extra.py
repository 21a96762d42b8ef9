"""What a store needs that does not come with sayso alone."""

import contextlib
from collections.abc import Iterator

from sayso.ports import StoreError


@contextlib.contextmanager
def for_postgres() -> Iterator[None]:
    """Within the context what speaks to PostgreSQL is imported; where it is missing, the refusal says how to get it."""
    try:
        yield
    except ModuleNotFoundError as missing:
        if missing.name != "asyncpg":
            raise
        raise StoreError("PostgreSQL needs a package that is not installed: pip install 'sayso[postgres]'") from None
