"""Questions as a real document asks them, made ready before anything is measured: how they become rows is measured.

Every playbook's document lets its requests wait for another time, about two days, as documents do. Half of the runs
have an id of their caller's choice.
"""

import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from bench.ground import OPEN_REQUESTS
from sayso.app.mint import Mint
from sayso.app.starts import Start, start
from sayso.app.units.unit import Order, Unit
from sayso.compose import SystemEntropy
from sayso.core import values
from sayso.core.commands import Answer, Ask
from sayso.core.document.parse import parse
from sayso.core.events import RunStarted
from sayso.core.heads import Birth
from sayso.core.ids import uuid_text
from sayso.core.values import Json
from sayso.ports import Clock
from sayso.store import SystemClock

NAME = "approve-campaign-brief"
SOURCE = (Path(__file__).parents[1] / "examples" / f"{NAME}.md").read_text(encoding="utf-8")
FUNCTION = parse(SOURCE, name=NAME)
MESSAGE_BYTES = 300
PARTIES = 997
HOUR_MS = 3_600_000
_REVIEW = (
    "The budget holds; two of the three pictures are licensed. "
    "The claim on page two needs a source of its own. Item no "
)
ANSWER: Json = {"verdict": "approve", "note": "Good as it is; the second picture is the better one."}


@dataclass(frozen=True, kw_only=True)
class Asked:
    """A playbook's function, as its requests name it."""

    playbook: int
    org: int = 1
    by: int = 1
    definition: bytes = bytes(16)


class Questions:
    """Makes units that ask, in these playbooks in turn. With ``waits_ms`` all wait for so long."""

    def __init__(self, asked: Sequence[Asked], *, clock: Clock | None = None, waits_ms: int | None = None) -> None:
        self._asked = asked
        self._mint = Mint(clock or SystemClock(), SystemEntropy())
        self._starts = [_start(one, n, waits_ms or _spread_ms(n)) for n, one in enumerate(asked)]
        self._made = 0

    def asks(self, count: int) -> list[Unit]:
        """So many new requests."""
        return [self.ask() for _ in range(count)]

    def ask(self) -> Unit:
        """One more request, in the next playbook."""
        number, self._made = self._made, self._made + 1
        asked, begins = self._asked[number % len(self._asked)], self._starts[number % len(self._asked)]
        run_id = uuid.uuid4().bytes if number // len(self._asked) % 2 else None
        birth = Birth(kind=begins.kind, org=asked.org, playbook=asked.playbook, run_id=run_id)
        order = Order(stream=self._mint.stream(0), command=begins.command, by=asked.by, birth=birth)
        return Unit(shard=0, playbook=asked.playbook, orders=(order,), size=begins.size)


def _start(asked: Asked, number: int, waits_ms: int) -> Start:
    given = given_input(number)
    started = RunStarted(
        type="interaction",
        name=NAME,
        definition=uuid_text(asked.definition),
        version=1,
        input_sha256=values.digest(given),
        input_bytes=values.size(given),
        input=given,
    )
    begins = start(FUNCTION, started, SystemClock().now() // 1000, OPEN_REQUESTS)
    assert isinstance(begins.command, Ask) and begins.command.question is not None
    assert begins.command.question.message_bytes == MESSAGE_BYTES, begins.command.question
    question = replace(begins.command.question, expires_ms=waits_ms)
    return replace(begins, command=replace(begins.command, question=question))


def _spread_ms(number: int) -> int:
    """About two days: another number of hours in each of 48 playbooks."""
    return (24 + number * 7 % 48) * HOUR_MS


def given_input(number: int) -> dict[str, Json]:
    """The input of a run, whose message comes to 300 bytes."""
    return {"owner": f"owner {number % PARTIES:03}", "review": _REVIEW + f"{number:06}"}


def answers(asks: Sequence[Unit], answer: Json = ANSWER) -> list[Unit]:
    """Units that answer what these units asked."""
    size = values.size(answer)
    command = Answer(answer=answer, answer_sha256=values.digest(answer), answer_bytes=size, checked_version=1)
    return [replace(unit, orders=(_answering(unit.orders[0], command),), size=size) for unit in asks]


def _answering(asked: Order, command: Answer) -> Order:
    return Order(stream=asked.stream, command=command, by=asked.by)


def groups(units: Sequence[Unit], size: int) -> Iterator[Sequence[Unit]]:
    """The units, so many at a time."""
    return (units[first : first + size] for first in range(0, len(units), size))
