"""Answers: the one value that settles a request, checked against the schema as it stood when the request was put."""

import unicodedata

from sayso.app import access, inputs, interaction_view
from sayso.app.access import Principal
from sayso.app.means import Means
from sayso.app.operations import Allowed, Outcome
from sayso.app.places import Place
from sayso.app.run_view import Run
from sayso.app.units.unit import Order, Unit
from sayso.core import bounds, values
from sayso.core.commands import Answer
from sayso.core.events import Recorded, RequestAnswered
from sayso.core.heads import Head
from sayso.core.instants import iso
from sayso.errors import Kind, Problem, Reason, conflict, invalid_input


class Answers:
    """The operation ``answer_interaction``."""

    def __init__(self, means: Means) -> None:
        self._writer = means.writer
        self._places = means.places
        self._reference = means.reference
        self._functions = means.functions
        self._find = means.find

    async def answer_interaction(self, allowed: Allowed, fields: inputs.AnswerInteraction) -> Outcome:
        """Settle a request. The run has ended with the answer when this returns; the same answer again gets the fact
        that was recorded, a different one 409 (AUTO: Answering a request)."""
        place = await self._places.to_change_in(allowed, "run")
        head = await self._find.head(place, fields.run_id)
        access.check_answerer(place.principal, head.party, head.answerer)
        # Only while it waits is the answer looked at: one that has ended is a conflict, whatever the answer is.
        waits = await self._find.waits(head)
        if waits:
            await self._check(head, fields)
        version = head.definition_version if waits else None
        command = _command(fields, checked_version=version, seen_seq=_seen(place.principal, head))
        order = Order(stream=head.stream, command=command, by=place.by)
        unit = Unit(shard=place.shard, playbook=place.playbook, orders=(order,), size=command.answer_bytes)
        try:
            result = await self._writer.submit(unit)
        except Problem as problem:
            raise await self._told(place, head, problem) from None
        done = result.done[0]
        return await self._fact(place, Run(head=done.head, events=done.recorded, playbook=place.name))

    async def _check(self, head: Head, fields: inputs.AnswerInteraction) -> None:
        inputs.bound("answer", fields.answer, bounds.ANSWER_BYTES)
        _bound_claim(fields.claimed_for)
        schema = await self._functions.answer_schema(head)
        issues = schema.issues(fields.answer, "/answer") if schema else ()
        if issues:
            detail = "The answer does not match the answer schema of the request, which stays open."
            raise Problem(Reason.INVALID_INPUT, detail, issues=issues)

    async def _fact(self, place: Place, run: Run) -> Outcome:
        """The fact that stands: the one that the unit recorded, else the one that was there before."""
        recorded, event = run.answered() or await self._answered(place, run.head)
        snapshot = await self._reference.naming([recorded.by])
        return {"run_id": run.run_id} | interaction_view.fact(recorded, event, place.name, snapshot)

    async def _answered(self, place: Place, head: Head) -> tuple[Recorded, RequestAnswered]:
        found = (await self._find.run_of(place, head)).answered()
        assert found is not None, "the request was answered"
        return found

    async def _told(self, place: Place, head: Head, problem: Problem) -> Problem:
        """A refusal because of an earlier answer says whose it was, and when."""
        if problem.kind != Kind.ANSWERED:
            return problem
        recorded, _ = await self._answered(place, head)
        who = (await self._reference.naming([recorded.by])).caller_id(recorded.by, place.name)
        return conflict(f"The request was answered already, by {who} at {iso(recorded.at)}.", Kind.ANSWERED)


def _seen(principal: Principal, head: Head) -> int | None:
    """Up to which event whoever is limited to some parties, or to a request as it was put once, has seen it: given to
    another party since, it is not theirs to answer. None for anybody else."""
    if principal.request is not None:
        return principal.request.seen_seq
    return None if principal.parties is None else head.seq


def _command(fields: inputs.AnswerInteraction, *, checked_version: int | None, seen_seq: int | None) -> Answer:
    """The command to settle. One that was not checked names no version, so that a run which starts again between the
    look at it and the unit does not take what nobody checked."""
    size = values.size(fields.answer)
    return Answer(
        answer=fields.answer,
        # No answer of that size was ever recorded, so none needs to be compared with it.
        answer_sha256=values.digest(fields.answer) if size <= bounds.ANSWER_BYTES else "",
        answer_bytes=size,
        checked_version=checked_version or 0,
        claimed_for=fields.claimed_for,
        seen_seq=seen_seq,
    )


def _bound_claim(claimed_for: str | None) -> None:
    """AUTO: Bounds. A claim is a name that people read: some text, short, on one line."""
    if claimed_for is None:
        return
    if not claimed_for.strip():
        raise invalid_input("claimed_for is blank: leave it out, or say whom the answer is for.", "/claimed_for")
    if len(claimed_for.encode(errors="surrogatepass")) > bounds.CLAIMED_FOR_BYTES:
        raise invalid_input(f"claimed_for is longer than {bounds.CLAIMED_FOR_BYTES} bytes.", "/claimed_for")
    if any(unicodedata.category(letter) in {"Cc", "Cs"} for letter in claimed_for):  # Cs: of a command line's bytes
        raise invalid_input("claimed_for holds a control character, or what is no character.", "/claimed_for")
