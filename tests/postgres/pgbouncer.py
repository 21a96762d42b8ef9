"""A pooler in front of a server: each transaction gets whichever of a few connections is free."""

import contextlib
import os
import shutil
import signal
import socket
from pathlib import Path
from typing import Self
from urllib.parse import quote

from tests.postgres.daemon import Daemon, free_port
from tests.postgres.servers import PASSWORD, USER, PostgresServer

_SETTINGS = """[databases]
* = host=127.0.0.1 port={server}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
pidfile =
logfile =
auth_type = trust
auth_file = {users}
admin_users = {user}
pool_mode = transaction
default_pool_size = {size}
max_client_conn = 500
server_login_retry = 1
"""


def program() -> str | None:
    """Where pgbouncer is."""
    return shutil.which("pgbouncer", path=f"{os.environ['PATH']}:/usr/sbin")


class PgBouncer:
    """pgbouncer in transaction mode, with ``size`` connections to each database of the server."""

    def __init__(self, server: PostgresServer, size: int = 4) -> None:
        self._program = program()
        assert self._program is not None, "pgbouncer is not here"
        self.port = free_port()
        self._daemon = Daemon("pgbouncer")
        users = self._daemon.file("users", f'"{USER}" "{PASSWORD}"\n')
        self._given = {"port": self.port, "users": users, "user": USER, "size": size}
        self._settings = self._behind(server)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._daemon.close()

    def url(self, database: str) -> str:
        """The address of a database of the server, through the pooler."""
        return f"postgresql://{USER}:{PASSWORD}@127.0.0.1:{self.port}/{quote(database, safe='')}"

    def start(self) -> None:
        """Start it, or start it again after `kill`."""
        assert self._program is not None
        self._daemon.start(self._program, self._settings)
        self._daemon.until_ready(self._listens)

    def turn_to(self, server: PostgresServer) -> None:
        """Send what comes from now on to another server, as whatever leads a failover tells a pooler to."""
        self._behind(server)
        self._daemon.send(signal.SIGHUP)

    def kill(self) -> None:
        """End it, and every connection through it, without a word."""
        self._daemon.end(signal.SIGKILL)

    def _behind(self, server: PostgresServer) -> Path:
        return self._daemon.file("pgbouncer.ini", _SETTINGS.format(server=server.port, **self._given))

    def _listens(self) -> bool:
        with contextlib.suppress(ConnectionRefusedError), socket.create_connection(("127.0.0.1", self.port)):
            return True
        return False
