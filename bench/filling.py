"""Filling a store with requests that wait, through the write path, as fast as that goes."""

from dataclasses import dataclass

from bench import studio
from bench.conditions import tell
from bench.ground import Place
from bench.load import Run
from bench.questions import Asked, Questions
from bench.writing import commit
from sayso import compose
from sayso.app.units.unit import Unit
from sayso.ports import Store

GROUP = 250
CHUNK = 10_000
KEPT = 20_000
TOLD_EACH = 250_000


@dataclass(frozen=True, kw_only=True)
class Furnished:
    """A store's playbooks, whoever may use them, and some of the requests that wait there."""

    functions: list[Asked]
    key: str
    asked: list[Unit]

    @property
    def runs(self) -> list[Run]:
        """Those requests as their clients name them."""
        names = {one.playbook: studio.playbook_name(number) for number, one in enumerate(self.functions, start=1)}
        return [Run(playbook=names[unit.playbook], run_id=studio.run_id(unit)) for unit in self.asked]

    def playbook(self, run: Run) -> int:
        """The number of a run's playbook in the store."""
        return self.functions[studio.playbook_number(run.playbook) - 1].playbook


async def fill(store: Store, questions: Questions, count: int) -> list[Unit]:
    """Ask so many; some of them from all over, all if they are few."""
    asked: list[Unit] = []
    each = max(1, count // KEPT)
    for first in range(0, count, CHUNK):
        asks = questions.asks(min(CHUNK, count - first))
        await commit(store, asks, GROUP)
        asked += asks[::each]
        told(first)
    return asked


def told(asked: int) -> None:
    """Say now and then how far it is."""
    if asked and asked % TOLD_EACH == 0:
        tell(f"{asked:,} asked")


async def furnished(place: Place, waits: int, playbooks: int) -> Furnished:
    """Make playbooks and a key in an empty place, and let so many requests wait there."""
    async with compose.running(place.settings(), work=False) as app:
        functions = await studio.furnish(app, playbooks)
        key = (await app.keys.create(studio.ORG))["key"]
    store = await place.open()
    try:
        asked = await fill(store, Questions(functions), waits)
    finally:
        await store.close()
    return Furnished(functions=functions, key=key, asked=asked)
