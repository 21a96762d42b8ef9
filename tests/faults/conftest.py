"""What the proofs of this folder share."""

import os
from collections.abc import Callable

import pytest

from tests import stores
from tests.postgres.servers import PostgresServer


@pytest.fixture
def shown(capsys: pytest.CaptureFixture[str]) -> Callable[[str], None]:
    """Prints a proof's figures past pytest's capture: they are what a proof is for."""

    def show(text: str) -> None:
        with capsys.disabled():
            print(f"\n{text}")

    return show


@pytest.fixture
def postgres(request: pytest.FixtureRequest) -> PostgresServer:
    """The PostgreSQL server of the proofs: the newer one if the tests are on it, else Debian's."""
    server: PostgresServer = request.getfixturevalue(stores.server_name())
    return server


@pytest.fixture(scope="session")
def is_long() -> bool:
    """Whether the long forms are wanted: ``make prove`` sets SAYSO_LONG."""
    return os.environ.get("SAYSO_LONG") == "1"
