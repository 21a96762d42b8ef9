"""A PostgreSQL server of the tests' own."""

import contextlib
import itertools
import os
import signal
from collections.abc import Mapping
from pathlib import Path
from typing import Self
from urllib.parse import quote

from tests.postgres.binaries import Binaries
from tests.postgres.daemon import Daemon, free_port, until

USER = "sayso"
# Nobody is asked for it: a loopback server for a minute trusts all. It is there to be seen wherever a URL leaks.
PASSWORD = "correct-horse"
_SMALL = {
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
    "shared_buffers": "32MB",
    "max_connections": "100",
    "max_wal_size": "256MB",
    "log_line_prefix": "%m %p ",
    "lc_messages": "C",
}


class PostgresServer:
    """A server on a free loopback port, in a folder of its own; what is committed is on the disk unless told otherwise.

    ``settings`` are PostgreSQL's own, by name. It starts with the context and is gone after it, data and all.
    """

    def __init__(self, binaries: Binaries, **settings: str) -> None:
        self._daemon = Daemon("postgres")
        self.data = self._daemon.folder / "data"
        self.port = free_port()
        self._settings = _SMALL | settings
        self._numbers = itertools.count(1)
        try:
            self.binaries = self._reachable(binaries)
            self._make()
        except BaseException:
            self._daemon.close()
            raise

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def words(self) -> str:
        """The server's log."""
        return self._daemon.words

    @property
    def runs(self) -> bool:
        """Whether it was started, and has not ended by itself since."""
        return self._daemon.runs

    @property
    def pid(self) -> int:
        """The number of the postmaster's process."""
        return self._daemon.pid

    def url(self, database: str = "postgres") -> str:
        """The address of a database."""
        return f"postgresql://{USER}:{PASSWORD}@127.0.0.1:{self.port}/{quote(database, safe='')}"

    def sql(self, statement: str, database: str = "postgres") -> list[list[str]]:
        """What a statement gives, each cell as text. May be called from any thread, and where a loop runs."""
        flags = ("-X", "-q", "-A", "-t", "-F", "\t", "-v", "ON_ERROR_STOP=1")
        words = ("-d", self.url(database), "-c", statement)
        said = self._daemon.run(self.binaries / "psql", *flags, *words, as_ourselves=True)
        return [line.split("\t") for line in said.splitlines()]

    def program(self, name: str, *arguments: str | Path) -> str:
        """Run another program of PostgreSQL's to its end, as the server's user; what it printed."""
        return self._daemon.run(self.binaries / name, *arguments)

    def create(self, database: str, *, like: str = "template1") -> str:
        """Make a database, empty unless it shall be ``like`` another that nobody is connected to; its address."""
        self.sql(f'create database "{database}" template "{like}"')
        return self.url(database)

    def fresh(self) -> str:
        """The address of a new empty database, which lasts as long as the server. It costs about 50 ms and 8 MB."""
        return self.create(f"fresh_{next(self._numbers)}")

    def drop(self, database: str) -> None:
        """Take a database away, and whoever is connected to it."""
        self.sql(f'drop database if exists "{database}" with (force)')

    def start(self, **settings: str) -> None:
        """Start it, or start it again after `stop` or `kill`; ``settings`` are changed from now on."""
        self._settings |= settings
        given = {"port": str(self.port)} | self._settings
        options = [part for name, value in given.items() for part in ("-c", f"{name}={value}")]
        self._status.unlink(missing_ok=True)
        self._daemon.start(self.binaries / "postgres", "-D", self.data, *options)
        self._daemon.until_ready(self._is_ready)

    def reload(self, **settings: str) -> None:
        """Change settings while it runs, and wait until they are in force."""
        for name, value in settings.items():
            self.sql(f"alter system set {name} = '{value}'")
        self.sql("select pg_reload_conf()")
        until(
            lambda: all(self.sql(f"show {name}") == [[value]] for name, value in settings.items()), lambda: self.words
        )

    def stop(self) -> None:
        """Stop it as an operator does: connections are cut, what is committed is kept."""
        self._daemon.end(signal.SIGINT)

    def kill(self) -> None:
        """End every process of the server at once, as a machine does that loses its power."""
        self._daemon.send(signal.SIGSTOP)  # it starts nothing more while we count
        processes = _children(self._daemon.pid)
        self._daemon.end(signal.SIGKILL)
        for process in processes:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        until(lambda: not any(map(_lives, processes)), lambda: "a killed process does not end")

    def close(self) -> None:
        """Stop it, and take its folder away. Idempotent."""
        self._daemon.close()

    @property
    def _status(self) -> Path:
        return self.data / "postmaster.pid"

    def _is_ready(self) -> bool:
        """Whether the server wrote, as its last line, that it takes connections."""
        return self._status.is_file() and self._status.read_text().split()[-1:] in (["ready"], ["standby"])

    def _make(self) -> None:
        """The files of a server that holds nothing yet."""
        flags = ("--no-sync", "-A", "trust", "-U", USER, "-E", "UTF8", "--locale=C")
        self.program("initdb", "-D", self.data, *flags, *self.binaries.initdb)

    def _reachable(self, binaries: Binaries) -> Binaries:
        try:
            self._daemon.run(binaries / "postgres", "--version")
        except PermissionError:
            return binaries.copied(self._daemon.folder / "program")
        return binaries


def _children(parent: int) -> list[int]:
    return [pid for pid, (_, its_parent) in _processes().items() if its_parent == parent]


def _lives(pid: int) -> bool:
    state, _ = _processes().get(pid, ("Z", 0))
    return state != "Z"


def _processes() -> Mapping[int, tuple[str, int]]:
    """Every process: its state, and the process that started it."""
    found = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            state, parent, *_ = path.read_text().rpartition(")")[2].split()
            found[int(path.parent.name)] = (state, int(parent))
    return found
