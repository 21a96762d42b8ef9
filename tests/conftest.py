"""What all tests share."""

import pytest
from hypothesis import HealthCheck, settings

# A machine that others use too may pause in the middle of an example: that is no fault of the rule under test.
settings.register_profile("steady", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("steady")


@pytest.fixture
def anyio_backend() -> str:
    """Async tests run on asyncio, as the server does."""
    return "asyncio"
