"""Databases that are lent to one test after another: emptied, which is cheaper than to make and drop one each time."""

from tests.postgres.servers import PostgresServer

# All rows but the store's own one, which says of what version its tables are; whatever counts starts anew.
_EMPTY = """
do $$
declare
  name regclass;
begin
  for name in select oid from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'meta'
  loop
    execute format('delete from %s', name);
  end loop;
  for name in select oid from pg_class where relnamespace = 'public'::regnamespace and relkind = 'S' loop
    perform setval(name, 1, false);
  end loop;
end $$;
select pg_terminate_backend(pid) from pg_stat_activity
where datname = current_database() and pid <> pg_backend_pid();
"""


class Databases:
    """The databases of one server. What was lent and given back has its tables, and nothing in them."""

    def __init__(self, server: PostgresServer) -> None:
        self.server = server
        self._free: list[str] = []

    def lend(self) -> str:
        """The address of a database without any rows."""
        return self._free.pop() if self._free else self.server.fresh()

    def give_back(self, url: str) -> None:
        """Take a database back from whoever had it; a connection that is left open there is cut."""
        self.server.sql(_EMPTY, url.rpartition("/")[2])
        self._free.append(url)
