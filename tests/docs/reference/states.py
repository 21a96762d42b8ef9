"""The request machine as it decides: every standing it can reach, and what each order does there.

Nothing is written down of the machine itself. It is asked: from the empty stream each order is decided at each time
that matters, the events are folded, and each standing that this reaches is asked in turn.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache, reduce

from sayso.core import events
from sayso.core.commands import Answer, Ask, Cancel, Command, Look, Question, Reassign
from sayso.core.events import Recorded, RunRejected, RunStarted
from sayso.core.machines.machine import Decision, Moment
from sayso.core.machines.request import Request, RequestMachine
from sayso.core.machines.start import SAME_REFUSAL_US
from sayso.errors import Kind, Reason
from tests.docs.reference.table import code, table

MACHINE = RequestMachine()
STREAM = bytes(16)
START = 1_800_000_000_000_000
EXPIRES_MS = 3_600_000
OVER = START + EXPIRES_MS * 1000
LIMIT = 10

_STARTED = RunStarted(
    type="interaction",
    name="approve",
    definition="00000000-0000-0000-0000-000000000000",
    version=1,
    input_sha256="aa",
    input_bytes=2,
)
_QUESTION = Question(to="a", answerer=None, message="?", message_bytes=1, takes_answer=True, expires_ms=EXPIRES_MS)
_INVALID = RunRejected(reason=Reason.INVALID_INPUT)
_NOT_OFFERED = RunRejected(reason=Reason.UNAVAILABLE, kind=Kind.TOOL_NOT_OFFERED)
_UNWORKABLE = RunRejected(reason=Reason.CONFLICT, kind=Kind.UNWORKABLE)
_ANSWER = Answer(answer="yes", answer_sha256="01", answer_bytes=5, checked_version=1)
_REASSIGN = Reassign(to="b", answerer=None, seen_seq=2, changes_nothing=False)


@dataclass(frozen=True, kw_only=True)
class Order:
    """A command at a moment, in the words of the page."""

    words: str
    command: Command
    at: int = START
    open_requests: int = 0


ORDERS = (
    Order(words="ask a question", command=Ask(started=_STARTED, question=_QUESTION, open_limit=LIMIT)),
    Order(
        words="ask with nothing to answer",
        command=Ask(started=_STARTED, question=replace(_QUESTION, takes_answer=False), open_limit=LIMIT),
    ),
    Order(words="ask over a wrong input", command=Ask(started=_STARTED, refused_early=_INVALID, open_limit=LIMIT)),
    Order(
        words="ask through a tool that is not offered",
        command=Ask(started=_STARTED, refused_early=_NOT_OFFERED, open_limit=LIMIT),
    ),
    Order(
        words="ask what cannot be rendered",
        command=Ask(started=_STARTED, refused_question=_UNWORKABLE, open_limit=LIMIT),
    ),
    Order(
        words="ask where too many wait",
        command=Ask(started=_STARTED, question=_QUESTION, open_limit=LIMIT),
        open_requests=LIMIT,
    ),
    Order(
        words="ask over another input",
        command=Ask(started=replace(_STARTED, input_sha256="bb"), question=_QUESTION, open_limit=LIMIT),
    ),
    Order(words="answer", command=_ANSWER),
    Order(words="answer otherwise", command=replace(_ANSWER, answer="no", answer_sha256="02")),
    Order(words="give to another party", command=_REASSIGN),
    Order(words="cancel", command=Cancel(kind=Kind.REQUESTED, reason="No need.")),
    Order(words="look", command=Look()),
    Order(words="answer at its expiry", command=_ANSWER, at=OVER),
    Order(words="give away at its expiry", command=_REASSIGN, at=OVER),
    Order(words="cancel at its expiry", command=Cancel(kind=Kind.REQUESTED, reason="No need."), at=OVER),
    Order(words="look at its expiry", command=Look(), at=OVER),
    Order(
        words="ask again after a minute",
        command=Ask(started=_STARTED, question=_QUESTION, open_limit=LIMIT),
        at=START + SAME_REFUSAL_US,
    ),
)


def drawing() -> str:
    """The standings and the ways between them, as a mermaid drawing."""
    lines = ["stateDiagram-v2", *(f"    {_key(one)}: {one}" for one in reached())]
    for standing, state in reached().items():
        ways = _ways(state)
        if state.ended and ways:
            lines.append(f"    {_key(standing)} --> none: asked again")
            continue
        lines += [f"    {_key(standing)} --> {_key(after)}: {' / '.join(words)}" for after, words in ways.items()]
    return "\n".join(["```mermaid", *lines, "```"])


def _ways(state: Request) -> dict[str, list[str]]:
    """The standings that a standing leads to, each with the orders that lead there."""
    ways: dict[str, list[str]] = {}
    for order in _orders(state):
        after = _after(state, _decided(state, order), order)
        if after != state:
            ways.setdefault(name(after), []).append(order.words)
    return ways


def _orders(state: Request) -> Iterator[Order]:
    """The orders that mean something where a request stands so: nothing is asked again that never was asked."""
    return (order for order in ORDERS if state.started or not order.words.startswith(("ask again", "ask over another")))


def decided() -> str:
    """A table a standing: what each order does there. Orders that do the same share a row."""
    return "\n\n".join(f"### {standing.capitalize()}\n\n{_table(state)}" for standing, state in reached().items())


@cache
def reached() -> dict[str, Request]:
    """Each standing by its name, with the first state that was found to stand so; nearest first."""
    found = {"nothing yet": MACHINE.initial()}
    waiting = [MACHINE.initial()]
    while waiting:
        for after in _next(waiting.pop(0)):
            if name(after) not in found:
                found[name(after)] = after
                waiting.append(after)
    return found


def name(state: Request) -> str:
    """How a request stands, in words."""
    if state.started is None:
        return "nothing yet"
    if state.ended is None:
        return "waiting"
    if state.ended.rejection is None:
        return "succeeded, answered" if state.answered else "succeeded, told"
    return ", ".join(filter(None, ("rejected", state.ended.rejection.reason, state.ended.rejection.kind)))


def _next(state: Request) -> Iterator[Request]:
    return (_after(state, _decided(state, order), order) for order in _orders(state))


def _decided(state: Request, order: Order) -> Decision:
    return MACHINE.decide(state, order.command, Moment(now=order.at, open_requests=order.open_requests))


def _after(state: Request, decision: Decision, order: Order) -> Request:
    recorded = [
        Recorded(stream=STREAM, seq=seq, at=order.at, by=1, event=event)
        for seq, event in enumerate(decision.events, start=1)
    ]
    return reduce(MACHINE.evolve, recorded, state)


def _table(state: Request) -> str:
    by_effect: dict[tuple[str, str, str], list[str]] = {}
    for order in _orders(state):
        by_effect.setdefault(_effect(state, order), []).append(order.words)
    rows = ((", ".join(words), *effect) for effect, words in by_effect.items())
    return table(("Order", "Records", "Refused with", "Then stands"), rows)


def _effect(state: Request, order: Order) -> tuple[str, str, str]:
    if state.started is None and not isinstance(order.command, Ask):
        return "", code(Reason.NOT_FOUND.value), ""
    decision = _decided(state, order)
    after = _after(state, decision, order)
    recorded = ", ".join(code(events.name(event)) for event in decision.events)
    problem = decision.problem
    refused = ", ".join(code(word.value) for word in (problem.reason, problem.kind) if word) if problem else ""
    return recorded, refused, name(after) if after != state else "as before"


def _key(standing: str) -> str:
    return "none" if standing == "nothing yet" else standing.replace(", ", "_").replace(" ", "_")
