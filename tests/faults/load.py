"""Load: clients that ask, answer and cancel at servers that are killed, and remember what they sent and were told."""

import random
import threading
import uuid
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any, Self

from tests.faults.gate import Gate
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
CLIENTS = 8
RETRY_S = 0.05
UNTIL_S = 60.0


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
    refused: int = 0
    lost: int = 0
    unavailable: int = 0


class Client(threading.Thread):
    """One client with runs of its own, at whichever server the gate shows it."""

    def __init__(self, number: int, gate: Gate, seed: int) -> None:
        super().__init__(name=f"client-{number}")
        self.runs: list[Asked] = []
        self.tally = Tally()
        self.fault: BaseException | None = None
        self._number = number
        self._wire = Wire(0)
        self._chance = random.Random(seed * 1_000 + number)
        self._gate = gate
        self._values = iter(range(number * 1_000_000, (number + 1) * 1_000_000))

    def run(self) -> None:
        """Send one thing after the other until told to end; a fault is kept for the test."""
        try:
            way = self._gate.way(self._chance, None)
            while way:
                self._wire.turn_to(way.port)
                lost = self.tally.lost
                self._act()
                way = self._gate.way(self._chance, way, is_lost=self.tally.lost > lost)
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
        if reply is None:
            self.tally.lost += 1
            return UNKNOWN, None
        if reply[0] == UNKNOWN:
            self.tally.unavailable += 1
            threading.Event().wait(RETRY_S)  # a client does not hurry one that cannot
            return reply
        if reply[0] == 200:
            self.tally.told += 1
        else:
            self.tally.refused += 1
        return reply


class Load:
    """Clients at the servers of a gate, as long as the context lasts. The definitions are there."""

    def __init__(self, gate: Gate, seed: int, clients: int = CLIENTS) -> None:
        self._gate = gate
        self.clients = [Client(number, gate, seed) for number in range(clients)]

    def __enter__(self) -> Self:
        for client in self.clients:
            client.start()
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        self._gate.end()
        for client in self.clients:
            client.join()
        assert kind or [client.fault for client in self.clients] == [None] * len(self.clients)

    @property
    def runs(self) -> list[Asked]:
        """All runs of all clients."""
        return [run for client in self.clients for run in client.runs]

    @property
    def tally(self) -> Tally:
        """How the requests of all clients went."""
        return Tally(**{name: sum(getattr(client.tally, name) for client in self.clients) for name in vars(Tally())})

    def until_told(self, more: int) -> None:
        """Wait until so many more requests were answered 2xx."""
        told, look = self.tally.told, threading.Event()
        for _ in range(int(UNTIL_S / 0.02)):
            if self.tally.told >= told + more:
                return
            assert all(client.is_alive() for client in self.clients), [client.fault for client in self.clients]
            look.wait(0.02)
        raise AssertionError(f"{more} requests were not answered within {UNTIL_S} s: {self.tally}")

    def checked(self, port: int, *, all_ended: bool = False) -> str:
        """Hold the store against what the clients know, through the server at a port; the figures of it in words."""
        with closing(Wire(port)) as wire:
            found = Counter(check(wire, self.runs, all_ended=all_ended))
        tally = self.tally
        return (
            f"requests: {tally.told} answered 2xx and each there once, {tally.refused} refused, {tally.lost} never "
            f"answered and {tally.unavailable} answered 503, of which {found['whole']} stand whole and the others not "
            "at all"
        )


def save_questions(port: int) -> None:
    """Save the definitions that the load runs."""
    with closing(Wire(port)) as wire:
        for name, expires in QUESTIONS.items():
            source = QUESTION.format(expires=expires)
            reply = wire.send("POST", "/definitions/interaction", {"name": name, "source": source})
            assert reply is not None
            assert reply[0] == 201, reply


def check(wire: Wire, runs: list[Asked], *, all_ended: bool = False) -> Iterator[str]:
    """Hold each run against what its client sent and was told; yields what each unknown request turned out to be.

    ``all_ended`` says that it is later than any run expires.
    """
    listed = [run["run_id"] for run in wire.all("/runs", "runs")]
    assert len(listed) == len(set(listed)), "a run is listed twice"
    assert {run.run_id for run in runs if run.is_told} <= set(listed), "a run that was told is not there"
    unnamed = sum(run.run_id is None for run in runs)
    assert len(set(listed) - {run.run_id for run in runs}) <= unnamed, "a run is there that nobody sent"
    there = set(listed)
    for run in runs:
        if run.run_id in there:
            yield from _check_run(wire, run, all_ended)
        else:
            yield "not at all"


def _check_run(wire: Wire, run: Asked, all_ended: bool) -> Iterator[str]:
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
        assert all_ended or run.name == "short", (run, shown)
    else:
        assert not all_ended, (run, shown)
        assert ending == ("started", None), (run, shown)
        assert not run.expiry_told, (run, shown)
    assert events == _HISTORY[ending], (run, events)


_HISTORY = {
    ("started", None): ["run_started", "interaction_requested"],
    ("succeeded", None): ["run_started", "interaction_requested", "request_answered", "run_succeeded"],
    ("rejected", "requested"): ["run_started", "interaction_requested", "run_cancel_requested", "run_rejected"],
    ("rejected", "expired"): ["run_started", "interaction_requested", "run_rejected"],
}
