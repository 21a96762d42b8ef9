"""Servers and a worker that reach their database through a pooler, which lends a connection for a transaction alone."""

from dataclasses import dataclass
from pathlib import Path

from tests.faults.fleet import Fleet
from tests.faults.gate import Gate
from tests.faults.served import ServedDatabase, Working


@dataclass(kw_only=True)
class Pooled(ServedDatabase):
    """A server that knows its ``database`` by the address of a pooler, and may know the direct one too."""

    pooler: str
    knows_direct: bool = True

    @property
    def where(self) -> tuple[str, ...]:
        return ("--database", self.pooler)

    @property
    def environment(self) -> dict[str, str]:
        direct = {"SAYSO_DATABASE_DIRECT": self.database} if self.knows_direct else {}
        return super().environment | {"SAYSO_DATABASE_POOLED": "true"} | direct


@dataclass(kw_only=True)
class PooledWorking(Pooled, Working):
    """A worker that does."""

    program: tuple[str, ...] = Working.program


class PooledFleet(Fleet):
    """A server that knows the direct address and one that does not, which leaves what is due to the worker."""

    def __init__(self, folder: Path, database: str, pooler: str) -> None:
        super().__init__(folder, database, servers=0, workers=0)
        self.servers = [
            Pooled(folder=_made(folder / f"server{n}"), database=database, pooler=pooler, knows_direct=n == 0)
            for n in range(2)
        ]
        self.workers = [PooledWorking(folder=_made(folder / "worker"), database=database, pooler=pooler)]
        self.all = [*self.servers, *self.workers]
        self.gate = Gate(*(server.port for server in self.servers))


def _made(folder: Path) -> Path:
    folder.mkdir(parents=True)
    return folder
