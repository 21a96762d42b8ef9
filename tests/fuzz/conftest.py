"""Fuzz tests run on asyncio, and keep what they set up for a module."""

import pytest


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"
