"""Whatever was written in an erased run is nowhere in the files of its store any more."""

import base64
import random
import re
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from sayso import compose
from sayso.app.access import OPERATOR
from sayso.app.runtime import App
from sayso.core.values import Json
from sayso.errors import Problem
from sayso.settings import Settings
from sayso.store.postgres.connection import Address
from sayso.store.postgres.rewriting import rewrite
from tests.postgres.servers import PostgresServer

pytestmark = pytest.mark.anyio

ORG = "studio"
RUNS = 300
QUESTION = """---
to: '{{ input.lead }}'
expires: PT1H
input: { schema: { type: object, required: [lead], properties: { lead: { type: string }, note: { type: string } } } }
output: { schema: { type: object, required: [words], properties: { words: { type: string } } } }
---
Shall it go out, {{ input.lead }}? {{ input.note | default: "" }}
"""
TOKEN = re.compile(rb"token-[a-z]+-[0-9]{4}-[0-9a-f]{8}")


class Planter:
    """Asks, and settles in every way, with words that are nowhere else."""

    def __init__(self, app: App) -> None:
        self.app = app
        self.chance = random.Random(7)
        self.planted: dict[bytes, str] = {}  # each token with the run that it was written in

    async def do(self, operation: str, **fields: Json) -> dict[str, Json]:
        allowed = self.app.operations.allow(OPERATOR, operation, org=ORG, playbook="default")
        return await self.app.operations.perform(allowed, fields)

    def token(self, where: str, number: int, run_id: str) -> str:
        token = f"token-{where}-{number:04d}-{self.chance.getrandbits(32):08x}"
        self.planted[token.encode()] = run_id
        return token

    async def plant(self) -> list[str]:
        """Runs that have ended, by their ids, the words of some so long that a page does not hold them."""
        await self.do("create_definition", type="interaction", name="ship-it", source=QUESTION)
        run_ids = [f"0192f0c1-0000-7000-8000-{number:012d}" for number in range(RUNS)]
        for number, run_id in enumerate(run_ids):
            await self._ask(number, run_id)
        waiting = [(number, run_id) for number, run_id in enumerate(run_ids) if number % 10]
        self.chance.shuffle(waiting)
        for number, run_id in waiting:
            await self._end(number, run_id)
        return run_ids

    async def _ask(self, number: int, run_id: str) -> None:
        long = "" if number % 7 else base64.b64encode(self.chance.randbytes(6_000)).decode()  # no store can shorten it
        note = f"{self.token('input', number, run_id)} {long}"
        given: Json = {"lead": self.token("party", number, run_id) if number % 10 else 1, "note": note}
        try:
            await self.do("run_definition", type="interaction", name="ship-it", input=given, run_id=run_id)
        except Problem:
            assert number % 10 == 0, "only those are wrong, and end at once"

    async def _end(self, number: int, run_id: str) -> None:
        if number % 3:
            answer = {"words": self.token("answer", number, run_id)}
            claimed = self.token("claim", number, run_id)
            await self.do("answer_interaction", run_id=run_id, answer=answer, claimed_for=claimed)
        else:
            await self.do("cancel_run", run_id=run_id, reason=self.token("reason", number, run_id))


def tokens_in(files: Iterable[Path]) -> set[bytes]:
    return {found for path in files if path.is_file() for found in TOKEN.findall(path.read_bytes())}


@asynccontextmanager
async def running(settings: Settings) -> AsyncIterator[App]:
    async with compose.running(settings, work=False) as app:
        yield app


async def erase(app: App, planter: Planter, run_ids: Iterable[str]) -> None:
    for run_id in run_ids:
        await planter.do("erase_run", run_id=run_id)


async def check(planter: Planter, run_ids: list[str], files: Callable[[], Iterator[Path]]) -> None:
    """Half of the runs was erased: of those nothing is there, of the others all."""
    erased = set(run_ids[::2])
    left = tokens_in(files())
    assert {token for token in left if planter.planted[token] in erased} == set()
    assert {token for token, run_id in planter.planted.items() if run_id not in erased} == left
    for run_id in run_ids:
        history = (await planter.do("get_run_history", run_id=run_id))["events"]
        assert isinstance(history, list)
        assert (history[-1]["type"] == "run_erased") is (run_id in erased)


async def test_in_a_file_and_its_log_as_soon_as_it_was_erased(tmp_path: Path) -> None:
    async with running(Settings(data=tmp_path)) as app:
        planter = Planter(app)
        run_ids = await planter.plant()
        assert tokens_in(tmp_path.iterdir()) == planter.planted.keys()
        await erase(app, planter, run_ids[::2])
        await check(planter, run_ids, tmp_path.iterdir)


async def test_in_a_database_once_its_tables_were_written_anew(postgres15: PostgresServer) -> None:
    url = postgres15.fresh()

    def files() -> Iterator[Path]:
        postgres15.sql("checkpoint")
        return (postgres15.data / "base").rglob("*")

    async with running(Settings(database=url)) as app:
        planter = Planter(app)
        run_ids = await planter.plant()
        assert tokens_in(files()) == planter.planted.keys()
        await erase(app, planter, run_ids[::2])
        now = datetime.now(UTC)
        tables = await rewrite(Address(url), now - timedelta(minutes=5), now)
        assert f"events_{now:%Y_%m}" in tables
        await check(planter, run_ids, files)
