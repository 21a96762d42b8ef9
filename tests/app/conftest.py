"""What the tests of the app share."""

from collections.abc import AsyncIterator

import pytest

from tests.app.studio import Studio, studio


@pytest.fixture
async def here() -> AsyncIterator[Studio]:
    """A playbook with one function, ``ship-it``."""
    async with studio() as made:
        await made.save("ship-it")
        yield made
