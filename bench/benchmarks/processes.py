"""processes: the same answers taken by four processes on one PostgreSQL, and by one. None of them leads."""

from collections.abc import AsyncIterator, Sequence

from bench import reading
from bench.children import Children, Gate
from bench.conditions import Conditions
from bench.filling import fill
from bench.ground import Place, fresh
from bench.measured import Measured, measuring
from bench.questions import Asked, Questions, answers
from bench.rounds import Figures, turned
from bench.writing import submit
from sayso import compose
from sayso.app.units.unit import Unit
from sayso.core.heads import Outcome

ANSWERS = 20_000
PROCESSES = (1, 4)
PLAYBOOKS = [Asked(playbook=number) for number in range(1, 101)]


async def rounds(conditions: Conditions) -> AsyncIterator[Figures]:
    """Answers a second and a second of processors, with one process and with four."""
    for number in range(conditions.rounds):
        async with fresh(conditions.ground) as place:
            taken = {count: await _answered(conditions, place, count) for count in turned(number, PROCESSES)}
        one, four = (taken[count] for count in PROCESSES)
        yield {
            "answers/s, one": one.rate,
            "answers/s, four": four.rate,
            "cpu us, one": one.cpu_us,
            "cpu us, four": four.cpu_us,
            "answers/s, four of one": four.rate / one.rate,
            "answers per cpu-s, four of one": one.cpu_us / four.cpu_us,
        }


async def _answered(conditions: Conditions, place: Place, processes: int) -> Measured:
    store = await place.open()
    try:
        asked = await fill(store, Questions(PLAYBOOKS), conditions.size(ANSWERS, 400))
        await place.settle()
        shares = [(place, answers(asked[first::processes])) for first in range(processes)]
        async with Children(answer, shares) as children:
            with measuring(*conditions.ground.servers) as meter:
                children.go()
                await children.results()
                meter.done(len(asked))
        await reading.check(store, asked, reading.ANSWERED, Outcome.SUCCEEDED)
    finally:
        await store.close()
    return meter.measured


async def answer(gate: Gate, place: Place, units: Sequence[Unit]) -> None:
    """Take a share of the answers, as a serving process does."""
    async with compose.running(place.settings()) as app:
        await gate.ready()
        await submit(app.writer, units)
