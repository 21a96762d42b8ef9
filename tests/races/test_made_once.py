"""Two processes that make the same thing at the same moment: it is made once, and the other is told what is so."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Any, TypeVar

import pytest

from sayso import compose
from sayso.app.access import OPERATOR
from sayso.app.runtime import App
from sayso.app.units.unit import Order, Result, Unit
from sayso.app.units.writer import Writer
from sayso.core.heads import Birth, StreamKind
from sayso.errors import Kind, Problem, Reason
from sayso.ports import Store
from sayso.settings import Settings
from sayso.store.postgres.connection import Address, Session, part
from sayso.store.postgres.store import open_postgres
from tests import stores
from tests.app.machines import MACHINES, ours
from tests.app.machines.conversation import Join
from tests.app.world import CALLER, ORG, PLAYBOOK, asking
from tests.postgres.servers import PostgresServer
from tests.races.asked import LASTING, QUESTION
from tests.store.examples import stream

pytestmark = [pytest.mark.slow, pytest.mark.anyio]

SHORT, LONG = 12, 200
T = TypeVar("T")
# Makes the thing of that number, as the one or the other of two processes.
Make = Callable[[App, int, int], Awaitable[Any]]


@pytest.fixture
def url(postgres: PostgresServer) -> str:
    return postgres.fresh()


@pytest.fixture
async def apps(url: str) -> AsyncIterator[Sequence[App]]:
    """Two apps with a writer each, and no worker."""
    async with contextlib.AsyncExitStack() as stack:
        settings = Settings(database=url, shards=stores.SHARDS)
        yield [await stack.enter_async_context(compose.running(settings, work=False)) for _ in "12"]


@pytest.fixture
async def session(url: str) -> AsyncIterator[Session]:
    """A session of the test's own with the database."""
    session = await Address(url).connect()
    yield session
    await part(session)


async def perform(app: App, operation: str, playbook: str | None = "default", /, **fields: Any) -> Any:
    allowed = app.operations.allow(OPERATOR, operation, org="acme", playbook=playbook)
    return await app.operations.perform(allowed, fields)


async def definition(app: App, number: int, which: int) -> Any:
    source = QUESTION.format(expires=f"P{which + 1}D")
    return await perform(app, "create_definition", type="interaction", name=f"made-{number}", source=source)


async def playbook(app: App, number: int, which: int) -> Any:
    return await perform(app, "create_playbook", None, playbook=f"made-{number}", name=f"By {which}")


async def key(app: App, number: int, _which: int) -> Any:
    """With its org and its caller."""
    return await app.keys.create(f"org{number}", key_id=f"made-{number}")


async def org(app: App, number: int, which: int) -> Any:
    return (await app.keys.create(f"org{number}", key_id=f"by-{which}-{number}"))["org"]


async def run(app: App, number: int, _which: int) -> Any:
    run_id = f"0192f0c1-0000-7000-8000-{number:012d}"
    return await perform(app, "run_definition", type="interaction", name=LASTING, run_id=run_id)


async def run_otherwise(app: App, number: int, which: int) -> Any:
    run_id = f"0192f0c1-0000-7000-8000-{number:012d}"
    fields = {"name": f"{LASTING}-{which}", "run_id": run_id}
    return await perform(app, "run_definition", type="interaction", **fields)


# What the second is told: a refusal, or what the first made.
MADE: dict[str, tuple[Make, Kind | Reason | None]] = {
    "definition": (definition, Kind.TAKEN),
    "playbook": (playbook, Kind.TAKEN),
    "key": (key, Kind.TAKEN),
    "org": (org, None),
    "run": (run, None),
    "run otherwise": (run_otherwise, Reason.CONFLICT),
}
# Nothing of one name is there twice.
ONCE = """
select (select count(*) - count(distinct name) from orgs)
  + (select count(*) - count(distinct (org, name)) from playbooks)
  + (select count(*) - count(distinct (org, id)) from callers)
  + (select count(*) - count(distinct (playbook, type, name)) from definitions)
  + (select count(*) - count(distinct (playbook, run_id)) from heads where run_id is not null)
"""


async def at_once(*both: Awaitable[T]) -> list[T | BaseException]:
    return await asyncio.gather(*both, return_exceptions=True)


@pytest.mark.parametrize("made", MADE)
async def test_of_two_that_make_the_same_one_makes_it(
    *, apps: Sequence[App], session: Session, made: str, is_long: bool
) -> None:
    make, refusal = MADE[made]
    for name in (LASTING, f"{LASTING}-0", f"{LASTING}-1"):
        source = QUESTION.format(expires="P1D")
        await perform(apps[0], "create_definition", type="interaction", name=name, source=source)
    for number in range(LONG if is_long else SHORT):
        outcomes = await at_once(*(make(app, number, which) for which, app in enumerate(apps)))
        told = [one for one in outcomes if not isinstance(one, Problem)]
        refused = [one for one in outcomes if isinstance(one, Problem)]
        assert [refusal in {one.kind, one.reason} for one in refused] == [True] * (refusal is not None), outcomes
        assert all(one == told[0] and not isinstance(one, BaseException) for one in told), outcomes
    assert (await session.fetch(ONCE))[0][0] == 0


def order(at: int, command: object, kind: StreamKind, name: bytes) -> Order:
    """To a stream that is born by it, of a key or a run id."""
    key, run_id = (name, None) if kind is StreamKind.CONVERSATION else (None, name)
    birth = Birth(kind=kind, org=ORG, playbook=PLAYBOOK, key=key, run_id=run_id)
    return Order(stream=stream(at), command=ours(command), by=CALLER, birth=birth)


@contextlib.asynccontextmanager
async def writing(url: str) -> AsyncIterator[tuple[Store, Writer]]:
    """A writer whose machines are the tests' own."""
    store = await open_postgres(url)
    writer = Writer(store, MACHINES)
    task = asyncio.create_task(writer.run())
    yield store, writer
    writer.stop()
    await task
    await store.close()


async def test_two_that_send_into_a_conversation_first_are_in_the_same_one(
    url: str, session: Session, is_long: bool, caplog: pytest.LogCaptureFixture
) -> None:
    rounds = LONG if is_long else SHORT
    caplog.set_level(logging.INFO, "sayso.writer")
    async with writing(url) as (_, one), writing(url) as (_, other):

        async def join(writer: Writer, at: int, number: int) -> Result:
            """A request whose message goes into the conversation of that number."""
            asked = order(at, asking(), StreamKind.REQUEST, at.to_bytes(16, "big"))
            await writer.submit(Unit(shard=0, playbook=PLAYBOOK, orders=(asked,)))
            sent = Join(sent_id=f"m{at}", request=stream(at))
            joins = order(at + 2, sent, StreamKind.CONVERSATION, number.to_bytes(32, "big"))
            return await writer.submit(Unit(shard=0, playbook=PLAYBOOK, orders=(joins,), streams=(stream(at),)))

        for number in range(rounds):
            results = await at_once(join(one, number * 4, number), join(other, number * 4 + 1, number))
            streams = {result.done[0].head.stream for result in results if isinstance(result, Result)}
            assert len(streams) == 1, results
    rows = await session.fetch("select conversation, count(*) from members group by conversation")
    assert [row[1] for row in rows] == [2] * rounds
    assert "gave a run id or a key away first" in caplog.text
