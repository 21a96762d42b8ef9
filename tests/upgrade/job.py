"""The main job as a client does it: what each release must still be able to do on the tables of the next.

It is told through what every release since the first has: settings, `running`, operations, keys and the sweep.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, NamedTuple

from sayso.app.access import OPERATOR
from sayso.app.runtime import App
from sayso.errors import Problem

START = 1_800_000_000_000_000
HOUR = 3_600_000_000
ROOM = 3  # open requests

QUESTION = """---
description: Asks whether a delivery may be taken in
to: '{{ input.gate }}'
expires: P1D
input: { schema: { type: object, required: [gate], properties: { gate: { type: string } } } }
output: { schema: { type: string, enum: ["yes", "no"] } }
---
A lorry stands at {{ input.gate }}. May it come in?
"""
CALL = """---
description: Looks up who is expected
call: { server: yard, tool: expected, with: { gate: '{{ input.gate }}' } }
output: { schema: { type: array } }
---
"""
NOTICE = "---\nto: the yard\nexpires: P1D\n---\nThe gate was painted.\n"


class Step(NamedTuple):
    """An operation with its fields; ``refused`` if it is meant to be, ``hours`` after the start."""

    operation: str
    fields: Mapping[str, Any] = MappingProxyType({})
    refused: bool = False
    hours: int = 0


def _named(operation: str, name: str, **more: Any) -> Step:
    return Step(operation, {"type": "interaction", "name": name} | more)


def _run(run: int | None, name: str = "let-in", *, refused: bool = False, hours: int = 0, **fields: Any) -> Step:
    named = {} if run is None else {"run_id": run_id(run)}
    given = {"type": "interaction", "name": name, "input": {"gate": "the north gate"}} | named | fields
    return Step("run_definition", given, refused, hours)


def _of_run(operation: str, run: int, *, refused: bool = False, hours: int = 0, **fields: Any) -> Step:
    return Step(operation, {"run_id": run_id(run)} | fields, refused, hours)


def run_id(n: int) -> str:
    """The caller's own id of the nth run."""
    return f"0192f0c1-0000-7000-8000-0000000000{n:02d}"


# What is reference data comes first: its numbers are given by the store, in the order in which it comes.
STEPS = {
    "make a key": Step("create_key"),
    "make a playbook": Step("create_playbook", {"playbook": "gates", "name": "Gate"}),
    "rename it": Step("update_playbook", {"playbook": "gates", "name": "Gates", "description": "Who may come in"}),
    "save": _named("create_definition", "let-in", source=QUESTION),
    "change it": _named("update_definition", "let-in", source=QUESTION + "\nIt rains.\n"),
    "save a notice": _named("create_definition", "painted", source=NOTICE),
    "save a call": _named("create_definition", "look-up", source=CALL),
    "show a definition": _named("get_definition", "let-in"),
    "list definitions": Step("list_definitions", {"type": "interaction"}),
    "list versions": _named("list_definition_versions", "let-in"),
    "compare versions": _named("compare_definition", "let-in"),
    "ask": _run(1),
    "ask again": _run(1),
    "ask otherwise": _run(1, refused=True, input={"gate": "the south gate"}),
    "ask wrongly": _run(2, refused=True, input={}),
    "notify": _run(3, "painted", input={}),
    "ask a second": _run(4),
    "ask without a run id": _run(None),
    "ask one too many": _run(5, refused=True),
    "list what waits": Step("list_interactions", {"to": "the north gate", "type": "interaction", "function": "let-in"}),
    "answer": _of_run("answer_interaction", 1, answer="yes"),
    "answer again": _of_run("answer_interaction", 1, answer="yes"),
    "answer otherwise": _of_run("answer_interaction", 1, refused=True, answer="no"),
    "show a run": _of_run("get_run", 1),
    "show its history": _of_run("get_run_history", 1, limit=2),
    "show it backwards": _of_run("get_run_history", 1, order="desc"),
    "cancel": _of_run("cancel_run", 4, reason="It left."),
    "ask with room": _run(5, hours=1),
    "expire": Step("sweep", hours=24),
    "expire another": Step("sweep", hours=25),
    "ask a last": _run(6, hours=25),
    "answer too late": _of_run("answer_interaction", 6, refused=True, hours=50, answer="yes"),
    "call": _run(7, "look-up", refused=True, hours=50),
    "call again": _run(7, "look-up", refused=True, hours=50),
    "list runs": Step("list_runs", {"limit": 2}, hours=50),
    "list some runs": Step("list_runs", {"type": "interaction", "name": "let-in", "status": "rejected"}, hours=50),
    "retire": Step("retire_definition", {"type": "interaction", "name": "painted"}, hours=50),
    "list what is left": Step("list_definitions", {"type": "interaction"}, hours=50),
    "list keys": Step("list_keys", hours=50),
    "revoke the key": Step("revoke_key", hours=50),
    "tell whether it is ready": Step("ready", hours=50),
}
# Before this step all reference data is made.
ASKING = "ask"
# From this one on it takes whatever is due, of others too.
EXPIRING = "expire"


@dataclass
class Clock:
    """Stands where the job put it."""

    at: int = START

    def now(self) -> int:
        return self.at


@dataclass
class Chance:
    """Chance that repeats: each number is one more than the last."""

    last: int = 0

    def bits(self, count: int) -> int:
        self.last += 1
        return self.last % (1 << count)


@dataclass(kw_only=True)
class Job:
    """The job on a running app, in an org; ``begun`` hears each step's name before it is done."""

    app: App
    clock: Clock
    org: str = "acme"
    key: str = "yard"
    begun: Callable[[str], None] = field(default=lambda _: None)

    async def do(self) -> None:
        """Every step, each ending as it is meant to, from the time that the clock shows."""
        start = self.clock.at
        for n, (name, step) in enumerate(STEPS.items()):
            self.clock.at = start + step.hours * HOUR + n * 1_000
            self.begun(name)
            try:
                await self._step(step.operation, dict(step.fields))
            except Problem as problem:
                assert step.refused, f"{name}: {problem!r}"
            else:
                assert not step.refused, f"{name} was not refused"

    async def _step(self, operation: str, fields: dict[str, Any]) -> None:
        match operation:
            case "create_key":
                made = await self.app.keys.create(self.org, key_id=self.key)
                await self.app.keys.authenticate(made["key"])
            case "revoke_key":
                await self.app.keys.revoke(self.key)
            case "list_keys":
                await self.app.keys.list(self.org)
            case "sweep":
                assert await self.app.worker.sweep() > 0
            case "ready":
                await self.app.ready()
            case _:
                where = None if operation in {"create_playbook", "update_playbook"} else "gates"
                allowed = self.app.operations.allow(OPERATOR, operation, org=self.org, playbook=where)
                await self.app.operations.perform(allowed, fields)
