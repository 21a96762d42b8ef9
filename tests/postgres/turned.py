"""A database whose clock is set on at will: weeks pass in it while a second passes here."""

from tests.postgres.servers import PostgresServer

# A name is looked for here before it is looked for among PostgreSQL's own.
_FIRST = 'alter database "{name}" set search_path = public, pg_catalog'
_TURNED = """
create or replace function public.clock_timestamp() returns timestamptz language sql
as 'select pg_catalog.clock_timestamp() + interval ''{seconds} s''';
"""


class TurnedClock:
    """The clock of a database, for all who connect after this."""

    def __init__(self, server: PostgresServer, database: str) -> None:
        self._server = server
        self._database = database
        self._seconds = 0
        server.sql(_FIRST.format(name=database))
        self.turn(0)

    def turn(self, seconds: int) -> None:
        """Set it on by so many seconds."""
        self._seconds += seconds
        self._server.sql(_TURNED.format(seconds=self._seconds), self._database)
