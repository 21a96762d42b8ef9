"""Folding the log away while others fold it too: SQLite does not wait for another checkpoint, the store does."""

import asyncio
from pathlib import Path

import pytest

from sayso.store import open_store

pytestmark = pytest.mark.anyio


async def test_scrubs_at_once_all_come_to_an_end(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    try:
        for _ in range(20):
            await asyncio.gather(*(store.scrub() for _ in range(8)))
    finally:
        await store.close()
