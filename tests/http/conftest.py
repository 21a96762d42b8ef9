"""A door that wants keys, and one in local mode."""

from collections.abc import AsyncIterator

import pytest

from sayso.settings import Settings
from tests.http.served import ORIGIN, Served, serving


@pytest.fixture
async def served() -> AsyncIterator[Served]:
    """A server that wants keys and lets one origin in."""
    async with serving(Settings(allowed_origins=(ORIGIN,))) as door:
        yield door


@pytest.fixture
async def local() -> AsyncIterator[Served]:
    """A server in local mode."""
    async with serving(Settings(local=True)) as door:
        yield door
