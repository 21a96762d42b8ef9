"""Servers and a worker on one PostgreSQL database, each a process that may be killed, with the gate before them."""

import random
import threading
from pathlib import Path
from typing import Self

from tests.beside import beside
from tests.faults.gate import Gate
from tests.faults.load import save_questions
from tests.faults.served import Served, ServedDatabase, Working
from tests.postgres.daemon import until


class Fleet:
    """So many servers and workers; of the servers the last leaves what is due to the others."""

    def __init__(self, folder: Path, database: str, *, servers: int = 3, workers: int = 1) -> None:
        self.folder = folder
        self.servers = [ServedDatabase(folder=_made(folder / f"server{n}"), database=database) for n in range(servers)]
        self.workers = [Working(folder=_made(folder / f"worker{n}"), database=database) for n in range(workers)]
        self.all: list[Served] = [*self.servers, *self.workers]
        self.gate = Gate(*(server.port for server in self.servers))
        self._starting: set[int] = set()

    @property
    def store(self) -> Path:
        """The folder that stands for the store."""
        return self.servers[0].store

    def waiting(self) -> int:
        """How many requests wait."""
        with beside(self.store) as run:
            return int(run("select coalesce(sum(open), 0) from feeds")[0][0])

    def until_waiting(self, number: int) -> None:
        """Wait until so many requests wait."""
        until(lambda: self.waiting() == number, lambda: f"{self.waiting()} requests wait, not {number}")

    def start(self) -> None:
        """Start all, one after the other, with what the load asks."""
        for number in range(len(self.all)):
            self._start(number)
            self.all[number].until_ready()
        save_questions(self.servers[0].port)
        self.open()

    def _start(self, number: int) -> None:
        self._starting.add(number)
        self.all[number].start(*(("--no-worker",) if number == len(self.servers) - 1 else ()))

    def open(self) -> None:
        """Let clients come to servers that have become ready."""
        for number in sorted(self._starting):
            if self.all[number].is_ready:
                self._starting.discard(number)
                if number < len(self.servers):
                    self.gate.open(self.all[number].port)

    def kill(self, number: int) -> bool:
        """Kill one and start it again, without waiting for it; whether it was still starting."""
        if number < len(self.servers):
            self.gate.shut(self.all[number].port)
        assert "incident" not in self.all[number].kill()
        was_starting = number in self._starting
        self._start(number)
        return was_starting

    def kill_one(self, chance: random.Random) -> bool:
        """Kill whichever it may be, most often when it is up; whether it was still starting."""
        number = chance.randrange(len(self.all))
        if chance.random() < 0.8:
            self.all[number].until_ready()
        self.open()
        threading.Event().wait(chance.uniform(0.05, 0.5))  # the random instant, under load
        return self.kill(number)

    def until_ready(self) -> None:
        """Wait until all are up again."""
        for one in self.all:
            one.until_ready()
        self.open()

    def check_alive(self) -> None:
        """All are the processes that were started last, and have met nothing that they were not made for."""
        for one in self.all:
            assert one.is_ready
            assert not [word for word in ("Traceback", '"exception":', "incident urn:") if word in one.said], one.said

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def end(self) -> None:
        """Leave nothing behind, whatever happened."""
        for one in self.all:
            one.end()


def _made(folder: Path) -> Path:
    folder.mkdir(parents=True)
    return folder
