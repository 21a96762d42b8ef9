"""notices: how long answers take while somebody is told of each new request, and while whoever is told hangs."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace

from bench import reading, studio
from bench.answering import PACE_S, Answering
from bench.children import Children, Gate
from bench.conditions import Conditions
from bench.ground import Place, fresh
from bench.questions import Asked, Questions
from bench.rounds import Figures, percentile, turned
from bench.writing import submit
from sayso import compose
from sayso.app.runtime import App
from sayso.core.heads import Outcome
from sayso.settings import Settings
from sayso.target import target
from tests.postgres.daemon import free_port

NOBODY, TAKES, HANGS = "nobody told", "told", "hanging"
TAKEN = b"HTTP/1.1 204 No Content\r\ncontent-length: 0\r\n\r\n"


async def rounds(conditions: Conditions) -> AsyncIterator[Figures]:
    """Answers beside new requests: with nobody told, with a receiver that takes notices, and with one that hangs."""
    for number in range(conditions.rounds):
        took = {side: await _answers(conditions, side) for side in turned(number, (NOBODY, TAKES, HANGS))}
        figures = {
            f"answers p{percent} ms, {side}": percentile(milliseconds, percent)
            for side, milliseconds in took.items()
            for percent in (50, 99)
        }
        yield figures | {
            f"answers p{percent}, {side} of none": figures[f"answers p{percent} ms, {side}"]
            / figures[f"answers p{percent} ms, {NOBODY}"]
            for side in (TAKES, HANGS)
            for percent in (50, 99)
        }


async def _answers(conditions: Conditions, side: str) -> list[float]:
    async with fresh(conditions.ground) as place:
        if side == NOBODY:
            return await _while_asked(conditions, place, place.settings())
        port = free_port()
        settings = replace(place.settings(), notify=target(f"http://127.0.0.1:{port}/"), notify_private=True)
        async with Children(_receive, [(port, side == HANGS)]) as receiver:
            milliseconds = await _while_asked(conditions, place, settings)
            receiver.go()
            [taken] = await receiver.results()
        assert taken > 0, "nobody was told"
        return milliseconds


async def _while_asked(conditions: Conditions, place: Place, settings: Settings) -> list[float]:
    """How long fifty answers a second take, while as many requests are put in other playbooks."""
    async with compose.running(place.settings(), work=False) as app:
        *functions, elsewhere = await studio.furnish(app, conditions.playbooks + 1)
        waiting = Questions([elsewhere]).asks(conditions.size(3_000, 300))
        await submit(app.writer, waiting)
    async with compose.running(settings) as app:
        await _is_followed(app, functions if settings.notify else ())
        answering = Answering(app, studio.playbook_name(conditions.playbooks + 1), waiting)
        milliseconds = await answering.during(_asking(app, functions, max(1.0, conditions.seconds(20.0))))
        await reading.check(app.store, answering.answered, reading.ANSWERED, Outcome.SUCCEEDED)
    return milliseconds


async def _is_followed(app: App, functions: Sequence[Asked]) -> None:
    """What was there before anybody was told is not told of."""
    while len(await app.store.query("subscriptions", shard=0)) < len(functions):
        await asyncio.sleep(0.01)


async def _asking(app: App, functions: Sequence[Asked], seconds: float) -> None:
    clock = asyncio.get_running_loop().time
    asks = Questions(functions).asks(max(1, int(seconds / PACE_S)))
    began = clock()
    for number, ask in enumerate(asks):
        await asyncio.sleep(began + number * PACE_S - clock())
        await app.writer.submit(ask)


async def _receive(gate: Gate, port: int, hangs: bool) -> int:
    """Take notices until the end, or hang on each; how many came."""
    came = 0

    async def served(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal came
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
            while head := await reader.readuntil(b"\r\n\r\n"):
                await reader.readexactly(int(head.lower().partition(b"content-length:")[2].split(b"\r\n")[0]))
                came += 1
                if hangs:
                    await reader.read()  # until the other side gives up
                writer.write(TAKEN)

    server = await asyncio.start_server(served, "127.0.0.1", port)
    await gate.ready()
    server.close()
    return came
