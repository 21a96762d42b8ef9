"""growth: what a create, an answer, an inbox and a look at what is due cost, from a thousand waits to a million.

Beside the store that grows stands a small one: both are measured in turn, so that a ratio of the two is no ratio of two
moments of the machine.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from statistics import median
from time import perf_counter

from bench.conditions import Conditions, tell
from bench.filling import fill
from bench.ground import Place, fresh
from bench.measured import measuring
from bench.questions import Asked, Questions, answers
from bench.rounds import Figures, turned
from bench.writing import commit
from sayso.app.find import Finder
from sayso.core.rows import Cell
from sayso.ports import Store

PLAYBOOKS = [Asked(playbook=number) for number in range(1, 101)]
# One more, with as many requests as a playbook holds, to many parties.
CROWDED = [Asked(playbook=101)] * 997
CROWD = 10_000
SMALL, PAGED = 1_000, 10_000
SIZES = (1_000, 10_000, 100_000, 1_000_000)
QUICK_SIZES = (200, 400)
GROUPS = {"alone": 1, "grouped": 50}
PAGE = 50
LOOKS = 200


class Grown:
    """A store, how many requests wait there, and who asks more."""

    def __init__(self, place: Place, store: Store) -> None:
        self.store = store
        self.waits = 0
        self._place = place
        self._questions = Questions(PLAYBOOKS)

    async def to(self, waits: int) -> None:
        """Let so many wait."""
        await fill(self.store, self._questions, waits - self.waits)
        self.waits = waits
        await self._place.settle()

    async def crowd(self, waits: int) -> None:
        """Let so many more wait in one playbook, for many parties."""
        await fill(self.store, Questions(CROWDED), waits)
        await self._place.settle()

    async def costs(self, conditions: Conditions, name: str, group: int) -> dict[str, float]:
        """Microseconds of processors a create and an answer, so many a commit; as many wait afterwards as before."""
        asks = self._questions.asks(conditions.size(1_000 if group == 1 else 2_000, 50))
        costs = {}
        for what, units in (("create", asks), ("answer", answers(asks))):
            with measuring(*conditions.ground.servers) as meter:
                await commit(self.store, units, group)
                costs[f"{what} {name}"] = meter.done(len(units)).cpu_us
        return costs

    async def looks(self, conditions: Conditions) -> dict[str, float]:
        """Milliseconds a look."""
        return {
            "inbox page": await _milliseconds(conditions, lambda n: _inbox(self.store, n % len(PLAYBOOKS) + 1)),
            "empty due scan": await _milliseconds(conditions, lambda _: _nothing_due(self.store)),
        }


async def rounds(conditions: Conditions) -> AsyncIterator[Figures]:
    """Costs at each size, and what they are in multiples of a small store's: at the end, the growth."""
    found: list[dict[str, float]] = [{} for _ in range(conditions.rounds)]
    async with _grown(conditions) as big, _grown(conditions) as paged:
        await paged.to(conditions.size(PAGED, QUICK_SIZES[0]))
        for size in QUICK_SIZES if conditions.quick else SIZES:
            await big.to(size)
            tell(f"{size:,} wait")
            for number, figures in enumerate(found):
                figures.update(_named(size, "cpu us", *await _costs(conditions, number, big)))
                figures.update(_named(size, "ms", *await _looks(conditions, number, big, paged)))
        await big.crowd(conditions.size(CROWD, 1_000))
        for figures in found:
            figures["inbox by party ms"] = await _milliseconds(
                conditions, lambda _: _inbox(big.store, CROWDED[0].playbook, "owner 500")
            )
    for figures in found:
        yield figures


def _named(size: int, unit: str, small: Mapping[str, float], big: Mapping[str, float]) -> dict[str, float]:
    """Figures of one size. The growth is overwritten by each larger one."""
    return (
        {f"{name}, growth": cost / small[name] for name, cost in big.items()}
        | {f"{name} {unit}, {size:,}": cost for name, cost in big.items()}
        | {f"{name}, {size:,} of small": cost / small[name] for name, cost in big.items()}
    )


@asynccontextmanager
async def _grown(conditions: Conditions) -> AsyncIterator[Grown]:
    async with fresh(conditions.ground) as place:
        store = await place.open()
        try:
            yield Grown(place, store)
        finally:
            await store.close()


Pair = tuple[Mapping[str, float], Mapping[str, float]]


async def _costs(conditions: Conditions, number: int, big: Grown) -> Pair:
    """Of a new small store, which creates have not grown yet, and of the big one."""
    costs: tuple[dict[str, float], dict[str, float]] = ({}, {})
    async with _grown(conditions) as small:
        await small.to(conditions.size(SMALL, 100))
        for name, group in GROUPS.items():
            for side, those in turned(number, list(zip((small, big), costs, strict=True))):
                those.update(await side.costs(conditions, name, group))
    return costs


async def _looks(conditions: Conditions, number: int, big: Grown, paged: Grown) -> Pair:
    looks = {side: await side.looks(conditions) for side in turned(number, (paged, big))}
    return looks[paged], looks[big]


async def _inbox(store: Store, playbook: int, party: str | None = None) -> None:
    where: dict[str, Cell] = {"shard": 0, "playbook": playbook, "before": None, "function": None, "limit": PAGE}
    if party is None:
        found = await store.query("open_requests", **where)
    else:
        streams = [row["stream"] for row in await store.query("open_to_party", **where, party=party, to=party)]
        found = await Finder(store).open_requests(0, streams)
    assert found, "somebody waits in every playbook"


async def _nothing_due(store: Store) -> None:
    assert not await store.claim(0, PAGE), "nothing is due for a day"
    assert await store.next_due(0) is not None


async def _milliseconds(conditions: Conditions, look: Callable[[int], Awaitable[None]]) -> float:
    """How long a look takes, most often."""
    took = []
    for number in range(conditions.size(LOOKS, 20)):
        began = perf_counter()
        await look(number)
        took.append((perf_counter() - began) * 1000)
    return median(took)
