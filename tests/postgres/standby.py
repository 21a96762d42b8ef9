"""A second server that has all that the first committed, before the first says so."""

from tests.postgres.servers import USER, PostgresServer

NAME = "standby"


class Standby(PostgresServer):
    """A synchronous standby of a server that runs: no commit there returns before it is on the disk here too."""

    def __init__(self, primary: PostgresServer, **settings: str) -> None:
        self._primary = primary
        super().__init__(primary.binaries, **settings)

    def start(self, **settings: str) -> None:
        """Start it; commits of the primary wait for it from now on, whether or not it runs."""
        super().start(**settings)
        self._primary.reload(synchronous_standby_names=NAME)

    def promote(self) -> None:
        """Make it a primary, as a failover does, and wait until it takes writes. It waits for no other."""
        self.program("pg_ctl", "promote", "-D", self.data, "-w")

    def _make(self) -> None:
        self.program(
            "pg_basebackup", "-D", self.data, "-d", self._primary.url(), "-c", "fast", "--no-sync", "-X", "stream"
        )
        there = f"host=127.0.0.1 port={self._primary.port} user={USER} application_name={NAME}"
        with (self.data / "postgresql.auto.conf").open("a") as settings:
            settings.write(f"primary_conninfo = '{there}'\nsynchronous_standby_names = ''\n")
        (self.data / "standby.signal").touch()
