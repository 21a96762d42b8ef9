"""Load: clients that ask, answer and cancel at a server that is killed, and remember what they sent and were told."""

import random
import threading
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from tests.faults.wire import Wire

QUESTION = """---
to: the owner of sales
expires: {expires}
input: {{ schema: {{ type: object, required: [mark], properties: {{ mark: {{ type: string }} }} }} }}
output: {{ schema: {{ type: integer }} }}
---
May this offer go out? {{{{ input.mark }}}}
"""
# Most wait for long, some run out while the load goes on.
QUESTIONS = {"lasting": "P2D", "short": "PT1M"}
UNKNOWN = 503
FRESH = 20  # runs that a client comes back to


@dataclass(kw_only=True)
class Asked:
    """One run as its client knows it. ``run_id`` is None while it was sent without one and no answer came."""

    mark: str
    run_id: str | None
    name: str
    is_told: bool = False
    answers: set[int] = field(default_factory=set)
    answer_told: dict[str, Any] | None = None
    cancel_sent: bool = False
    cancel_told: dict[str, Any] | None = None
    expiry_told: bool = False


@dataclass(kw_only=True)
class Tally:
    """How the requests of a client went."""

    told: int = 0
    unknown: int = 0
    refused: int = 0


class Client(threading.Thread):
    """One client with runs of its own.

    ``past(start)`` blocks until the server is up and was started more often than that; 0 ends the client.
    """

    def __init__(self, number: int, port: int, seed: int, past: Callable[[int], int]) -> None:
        super().__init__(name=f"client-{number}")
        self.runs: list[Asked] = []
        self.tally = Tally()
        self.fault: BaseException | None = None
        self._number = number
        self._wire = Wire(port)
        self._chance = random.Random(seed * 1_000 + number)
        self._past = past
        self._values = iter(range(number * 1_000_000, (number + 1) * 1_000_000))

    def run(self) -> None:
        """Send one thing after the other until told to end; a fault is kept for the test."""
        try:
            start = self._past(0)
            while start:
                unknown = self.tally.unknown
                self._act()
                start = self._past(start if self.tally.unknown > unknown else start - 1)
        except BaseException as fault:
            self.fault = fault
        finally:
            self._wire.close()

    def _act(self) -> None:
        known = [run for run in self.runs[-FRESH:] if run.run_id is not None]
        if not known or self._chance.random() < 0.4:
            self._ask(self._new())
            return
        run = self._chance.choice(known)
        if not run.is_told:
            self._ask(run)
        elif self._chance.random() < 0.15:
            self._cancel(run)
        else:
            self._answer(run)

    def _new(self) -> Asked:
        run_id = None if self._chance.random() < 0.1 else str(uuid.UUID(int=self._chance.getrandbits(128), version=4))
        name = "short" if self._chance.random() < 0.05 else "lasting"
        run = Asked(mark=f"{self._number}-{len(self.runs)}", run_id=run_id, name=name)
        self.runs.append(run)
        return run

    def _ask(self, run: Asked) -> None:
        body = {"input": {"mark": run.mark}} | ({"run_id": run.run_id} if run.run_id else {})
        status, told = self._send(f"/definitions/interaction/{run.name}/run", body)
        if status == 200:
            run.is_told, run.run_id = True, told["run_id"]
        else:
            assert status in {UNKNOWN, 410}, told

    def _answer(self, run: Asked) -> None:
        """The answer that was told or sent last, again; now and then another one."""
        again = run.answer_told["answer"] if run.answer_told else max(run.answers, default=None)
        value = next(self._values) if again is None or self._chance.random() < 0.2 else again
        before = set(run.answers)
        if run.answer_told is None:
            run.answers.add(value)
        status, fact = self._send(f"/runs/{run.run_id}/answer", {"answer": value})
        if status == 200:
            assert fact["answer"] == value
            assert run.cancel_told is None
            assert run.answer_told in (None, fact), "the answer's fact changed"
            run.answer_told = fact
        elif status == 409:
            run.answers = run.answers if run.answer_told else before
            self._check_conflict(run, fact, value)
        else:
            assert status == UNKNOWN, fact

    def _check_conflict(self, run: Asked, problem: dict[str, Any], value: int) -> None:
        """Refused for a reason that this client knows of."""
        match problem.get("kind"):
            case "answered":
                assert run.answers - {value}, problem
                assert run.answer_told is None or run.answer_told["answer"] != value
            case "requested":
                assert run.cancel_sent, problem
            case "expired":
                assert run.name == "short", problem
                run.expiry_told = True
            case _:
                raise AssertionError(problem)

    def _cancel(self, run: Asked) -> None:
        sent_before, run.cancel_sent = run.cancel_sent, True
        status, told = self._send(f"/runs/{run.run_id}/cancel", {})
        if status == 200:
            assert run.answer_told is None
            run.cancel_told = told
        elif status == 409:
            run.cancel_sent = sent_before
            assert run.answers or sent_before or run.name == "short", told
        else:
            assert status == UNKNOWN, told

    def _send(self, path: str, body: Any) -> tuple[int, Any]:
        """A reply, or 503 where none came: in both cases nobody knows what became of it."""
        reply = self._wire.send("POST", path, body)
        if reply is None or reply[0] == UNKNOWN:
            self.tally.unknown += 1
            return UNKNOWN, None
        if reply[0] == 200:
            self.tally.told += 1
        else:
            self.tally.refused += 1
        return reply


