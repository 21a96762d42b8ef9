"""Load: clients of a server, and a journal of what it told them."""

import asyncio
import contextlib
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field

from bench import studio
from bench.client import Client
from bench.questions import given_input

OK = 200


@dataclass(frozen=True, kw_only=True)
class Run:
    """A run, by its playbook's name and its own id."""

    playbook: str
    run_id: str


@dataclass(kw_only=True)
class Journal:
    """What was acknowledged: the runs that wait, and those that were ``answered``; ``sent`` is what was tried to."""

    playbooks: int
    asked: list[Run] = field(default_factory=list)
    sent: set[Run] = field(default_factory=set)
    answered: set[Run] = field(default_factory=set)

    async def ask(self, client: Client, number: int) -> Run:
        """Start a run in one of the playbooks, half of them under an id of the client's own."""
        playbook = studio.playbook_name(number % self.playbooks + 1)
        status, told = await client.ask(playbook, given_input(number), str(uuid.uuid4()) if number % 2 else None)
        assert status == OK, told
        run = Run(playbook=playbook, run_id=told["run_id"])
        self.asked.append(run)
        return run

    async def answer(self, client: Client, run: Run) -> None:
        """Answer a run."""
        self.sent.add(run)
        status, told = await client.answer(run.playbook, run.run_id)
        assert status == OK, told
        self.answered.add(run)


async def asking(journal: Journal, client: Client, numbers: Iterator[int]) -> None:
    """Ask, one after the other, as long as there are numbers."""
    for number in numbers:
        await journal.ask(client, number)


async def answering(journal: Journal, client: Client, runs: Iterator[Run]) -> None:
    """Answer, one after the other, as long as there are runs."""
    for run in runs:
        await journal.answer(client, run)


async def looking(client: Client, runs: Iterator[Run]) -> None:
    """Look at runs, one after the other."""
    for run in runs:
        status, told = await client.run(run.playbook, run.run_id)
        assert status == OK, told


async def working(journal: Journal, client: Client, numbers: Iterator[int]) -> None:
    """Ask and answer in turn, until the server is gone: what was sent last has no acknowledgement then."""
    with contextlib.suppress(OSError, asyncio.IncompleteReadError):
        for number in numbers:
            await journal.answer(client, await journal.ask(client, number))
