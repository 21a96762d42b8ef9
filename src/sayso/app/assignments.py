"""Assignments: whom an open request is put to, and whose answer counts, changed while it waits."""

from sayso.app import inputs, run_view
from sayso.app.means import Means
from sayso.app.operations import Allowed, Outcome
from sayso.app.places import Place
from sayso.app.units.unit import Order, Unit
from sayso.core import party
from sayso.core.commands import Reassign
from sayso.core.heads import Head
from sayso.errors import Kind, Problem, invalid_input


class Assignments:
    """The operation ``reassign_interaction``."""

    def __init__(self, means: Means) -> None:
        self._writer = means.writer
        self._places = means.places
        self._find = means.find

    async def reassign_interaction(self, allowed: Allowed, fields: inputs.ReassignInteraction) -> Outcome:
        """Give an open request to another party, to another answerer, or both; what is not named stays. Where it is put
        so already nothing changes. 409 for one that waits no more."""
        to, answerer = _party("to", fields.to), _party("from", fields.from_)
        if to is None and answerer is None:
            raise invalid_input("Say to whom: give to, from, or both.", "/to")
        place = await self._places.to_change_in(allowed, "run")
        while True:
            head = await self._find.head(place, fields.run_id)
            command = _command(head, to, answerer)
            try:
                await self._submit(place, head, command)
            except Problem as problem:
                if problem.kind is not Kind.REASSIGNED:
                    raise
                continue  # somebody else was faster: what stands now is looked at
            return {"run_id": run_view.run_id(head), "to": command.to, "answerer": command.answerer}

    async def _submit(self, place: Place, head: Head, command: Reassign) -> None:
        order = Order(stream=head.stream, command=command, by=place.by)
        size = len(command.to) + len(command.answerer or "")
        await self._writer.submit(Unit(shard=place.shard, playbook=place.playbook, orders=(order,), size=size))


def _party(field: str, written: str | None) -> str | None:
    """A party as somebody writes it, within the bounds of one that a document renders."""
    if written is None:
        return None
    name = written.strip()
    fault = party.fault(name)
    if fault is not None:
        raise invalid_input(f"{field} is {fault}.", f"/{field}")
    return name


def _command(head: Head, to: str | None, answerer: str | None) -> Reassign:
    """The order for a request that stands so. An answerer who is the party itself is none of its own."""
    asked = to or head.party or ""
    answers = answerer or head.answerer
    if answers == asked:
        answers = None
    changes_nothing = (asked, answers) == (head.party, head.answerer)
    return Reassign(to=asked, answerer=answers, seen_seq=head.seq, changes_nothing=changes_nothing)
