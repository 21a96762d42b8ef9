"""The servers of the tests do what tests rely on."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.postgres.fixtures import present
from tests.postgres.servers import PostgresServer


@pytest.fixture(params=["postgres15", "postgres18"])
def server(request: pytest.FixtureRequest) -> PostgresServer:
    """Each of the servers that tests share."""
    shared: PostgresServer = request.getfixturevalue(request.param)
    return shared


@pytest.fixture
def own(server: PostgresServer) -> Iterator[PostgresServer]:
    """A server of the test's own, of the same programs."""
    with PostgresServer(server.binaries) as started:
        yield started


def test_a_server_takes_statements_and_its_fresh_databases_are_empty(server: PostgresServer) -> None:
    one, other = (server.fresh().rpartition("/")[2] for _ in range(2))
    server.sql("create table here (n int)", one)
    assert server.sql("select count(*) from pg_class where relname = 'here'", other) == [["0"]]
    server.drop(one)
    assert server.sql(f"select count(*) from pg_database where datname = '{one}'") == [["0"]]


def test_what_was_committed_is_there_after_a_kill(own: PostgresServer) -> None:
    own.sql("create table kept as select 7 as n")
    own.kill()
    with pytest.raises(AssertionError, match="refused"):
        own.sql("select 1")
    own.start()
    assert own.sql("select n from kept") == [["7"]]
    assert own.sql("show fsync") == [["on"]]


def test_settings_change_at_a_start_and_while_it_runs(own: PostgresServer) -> None:
    own.stop()
    own.start(work_mem="5MB")
    own.reload(deadlock_timeout="3s")
    assert own.sql("show work_mem") + own.sql("show deadlock_timeout") == [["5MB"], ["3s"]]


def test_nothing_is_left_of_a_server(server: PostgresServer) -> None:
    with PostgresServer(server.binaries, fsync="off") as ended:
        folder, postmaster = ended.data, Path(f"/proc/{ended.pid}")
        assert folder.is_dir()
    assert not folder.exists()
    assert not postmaster.exists()


def test_absence_is_told_and_fails_where_all_must_be_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception, match="apt-get install"):
        present(None, "apt-get install it")
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="apt-get install"):
        present(None, "apt-get install it")
