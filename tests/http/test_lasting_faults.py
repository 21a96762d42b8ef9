"""A fault of ours would fail again: it is told as one, and not as a store that is away."""

import pytest

from sayso.ports import StatementFailed
from tests.http.served import Served
from tests.http.test_incidents import cancelled, raising

pytestmark = pytest.mark.anyio


async def test_an_unexpected_statement_that_fails_is_an_incident(
    served: Served, caplog: pytest.LogCaptureFixture
) -> None:
    """The same request fails the same way for ever: nobody is told to try again."""
    said = await cancelled(served, raising(lambda: StatementFailed("insert_heads: fence")))
    assert said.status == 500
    assert b"retry-after" not in dict(said.messages[0]["headers"])
    assert "fence" not in said.text
    assert "fence" in caplog.text
