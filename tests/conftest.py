"""What all tests share."""

import signal
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from tests import stores
from tests.postgres.fixtures import pgbouncer, postgres15, postgres18

__all__ = ["pgbouncer", "postgres15", "postgres18"]

# What a shell runs in the background ignores these, and so would every server that a test starts.
for _number, _usual in ((signal.SIGINT, signal.default_int_handler), (signal.SIGQUIT, signal.SIG_DFL)):
    if signal.getsignal(_number) is signal.SIG_IGN:
        signal.signal(_number, _usual)

# A machine that others use too may pause in the middle of an example: that is no fault of the rule under test.
settings.register_profile("steady", deadline=None, suppress_health_check=[HealthCheck.too_slow])
# Where each example has a database to make and to empty, few of them must do.
settings.register_profile("few", settings.get_profile("steady"), max_examples=10)
settings.load_profile("few" if "postgres" in stores.NAME else "steady")


@pytest.fixture
def anyio_backend() -> str:
    """Async tests run on asyncio, as the server does."""
    return "asyncio"


@pytest.fixture(autouse=True)
def _lending() -> Iterator[None]:
    """What a test was lent it gives back."""
    with stores.lending():
        yield
