"""A standby takes over all that was committed."""

from tests.postgres.servers import PostgresServer
from tests.postgres.standby import Standby


def test_a_promoted_standby_has_all_that_was_committed(postgres15: PostgresServer) -> None:
    with PostgresServer(postgres15.binaries) as primary, Standby(primary) as standby:
        primary.sql("create table kept as select 7 as n")
        assert primary.sql("select sync_state from pg_stat_replication") == [["sync"]]
        primary.kill()
        standby.promote()
        standby.sql("insert into kept select 8")
        assert standby.sql("select n from kept order by n") == [["7"], ["8"]]
