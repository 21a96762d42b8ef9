"""Erasing: what people and systems wrote in a run goes for good."""

from sayso.app import inputs, run_view
from sayso.app.means import Means
from sayso.app.operations import Allowed, Outcome
from sayso.app.units.unit import Order, Unit
from sayso.core.commands import Erase


class Erasing:
    """The operation ``erase_run``."""

    def __init__(self, means: Means) -> None:
        self._store = means.store
        self._writer = means.writer
        self._places = means.places
        self._reference = means.reference
        self._find = means.find

    async def erase_run(self, allowed: Allowed, fields: inputs.EraseRun) -> Outcome:
        """Erase an ended run; the run as it then stands. Again: no change. 409 for one that has not ended.

        Input, message, party, answer and every other word go, from the store's own files too as far as that holds
        nobody up; that it ran, when and how it ended, and who did what stays.
        """
        place = await self._places.to_erase_in(allowed)
        head = await self._find.head(place, fields.run_id)
        order = Order(stream=head.stream, command=Erase(), by=place.by)
        result = await self._writer.submit(Unit(shard=place.shard, playbook=place.playbook, orders=(order,)))
        await self._store.scrub()
        run = await self._find.run_of(place, result.done[0].head)
        return run_view.shown(run, await self._reference.naming(run.callers))
