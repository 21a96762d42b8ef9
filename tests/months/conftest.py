"""The stage, on each PostgreSQL."""

import pytest

from tests.months.stage import Stage
from tests.postgres.servers import PostgresServer


@pytest.fixture(params=["postgres15", "postgres18"])
def server(request: pytest.FixtureRequest) -> PostgresServer:
    found: PostgresServer = request.getfixturevalue(request.param)
    return found


@pytest.fixture
async def stage(server: PostgresServer) -> Stage:
    return await Stage.set(server)