def save_questions(wire: Wire) -> None:
    """Save the definitions that the load runs."""
    for name, expires in QUESTIONS.items():
        source = QUESTION.format(expires=expires)
        reply = wire.send("POST", "/definitions/interaction", {"name": name, "source": source})
        assert reply is not None
        assert reply[0] == 201, reply


def check(wire: Wire, runs: list[Asked]) -> Iterator[str]:
    """Hold each run against what its client sent and was told; yields what each unknown request turned out to be."""
    listed = [run["run_id"] for run in wire.all("/runs", "runs")]
    assert len(listed) == len(set(listed)), "a run is listed twice"
    assert {run.run_id for run in runs if run.is_told} <= set(listed), "a run that was told is not there"
    unnamed = sum(run.run_id is None for run in runs)
    assert len(set(listed) - {run.run_id for run in runs}) <= unnamed, "a run is there that nobody sent"
    there = set(listed)
    for run in runs:
        if run.run_id in there:
            yield from _check_run(wire, run)
        else:
            yield "not at all"


def _check_run(wire: Wire, run: Asked) -> Iterator[str]:
    shown = wire.get(f"/runs/{run.run_id}")
    events = [event["type"] for event in wire.get(f"/runs/{run.run_id}/history")["events"]]
    ending = (shown["status"], shown.get("rejection", {}).get("kind"))
    if not run.is_told:
        yield "whole"
    if run.answer_told is not None:
        assert ending == ("succeeded", None), (run, shown)
        assert shown["output"] == run.answer_told["answer"]
        assert shown["record"]["answered_at"] == run.answer_told["answered_at"]
    elif run.cancel_told is not None:
        assert ending == ("rejected", "requested"), (run, shown)
        assert shown["finished_at"] == run.cancel_told["finished_at"]
    elif ending == ("succeeded", None):
        assert shown["output"] in run.answers, (run, shown)
        yield "whole"
    elif ending == ("rejected", "requested"):
        assert run.cancel_sent, (run, shown)
        yield "whole"
    elif ending == ("rejected", "expired"):
        assert run.name == "short", (run, shown)
    else:
        assert ending == ("started", None), (run, shown)
        assert not run.expiry_told, (run, shown)
    assert events == _HISTORY[ending], (run, events)


_HISTORY = {
    ("started", None): ["run_started", "interaction_requested"],
    ("succeeded", None): ["run_started", "interaction_requested", "request_answered", "run_succeeded"],
    ("rejected", "requested"): ["run_started", "interaction_requested", "run_cancel_requested", "run_rejected"],
    ("rejected", "expired"): ["run_started", "interaction_requested", "run_rejected"],
}
