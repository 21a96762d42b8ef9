"""A database whose clock is set on at will: weeks pass in it while a second passes here."""

from tests.postgres.servers import PostgresServer

# A name is looked for here before it is looked for among PostgreSQL's own.
_FIRST = 'alter database "{name}" set search_path = public, pg_catalog'
_TURNED = """
create or replace function public.{name}() returns timestamptz language sql {kind}
return pg_catalog.{name}() + interval '{seconds} s';
"""
_KINDS = {"clock_timestamp": "volatile", "statement_timestamp": "stable"}


class TurnedClock:
    """The clock of a database, for all who connect after this."""

    def __init__(self, server: PostgresServer, database: str) -> None:
        self._server = server
        self._database = database
        self.seconds = 0
        server.sql(_FIRST.format(name=database))
        self.turn(0)

    def turn(self, seconds: int) -> None:
        """Set it on by so many seconds."""
        self.seconds += seconds
        each = (_TURNED.format(name=name, kind=kind, seconds=self.seconds) for name, kind in _KINDS.items())
        self._server.sql("".join(each), self._database)
